"""Inside Blender: times automatic weights for the mesh of a .glb of limber_make_big.

    blender -b -t THREADS --factory-startup --python speed_heat.py -- FILE.glb OUT.json
"""
import json
import sys
import time
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tube_scene import Tube  # noqa: E402

path, out = sys.argv[sys.argv.index("--") + 1:]
tube = Tube(path)
tube.object.select_set(True)
tube.rig.select_set(True)
bpy.context.view_layer.objects.active = tube.rig
start = time.perf_counter()
bpy.ops.object.parent_set(type="ARMATURE_AUTO")
end = time.perf_counter()
vertices, groups = tube.object.data.vertices, tube.object.vertex_groups
rows = [[[int(groups[g.group].name[len("joint"):]), g.weight] for g in vertices[k * (len(vertices) - 1) // 7].groups]
        for k in range(8)]
with open(out, "w") as file:
    json.dump({"heat_ms": 1000 * (end - start), "rows": rows}, file)
