"""Blender's side for a glTF file: its own importer, posed bone by bone, evaluated by its own depsgraph."""
import logging

import bpy
import numpy as np
from mathutils import Matrix, Vector

from io_scene_gltf2.blender.imp.gltf2_blender_animation import BlenderAnimation
from io_scene_gltf2.blender.imp.gltf2_blender_gltf import BlenderGlTF
from io_scene_gltf2.blender.imp.gltf2_blender_mesh import points_edges_tris
from io_scene_gltf2.blender.imp.gltf2_blender_vnode import VNode
from io_scene_gltf2.io.imp.gltf2_io_binary import BinaryData
from io_scene_gltf2.io.imp.gltf2_io_gltf import glTFImporter

from gltf_scene import GltfScene

TO_BLENDER = np.array([[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1.0]])  # Y up to Z up
SETTINGS = {"import_pack_images": False, "merge_vertices": False, "import_shading": "FLAT", "loglevel": logging.ERROR,
            "bone_heuristic": "TEMPERANCE", "guess_original_bind_pose": True, "disable_bone_shape": True,
            "import_user_extensions": []}


def evaluated_vertices(obj):
    """World positions in glTF's axes, as Blender's dependency graph evaluates them."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    flat = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.vertices.foreach_get("co", flat)
    evaluated.to_mesh_clear()
    world = TO_BLENDER.T @ np.array(evaluated.matrix_world, float)
    return flat.reshape(-1, 3).astype(float) @ world[:3, :3].T + world[:3, 3]


class BlenderGltf:
    def __init__(self, path):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.scene = GltfScene(path)
        self.gltf = glTFImporter(str(path), dict(SETTINGS))
        self.gltf.read()
        self.gltf.checks()
        BlenderGlTF.create(self.gltf)
        self.objects = {v.mesh_node_idx: v.blender_object for v in self.gltf.vnodes.values()
                        if v.mesh_node_idx is not None}
        self.rows = {}
        for key in bpy.data.shape_keys:
            for block in key.key_blocks:  # the importer's ranges would clamp weights that the file holds
                block.slider_min, block.slider_max = -10, 10

    def vertex_rows(self, node):
        """The rows of the file's vertices that Blender keeps (those that a face, edge or point names), in its order."""
        mesh = self.scene.nodes[node]["mesh"]
        if mesh not in self.rows:
            rows, first = [], 0
            for primitive in self.gltf.data.meshes[mesh].primitives:
                count = self.gltf.data.accessors[primitive.attributes["POSITION"]].count
                indices = (np.arange(count) if primitive.indices is None else
                           BinaryData.decode_accessor(self.gltf, primitive.indices)[:, 0])
                used = next(x for x in points_edges_tris(4 if primitive.mode is None else primitive.mode, indices)
                            if x is not None)
                rows.append(first + np.unique(used))
                first += count
            self.rows[mesh] = (np.concatenate(rows), first)
        return self.rows[mesh]

    def positions(self):
        """{node: positions} of every shown mesh, in the order of vertex_rows."""
        bpy.context.view_layer.update()
        return {n: evaluated_vertices(self.objects[n]) for n in self.scene.mesh_nodes() if n in self.objects}

    def play(self, clip_index, seconds):
        """A clip at a time, by the actions that the importer made."""
        self._rest()
        BlenderAnimation.restore_animation(self.gltf, self.gltf.data.animations[clip_index].track_name)
        frame = seconds * bpy.context.scene.render.fps
        bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))

    def _rest(self):
        """The file's own pose, in the very numbers that the importer sets: its clips move some of them only."""
        self.set_pose(self.scene.file_locals(), {})
        for vnode in self.gltf.vnodes.values():
            if vnode.type == VNode.Bone:
                translation, rotation, vnode.pose_bone.scale = vnode.trs()
                back = vnode.editbone_rot.conjugated()
                vnode.pose_bone.location = back @ (translation - vnode.editbone_trans)
                vnode.pose_bone.rotation_quaternion = back @ rotation
            elif vnode.type == VNode.Object and vnode.blender_object is not None:
                self._set_object(vnode, *vnode.trs())

    def set_pose(self, local, weights):
        """Every node at its matrix below its parent; weights {node: list} where they differ from the file's."""
        self._stop_clips()
        for i, vnode in self.gltf.vnodes.items():
            if not isinstance(i, int):
                continue
            matrix = Matrix((TO_BLENDER @ local[i] @ TO_BLENDER.T).tolist())
            before, after = vnode.rotation_before.to_matrix().to_4x4(), vnode.rotation_after.to_matrix().to_4x4()
            if vnode.type == VNode.Bone:
                self._set_bone(vnode, after @ matrix @ before)
            elif self._carries_own_transform(i, vnode):
                self._set_object(vnode, *(after @ matrix @ before).decompose())
        for node, obj in self.objects.items():
            self._set_weights(node, obj, weights.get(node))

    def _carries_own_transform(self, i, vnode):
        """Skinned meshes were moved below their armature: their own transforms do not count (3.7.3.3)."""
        return vnode.blender_object is not None and not (
            vnode.mesh_node_idx == i and self.scene.nodes[i].get("skin") is not None)

    @staticmethod
    def _set_bone(vnode, below_parent):
        # Bone = edit bone * pose bone; the basis is what is left below the edit bone.
        edit = Matrix.Translation(vnode.editbone_trans) @ vnode.editbone_rot.to_matrix().to_4x4()
        vnode.pose_bone.matrix_basis = edit.inverted() @ below_parent

    def _set_object(self, vnode, location, rotation, scale):
        obj, parent = vnode.blender_object, self.gltf.vnodes.get(vnode.parent)
        if parent is not None and parent.type == VNode.Bone:
            location = location + Vector((0, -parent.bone_length, 0))  # objects hang on the tips of bones
        obj.rotation_mode = "QUATERNION"
        obj.location, obj.rotation_quaternion, obj.scale = location, rotation, scale

    def _set_weights(self, node, obj, weights):
        keys = getattr(obj.data, "shape_keys", None)
        if keys is None:
            return
        mesh = self.gltf.data.meshes[self.scene.nodes[node]["mesh"]]
        if weights is None:
            weights = self.scene.nodes[node].get("weights") or mesh.weights or [0] * len(mesh.shapekey_names)
        for name, weight in zip(mesh.shapekey_names, weights):
            if name is not None:
                keys.key_blocks[name].value = weight

    def _stop_clips(self):
        for owner in list(bpy.data.objects) + list(bpy.data.shape_keys):
            if owner.animation_data:
                owner.animation_data.action = None
        for vnode in self.gltf.vnodes.values():
            if vnode.type == VNode.Bone:
                vnode.pose_bone = self.gltf.vnodes[vnode.bone_arma].blender_object.pose.bones[vnode.blender_bone_name]
