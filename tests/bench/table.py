#!/usr/bin/env python3
"""A line for every target, from what was measured in this run; the last column is the ratio and whether "must" holds.

    table.py BUILD_DIR BENCHMARK.json FILES.txt

The ratio of a time is the allowed time over the measured one: above 1 is faster. What another command measures is
told with that command and the moment it ran, and judged only where the program has not been built anew since. Then, by
kernel, how many times faster than its naive oracle it is; and what a bad order of the file costs.
"""
import json
import re
import subprocess
import sys
from datetime import datetime
from pathlib import Path

PEERS, WINDOW = "tests/run.sh --peers-speed", "tests/run.sh --window"
# Benchmarks with a target of their own, in the order of the targets.
TARGETS = {
    "linearAgainstEigenLoop": "linear blend, times the Eigen loop",
    "linearAgainstByteLimit": "linear blend, share of what the bytes alone allow",
    "dualQuaternionOfLinear": "dual quaternions, share of linear blend's speed",
    "sphericalOfDualQuaternion": "spherical, centre per vertex, share of dual quaternions' speed",
    "sphericalPerSetOfDualQuaternion": "spherical, centre per joint set, share of dual quaternions' speed",
    "dabPaint": "dab of the weight brush, 14k of 1M vertices, 2 ms",
    "dabSculpt": "dab of the sculpt brush, 14k of 1M vertices, 2 ms",
    "dabMap": "dab of the brush on a painted map, 14k of 1M vertices, 2 ms",
    "jointDrag": "joint drag, 1M vertices, event to posed normals, 16 ms",
    "correctiveExtraction": "corrective extraction, all of 1M vertices, 20 ms",
}
BEFORE_DABS = 5  # the rows against Blender stand behind so many of them
TARGET_SIZE = {"linearAgainstEigenLoop": "100000"}  # other sizes are shown, and judged by nothing
ORACLE = ("times_the_oracle", "of_oracle")


def benchmarks(path):
    """{name without what Google Benchmark adds: its counters}."""
    found = {}
    for run in json.loads(Path(path).read_text())["benchmarks"]:
        name = re.sub(r"/(iterations|repeats|min_time|min_warmup_time|real_time|process_time|manual_time|threads).*", "",
                      run["name"])
        found[name] = run
    return found


def verdict(ratio, must, aim):
    return "NO" if ratio < must else "yes, aim too" if ratio >= aim else "yes"


def judged(work, measured, ratio, must, aim, unit=""):
    return [work, measured, f"{must:g}{unit}", f"{aim:g}{unit}", f"{ratio:.2f}{unit}  {verdict(ratio, must, aim)}"]


def said_by(run):
    """What stands beside the ratio: milliseconds, or the speed and the instructions it was reached with."""
    if "median_ms" in run:
        return (f"median {run['median_ms']:.2f} ms, best {run['best_ms']:.2f}; first of a stroke "
                f"{run['first_ms']:.1f}, second {run['second_ms']:.1f}")
    if "best_ms" in run:
        return f"{run['best_ms']:.2f} ms"
    said = [f"{run['Mv_per_s']:.0f} Mv/s"] if "Mv_per_s" in run else []
    said += [run["label"]] if run.get("label") else []
    said += [f"on AVX2 {run['avx2_kernel']:.2f}"] if "avx2_kernel" in run else []
    said += [f"on SSSE3 {run['ssse3_kernel_of_sse2']:.2f} of the loop by SSE2"] if "ssse3_kernel_of_sse2" in run else []
    return ", ".join(said)


def of_this_run(runs, heads):
    rows = []
    for head in heads:
        for name, run in runs.items():
            first, _, rest = name.partition("/")
            if first != head or "ratio" not in run:
                continue
            work = TARGETS[head] + (f", {rest}" if rest else "")
            if rest and TARGET_SIZE.get(head, rest) != rest:
                rows.append([work, said_by(run), "-", "-", f"{run['ratio']:.2f}  no target at this size"])
                continue
            rows.append(judged(work, said_by(run), run["ratio"], run["must"], run["aim"]))
            if head in TARGET_SIZE and "avx2_kernel" in run:
                rows.append(judged(f"{work}, on AVX2", "", run["avx2_kernel"], run["must"], run["aim"]))
    return rows


def missing(runs):
    return [[TARGETS[head], "not measured in this run", "-", "-", "-"] for head in TARGETS
            if not any(name.partition("/")[0] == head for name in runs)]


class Elsewhere:
    """Numbers of another command: when it ran, and whether with the program that is there now."""

    def __init__(self, build, name, program, command):
        path = build / "peers" / name
        self.command = command
        self.values = json.loads(path.read_text()) if path.exists() else None
        if self.values is not None:
            when = path.stat().st_mtime
            binary = build / "bin" / program
            self.stale = not binary.exists() or binary.stat().st_mtime > when
            self.when = datetime.fromtimestamp(when).strftime("%d %b %H:%M")

    def row(self, work, measured, must, aim, result):
        if self.values is None:
            return [work, f"not measured: {self.command}", must, aim, "-"]
        told = f"{measured}; {self.command}, {self.when}"
        if self.stale:
            return [work, f"{told}, BEFORE the last build: {result.split('  ')[0]}", must, aim, "-"]
        return [work, told, must, aim, result]


