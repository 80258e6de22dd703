"""Inside Blender: builds the mesh of a .glb of limber_make_big by array, and times its armature.

    blender -b -t THREADS --factory-startup --python speed_scene.py -- FILE.glb linear|dq REPEATS OUT.json
"""
import json
import math
import sys
import time
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tube_scene import Tube  # noqa: E402

path, method, repeats, out = sys.argv[sys.argv.index("--") + 1:]
repeats = int(repeats)
scene = Tube(path)
tube, rig = scene.object, scene.rig
joints, weights = scene.attributes["JOINTS_0"], scene.attributes["WEIGHTS_0"]

# The weights of a ring are the same: few calls.
for j in range(scene.joint_count):
    group = tube.vertex_groups.new(name=f"joint{j}")
    vertices, places = np.nonzero(joints == j)
    values = weights[vertices, places]
    order = np.argsort(values, kind="stable")
    vertices, values = vertices[order], values[order]
    for part in np.split(np.arange(len(values)), np.nonzero(np.diff(values))[0] + 1):
        if len(part):
            group.add(vertices[part].tolist(), float(values[part[0]]), "REPLACE")

modifier = tube.modifiers.new("Armature", "ARMATURE")
modifier.object = rig
modifier.use_deform_preserve_volume = method == "dq"
for bone in rig.pose.bones:
    bone.rotation_mode = "XYZ"
graph = bpy.context.evaluated_depsgraph_get()
best_points = best_all = math.inf
for k in range(1, repeats + 1):
    for bone in rig.pose.bones:
        bone.rotation_euler = (0.02 * k / repeats, 0, 0)
    start = time.perf_counter()
    graph.update()
    evaluated = tube.evaluated_get(graph).data
    middle = time.perf_counter()
    evaluated.vertex_normals[0].vector.copy()  # made all at once where the update did not make them
    end = time.perf_counter()
    if k > 1:  # the first makes the graph
        best_points, best_all = min(best_points, middle - start), min(best_all, end - start)
count = len(scene.attributes["POSITION"])
points = [list(evaluated.vertices[k * (count - 1) // 7].co) for k in range(8)]
with open(out, "w") as file:
    json.dump({"skin_ms": 1000 * best_points, "smooth_ms": 1000 * best_all, "points": points}, file)
