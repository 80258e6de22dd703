#!/usr/bin/env python3
"""One line for every row of the targets, from what was measured in this run.

    table.py BUILD_DIR BENCHMARK.json FILES.txt

Ratios above "must" hold. Rows of times have the allowed time over the measured one as their ratio. What was not
measured says how it is.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

LABELS = {
    "linearAgainstEigenLoop": "linear blend against the Eigen loop",
    "linearAgainstByteLimit": "linear blend, share of the limit of bytes alone",
    "dualQuaternionOfLinear": "dual quaternions against linear blend",
    "sphericalOfDualQuaternion": "spherical, centre per vertex, against dual quaternions",
    "sphericalPerSetOfDualQuaternion": "spherical, centre per joint set, against dual quaternions",
    "dabPaint": "dab of the weight brush, 14k of 1M (2 ms)",
    "dabSculpt": "dab of the sculpt brush, 14k of 1M (2 ms)",
    "jointDrag": "joint drag, 1M vertices, to posed normals (16 ms)",
    "correctiveExtraction": "corrective extraction, 1M vertices (20 ms)",
}
WAYS = {"speed": "run tests/run.sh --peers-speed", "window": "run tests/bench/window.py"}


def benchmarks(path):
    """{name without what Google Benchmark adds: its counters}."""
    found = {}
    for run in json.loads(Path(path).read_text())["benchmarks"]:
        name = re.sub(r"/(iterations|repeats|min_time|min_warmup_time|real_time|process_time|manual_time|threads).*", "",
                      run["name"])
        found[name] = run
    return found


def row(work, ratio, must, aim, remark=""):
    holds = "-" if ratio is None else "NO" if ratio < must else "aim" if ratio >= aim else "yes"
    shown = "-" if ratio is None else f"{ratio:.2f}"
    return [work, shown, f"{must:g}", f"{aim:g}", holds, remark]


def with_targets(runs):
    """A row for every benchmark that brings its own target."""
    rows = []
    for name, run in runs.items():
        if "ratio" in run:
            head, _, rest = name.partition("/")
            work = LABELS.get(head, head) + (f", {rest}" if rest else "")
            remark = f"{run['best_ms']:.2f} ms" if "best_ms" in run else run.get("label", "")
            rows.append(row(work, run["ratio"], run["must"], run["aim"], remark))
    return rows


def against_blender(build):
    must = {100_000: (15, 20), 1_000_000: (40, 60)}
    path = build / "peers" / "speed.json"
    if not path.exists():
        return [["skin + smooth normals against Blender", "-", "15 / 40", "20 / 60", "-", WAYS["speed"]]]
    return [row(f"skin + smooth normals against Blender, {r['vertices']} {r['method']}", r["ratio"],
                *must[r["vertices"]], f"{r['limber_ms']:.2f} ms, Blender {r['blender_ms']:.1f} ms; with the skin's own "
                f"normals {r['blender_ms'] / r['limber_skin_ms']:.1f}x"
                + (", not the same points" if r["apart"] > 2e-4 else ""))
            for r in json.loads(path.read_text()) if r["vertices"] in must]


def opening(text):
    found = re.search(r"Assimp / Limber ([\d.]+)", text)
    return row("open 1M .glb against Assimp", float(found[1]) if found else None, 5, 10)


def allocations(build):
    program = build / "bin" / "test_allocations"
    if not program.exists():
        return ["heap allocations on the drag and dab path", "-", "0", "0", "-", "test_allocations is not built"]
    passed = subprocess.run([str(program)], capture_output=True, check=False).returncode == 0
    return ["heap allocations on the drag and dab path", "0" if passed else "some", "0", "0",
            "aim" if passed else "NO", "counted by test_allocations"]


def window(build):
    path = build / "peers" / "window.json"
    if not path.exists():
        return [["idle window, % of a core", "-", "1", "0.3", "-", WAYS["window"]]]
    seen = json.loads(path.read_text())
    idle, memory = seen["idle_percent"], seen["rss_after_gib"]
    return [["idle window, % of a core", f"{idle:.2f}", "< 1", "< 0.3",
             "aim" if idle < 0.3 else "yes" if idle < 1 else "NO", ""],
            ["1M window's memory after a drag and a stroke, GiB", f"{memory:.2f}", "< 1.5", "-", "yes" if memory < 1.5 else "NO", ""],
            ["1M window, ours without the rasteriser, ms a move", f"{seen['own_drag_ms_per_move']:g} drag, "
             f"{seen['own_paint_ms_per_move']:g} paint", "-", "-", "-", "press and release included"]]


def main():
    build, runs, text = Path(sys.argv[1]), benchmarks(sys.argv[2]), Path(sys.argv[3]).read_text()
    rows = with_targets(runs)
    rows += against_blender(build)
    rows += [opening(text), ["heat bind against Blender", "-", "8", "20", "-", "Limber has no heat bind"],
             allocations(build), *window(build)]
    head = ["work", "ratio", "must", "aim", "holds", ""]
    widths = [max(len(r[c]) for r in [head, *rows]) for c in range(len(head))]
    for r in [head, *rows]:
        print(" | ".join(cell.ljust(w) for cell, w in zip(r, widths)).rstrip())


main()
