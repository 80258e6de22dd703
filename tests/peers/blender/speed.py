#!/usr/bin/env python3
"""Skinning with smooth normals, and binding by heat: Blender beside Limber on the same files, the same core, one
thread each, taking turns.

    speed.py BUILD_DIR [VERTICES ...]     10000 100000 1000000 without; heat is bound for 100000

The tables go to BUILD_DIR/peers/speed.json and heat.json, where tests/bench/table.py finds them. Exit code 1 where the
two do not give the same points or weights.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
JOINTS, ROUNDS = 64, 2
ENVIRONMENT = {**{k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}, "PATH": "/usr/bin:/bin"}
SAME = 2e-4  # of the tube's length
HEAT_VERTICES, HEAT_JOINTS = 100_000, 60
# Blender's matrix has cotangents that are not halved and areas that are doubled.
BLENDER_STRENGTH = 3
# Blender lets weights below 0.05 fade out, and shares them among nobody.
SAME_WEIGHTS = 0.12


def run(command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, env=ENVIRONMENT)
    if done.returncode:
        sys.exit(f"speed.py: {command[0]}: {(done.stderr or done.stdout)[-800:]}")
    return done.stdout


def ours(build, glb, method):
    return json.loads(run([build / "bin/limber_skin_time", glb, 1, method, 20]))


def blender(script, folder, *words):
    out = folder / "blender.json"
    out.unlink(missing_ok=True)
    run([shutil.which("blender"), "-b", "-t", 1, "--factory-startup", "--python-exit-code", 1,
         "--python", HERE / script, "--", *words, out])
    return json.loads(out.read_text())


def best(rounds, key):
    return min(r[key] for r in rounds)


def compare(build, vertices, method, folder):
    glb = folder / f"{vertices}.glb"
    if not glb.exists():
        run([build / "bin/limber_make_big", vertices, JOINTS, glb])
    us, them = [], []
    for _ in range(ROUNDS):
        us.append(ours(build, glb, method))
        them.append(blender("speed_scene.py", folder, glb, method, 6))
    apart = max(abs(a - b) for p, q in zip(us[0]["points"], them[0]["points"]) for a, b in zip(p, q)) / JOINTS
    row = {"vertices": vertices, "method": method, "apart": apart, "limber_skin_ms": best(us, "skin_ms"),
           "limber_ms": best(us, "smooth_ms"), "blender_points_ms": best(them, "skin_ms"),
           "blender_ms": best(them, "smooth_ms")}
    row["ratio"] = row["blender_ms"] / row["limber_ms"]
    return row


def weights_apart(ours, theirs):
    ours, theirs = dict(map(tuple, ours)), dict(map(tuple, theirs))
    total = sum(theirs.values())
    return max(abs(ours.get(j, 0) - theirs.get(j, 0) / total) for j in {*ours, *theirs})


def compare_heat(build, folder):
    glb = folder / "heat.glb"
    run([build / "bin/limber_make_big", HEAT_VERTICES, HEAT_JOINTS, glb])
    us, them = [], []
    for _ in range(ROUNDS):
        us.append(json.loads(run([build / "bin/limber_heat_time", glb, 1, BLENDER_STRENGTH])))
        them.append(blender("speed_heat.py", folder, glb))
    row = {"vertices": HEAT_VERTICES, "joints": HEAT_JOINTS, "limber_ms": best(us, "heat_ms"),
           "blender_ms": best(them, "heat_ms"),
           "apart": max(weights_apart(p, q) for p, q in zip(us[0]["rows"], them[0]["rows"]))}
    row["ratio"] = row["blender_ms"] / row["limber_ms"]
    row["same"] = row["apart"] <= SAME_WEIGHTS
    return row


def main():
    build = Path(sys.argv[1]).resolve()
    sizes = [int(v) for v in sys.argv[2:]] or [10_000, 100_000, 1_000_000]
    if shutil.which("blender") is None:
        print("speed.py: blender is not installed; tests/run.sh --peers installs it", file=sys.stderr)
        return 1
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # and so all that is started from here
    with tempfile.TemporaryDirectory(prefix="limber_speed_") as folder:
        rows = [compare(build, v, m, Path(folder)) for v in sizes for m in ("linear", "dq")]
        heat = compare_heat(build, Path(folder))
    (build / "peers").mkdir(exist_ok=True)
    (build / "peers" / "speed.json").write_text(json.dumps(rows, indent=1))
    (build / "peers" / "heat.json").write_text(json.dumps(heat, indent=1))
    print("vertices | method | Blender points | + normals | Limber points | + smooth normals | ratio")
    for r in rows:
        print(f"{r['vertices']:8} | {r['method']:6} | {r['blender_points_ms']:11.2f} ms | {r['blender_ms']:6.2f} ms | "
              f"{r['limber_skin_ms']:10.2f} ms | {r['limber_ms']:13.2f} ms | {r['ratio']:.1f}x")
    different = [r for r in rows if r["apart"] > SAME]
    for r in different:
        print(f"{r['vertices']} {r['method']}: the points differ by {r['apart']:.2g} of the length: not the same work")
    print(f"bound by heat, {heat['vertices']} x {heat['joints']} | Blender {heat['blender_ms']:.0f} ms | "
          f"Limber {heat['limber_ms']:.0f} ms | {heat['ratio']:.1f}x")
    if not heat["same"]:
        print(f"the weights differ by {heat['apart']:.2g}: not the same work")
    return 1 if different or not heat["same"] else 0


sys.exit(main())
