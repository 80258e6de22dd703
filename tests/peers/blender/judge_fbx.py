"""Compares one FBX file: what Blender makes of it and what `limber deform` writes, in metres with Y up."""
import numpy as np
from mathutils import kdtree

from blender_fbx import BlenderFbx
from fbx_bind import bind_matrices
from judge_gltf import REACH
from limber_program import Refused, diagonal
from poses import pose_matrix, random_pose

NEAR = 1e-4  # of the size: vertices nearer than this at bind may be the same control point


class FbxJudge:
    """Limber splits control points at seams and Blender does not, so vertices are matched by where they are at bind.

    Where several control points lie in one place, a vertex of Limber's belongs to the one that moves with it in all
    states; each control point that a face uses has to be found again.
    """

    def __init__(self, limber, file, seed):
        self.limber, self.file, self.seed = limber, file, seed
        self.info = limber.info(file)
        self.results, self.notes = {}, []
        self.states = []  # (column, Limber's positions, Blender's positions)

    def run(self):
        self.blender = BlenderFbx(self.file, clips=False)
        written = self.limber.deform(self.file)
        self.size = diagonal(written)
        self._add("file", written)
        self.blender.rest(True)
        self._add("bind", self.limber.posed(self.file, {}))
        bound = bind_matrices(self.file)
        self.binds = [bound.get(joint["name"]) for joint in self.info["joints"]]
        for number in (1, 2):
            pose = random_pose(self.seed, number, self.binds, REACH * self.size)
            self.blender.displace(self._displacements(pose))
            self._add(f"pose {number}", self.limber.posed(self.file, pose))
        self._clips()
        self._compare()

    def _add(self, column, written):
        ours = self.blender.positions()
        self.states.append((column, np.concatenate([p for _, p in written]), np.concatenate(list(ours.values()))))

    def _displacements(self, pose):
        """What a pose does to each joint, {name: world matrix}, from the binds that the file itself names."""
        moves = []
        for place, (joint, bind) in enumerate(zip(self.info["joints"], self.binds)):
            above = np.eye(4) if joint["parent"] < 0 else moves[joint["parent"]]
            moves.append(above @ bind @ pose_matrix(pose[place]) @ np.linalg.inv(bind) if place in pose else above)
        return {joint["name"]: move for joint, move in zip(self.info["joints"], moves)}

    def _clips(self):
        self.blender = BlenderFbx(self.file, clips=True)
        takes = self.blender.takes()
        found = [(clip, next((a for t, a in takes.items() if t == clip["name"] or t.startswith(clip["name"] + "|")),
                             None)) for clip in self.info["clips"]]
        found = [(clip, actions) for clip, actions in found if actions]
        for column, (clip, actions), part in ((c, f, p) for c, f, p in
                                              (("clip 1", found[:1], 1 / 3), ("clip 2", found[-1:], 2 / 3))
                                              for f in f):
            keys = max((sorted(k.co[0] for k in curve.keyframe_points) for _, a in actions for curve in a.fcurves),
                       key=len)
            first = min(a.frame_range[0] for _, a in actions)
            frame = keys[int(len(keys) * part)]
            self.blender.play(actions, frame)
            place = self.info["clips"].index(clip)
            seconds = self.blender.seconds(frame - first)  # Limber's clips begin at zero
            self._add(column, self.limber.at_time(self.file, place, seconds))

    def _compare(self):
        bind = next(s for s in self.states if s[0] == "bind")
        tree = kdtree.KDTree(len(bind[2]))
        for i, p in enumerate(bind[2]):
            tree.insert(p, i)
        tree.balance()
        partner = np.empty(len(bind[1]), int)
        for i, p in enumerate(bind[1]):
            near = [k for _, k, _ in tree.find_range(p, NEAR * self.size)] or [tree.find(p)[1]]
            partner[i] = near[0] if len(near) == 1 else min(
                near, key=lambda k: max(np.linalg.norm(a[i] - b[k]) for _, a, b in self.states))
        missing = set(self._used()) - set(partner.tolist())
        if missing:
            raise Refused(f"{len(missing)} control points are not in what Limber wrote")
        for column, written, ours in self.states:
            self.results[column] = float(np.linalg.norm(written - ours[partner], axis=1).max()) / self.size

    def _used(self):
        first = 0
        for obj in self.blender.meshes:
            yield from {first + v for p in obj.data.polygons for v in p.vertices}
            first += len(obj.data.vertices)