def against_blender(build):
    targets = {100_000: (15, 20), 1_000_000: (40, 60)}
    speed = Elsewhere(build, "speed.json", "limber_skin_time", PEERS)
    work = "skin + smooth normals against Blender, one thread"
    if speed.values is None:
        return [speed.row(f"{work}, {size}", "", f"{must}x", f"{aim}x", "-")
                for size, (must, aim) in targets.items()]
    rows = []
    for r in speed.values:
        if r["vertices"] not in targets:
            continue
        must, aim = targets[r["vertices"]]
        measured = (f"{r['limber_ms']:.2f} ms, Blender {r['blender_ms']:.1f} ms; points alone "
                    f"{r['blender_points_ms'] / r['limber_skin_ms']:.0f}x")
        result = (f"{r['ratio']:.1f}x  {verdict(r['ratio'], must, aim)}" if r["apart"] <= 2e-4
                  else "NO: not the same points")
        rows.append(speed.row(f"{work}, {r['vertices']} {r['method']}", measured, f"{must}x", f"{aim}x", result))
    return rows


def heat_against_blender(build):
    heat = Elsewhere(build, "heat.json", "limber_heat_time", PEERS)
    work, v = "heat bind 100k x 60 bones with visibility against Blender, one thread", heat.values
    if v is None:
        return heat.row(work, "", "8x", "20x", "-")
    result = f"{v['ratio']:.1f}x  {verdict(v['ratio'], 8, 20)}" if v["same"] else "NO: not the same weights"
    return heat.row(work, f"{v['limber_ms']:.0f} ms, Blender {v['blender_ms']:.0f} ms", "8x", "20x", result)


def opening(text):
    work, found = "open a 1M-vertex .glb, times Assimp", re.search(r"Assimp / Limber ([\d.]+)", text)
    if not found:
        return [work, "not measured in this run", "5x", "10x", "-"]
    times = [re.search(pattern + r"\s+([\d.]+) ms", text) for pattern in ("document ready", "without flags")]
    measured = ", Assimp ".join(f"{t[1]} ms" for t in times if t)
    return judged(work, measured, float(found[1]), 5, 10, "x")


def allocations(build):
    work, program = "heap allocations in core on the drag and dab path", build / "bin" / "test_allocations"
    if not program.exists():
        return [work, "test_allocations is not built", "0", "0", "-"]
    passed = subprocess.run([str(program)], capture_output=True, check=False).returncode == 0
    return [work, "counted by test_allocations, now", "0", "0", "0  yes, aim too" if passed else "some  NO"]


def window(build):
    seen = Elsewhere(build, "window.json", "limber", WINDOW)
    if seen.values and seen.values.get("vertices") != 1_000_000:
        seen.values = None  # of another mesh
    v = seen.values or {"idle_percent": 0, "rss_after_gib": 0, "own_drag_ms_per_move": 0, "own_paint_ms_per_move": 0}
    idle, memory = v["idle_percent"], v["rss_after_gib"]
    return [seen.row("idle window, 1M vertices, of a core", "10 s", "< 1 %", "< 0.3 %",
                     f"{idle:.2f} %  " + ("yes, aim too" if idle < 0.3 else "yes" if idle < 1 else "NO")),
            seen.row("memory of the window, 1M vertices", "after a drag and a stroke", "< 1.5 GiB", "-",
                     f"{memory:.2f} GiB  " + ("yes" if memory < 1.5 else "NO")),
            seen.row("processor time of the window without the rasteriser, 1M vertices",
                     f"a move of a drag {v['own_drag_ms_per_move']:g} ms, of a stroke {v['own_paint_ms_per_move']:g} ms",
                     "-", "-", "-")]


def show(rows):
    widths = [max(len(r[c]) for r in rows) for c in range(len(rows[0]))]
    for r in rows:
        print(" | ".join(cell.ljust(w) for cell, w in zip(r, widths)).rstrip())


def main():
    build, runs, text = Path(sys.argv[1]), benchmarks(sys.argv[2]), Path(sys.argv[3]).read_text()
    heads = list(TARGETS)
    show([["work", "measured", "must", "aim", "ratio, must holds"],
          *of_this_run(runs, heads[:BEFORE_DABS]), *against_blender(build), *of_this_run(runs, heads[BEFORE_DABS:]),
          *missing(runs), opening(text),
          heat_against_blender(build), allocations(build), *window(build)])
    print()
    oracles = [[name, said_by(run), f"{run[key]:.1f}x"] for name, run in runs.items() for key in ORACLE if key in run]
    show([["kernel", "measured", "times its naive oracle"], *oracles])
    print()
    orders = [[name, f"{run['ordered_ms']:.2f} ms, shuffled {run['shuffled_ms']:.2f} ms", f"{run['times_ordered']:.1f}x"]
              for name, run in runs.items() if "times_ordered" in run]
    show([["1M vertices and their triangles in an order by chance", "measured", "times the ordered"], *orders])


main()
