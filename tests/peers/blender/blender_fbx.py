"""Blender's side for an FBX file: its own importer, posed by displacements of the bones."""
import bpy
import numpy as np
from mathutils import Matrix

from blender_gltf import TO_BLENDER, evaluated_vertices


class BlenderFbx:
    def __init__(self, path, clips):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.ops.import_scene.fbx(filepath=str(path), use_anim=clips, anim_offset=0, use_custom_normals=False,
                                 use_image_search=False)
        self.armatures = [o for o in bpy.data.objects if o.type == "ARMATURE"]
        bpy.context.view_layer.update()
        self.at_rest = {a.name: np.array(a.matrix_world, float) for a in self.armatures}
        for armature in self.armatures:
            self._disconnect(armature)
        self.meshes = [o for o in bpy.data.objects if o.type == "MESH"]
        for key in bpy.data.shape_keys:
            for block in key.key_blocks:
                block.slider_min, block.slider_max = -10, 10

    @staticmethod
    def _disconnect(armature):
        """The importer connects bones that touch, and Blender does not let connected bones move."""
        bpy.context.view_layer.objects.active = armature
        bpy.ops.object.mode_set(mode="EDIT")
        for bone in armature.data.edit_bones:
            bone.use_connect = False
        bpy.ops.object.mode_set(mode="OBJECT")

    def positions(self):
        """{name: positions} of every mesh object, in the order of the control points."""
        bpy.context.view_layer.update()
        return {o.name: evaluated_vertices(o) for o in self.meshes}

    def rest(self, resting):
        for armature in self.armatures:
            armature.data.pose_position = "REST" if resting else "POSE"

    def displace(self, displacement):
        """Each named bone moved by a world matrix (Y up) from rest; others follow the bone above them."""
        self.rest(False)
        for armature in self.armatures:
            rest_world = self.at_rest[armature.name]
            moved = self._moved(displacement.get(armature.name, np.eye(4))) @ rest_world
            armature.matrix_world = Matrix(moved.tolist())
            moves, posed = {None: np.eye(4)}, {}
            for bone in armature.data.bones:  # parents come first
                above = bone.parent.name if bone.parent else None
                moves[bone.name] = moves[above]
                if bone.name in displacement:
                    moves[bone.name] = np.linalg.inv(moved) @ self._moved(displacement[bone.name]) @ rest_world
                rest = np.array(bone.matrix_local, float)
                posed[bone.name] = moves[bone.name] @ rest
                start = rest if above is None else (
                    posed[above] @ np.linalg.inv(np.array(bone.parent.matrix_local, float)) @ rest)
                basis = np.linalg.inv(start) @ posed[bone.name]
                armature.pose.bones[bone.name].matrix_basis = Matrix(basis.tolist())

    @staticmethod
    def _moved(displacement):
        return TO_BLENDER @ displacement @ TO_BLENDER.T

    def takes(self):
        """{take: [(owner, action)]}: the importer makes an action of each object and take."""
        takes = {}
        owners = {o.name: o for o in bpy.data.objects}
        owners.update({k.name: k for k in bpy.data.shape_keys})
        for action in bpy.data.actions:
            name, _, take = action.name.partition("|")
            if name in owners:
                takes.setdefault(take, []).append((owners[name], action))
        return takes

    @staticmethod
    def seconds(frame):
        render = bpy.context.scene.render
        return frame * render.fps_base / render.fps

    def play(self, actions, frame):
        self.rest(False)
        for owner in list(bpy.data.objects) + list(bpy.data.shape_keys):
            if owner.animation_data:
                owner.animation_data.action = None
        for owner, action in actions:
            owner.animation_data.action = action
        bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
