"""Inside Blender: the mesh and the armature of a .glb of limber_make_big, by array.

Blender's own importer would take minutes for a million vertices.
"""
import json
import struct

import bpy
import numpy as np

TYPES = {5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Tube:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.raw = file.read()
        length, = struct.unpack_from("<I", self.raw, 12)
        self.tree = json.loads(self.raw[20:20 + length])
        self.binary = 20 + length + 8
        primitive = self.tree["meshes"][0]["primitives"][0]
        self.attributes = {name: self.array(index) for name, index in primitive["attributes"].items()}
        self.corners = self.array(primitive["indices"]).ravel()
        self.joint_count = len(self.tree["skins"][0]["joints"])
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.object = self.make_mesh()
        self.rig = self.make_rig()

    def array(self, index):
        accessor = self.tree["accessors"][index]
        view = self.tree["bufferViews"][accessor["bufferView"]]
        width = WIDTHS[accessor["type"]]
        values = np.frombuffer(self.raw, TYPES[accessor["componentType"]], accessor["count"] * width,
                               self.binary + view["byteOffset"])
        return values.reshape(-1, width)

    def make_mesh(self):
        positions, corners = self.attributes["POSITION"], self.corners
        mesh = bpy.data.meshes.new("tube")
        mesh.vertices.add(len(positions))
        mesh.vertices.foreach_set("co", positions.ravel())
        mesh.loops.add(len(corners))
        mesh.loops.foreach_set("vertex_index", corners.astype(np.int32))
        mesh.polygons.add(len(corners) // 3)
        mesh.polygons.foreach_set("loop_start", np.arange(0, len(corners), 3, dtype=np.int32))
        mesh.polygons.foreach_set("loop_total", np.full(len(corners) // 3, 3, dtype=np.int32))
        mesh.polygons.foreach_set("use_smooth", np.ones(len(corners) // 3, dtype=bool))
        mesh.update(calc_edges=True)
        tube = bpy.data.objects.new("tube", mesh)
        bpy.context.collection.objects.link(tube)
        return tube

    def make_rig(self):
        armature = bpy.data.armatures.new("rig")
        rig = bpy.data.objects.new("rig", armature)
        bpy.context.collection.objects.link(rig)
        bpy.context.view_layer.objects.active = rig
        bpy.ops.object.mode_set(mode="EDIT")
        parent = None
        for j in range(self.joint_count):
            bone = armature.edit_bones.new(f"joint{j}")
            bone.head, bone.tail, bone.roll = (0, j, 0), (0, j + 1, 0), 0
            bone.parent, parent = parent, bone
        bpy.ops.object.mode_set(mode="OBJECT")
        return rig
