"""Compares one glTF file: what Blender makes of it and what `limber deform` writes."""
import numpy as np

from blender_gltf import BlenderGltf
from limber_program import Refused, diagonal
from poses import clip_times, pose_matrix, random_pose
from specification import shown_positions

REACH = 0.05  # how far poses move joints, of the size of the whole


class GltfJudge:
    def __init__(self, limber, file, seed):
        self.limber, self.file, self.seed = limber, file, seed
        self.blender = BlenderGltf(file)
        self.scene = self.blender.scene
        self.results, self.notes = {}, []
        self.by_specification = {}  # Limber's differences from the specification's own formula
        self.size = 0.0

    def record(self, column, written, local, weights):
        """Compares what Blender shows now; the matrices and weights say what it should show."""
        self.results[column] = self.difference(written)
        expected = shown_positions(self.scene, local, weights)
        self.by_specification[column] = max(
            float(np.nanmax(np.linalg.norm(p - e, axis=1))) for (_, p), e in zip(written, expected)) / self.size

    def difference(self, objects, only=None):
        """The largest distance between the two programs' vertices, relative to the size of the whole."""
        worst = 0.0
        ours = self.blender.positions()
        nodes = self.scene.mesh_nodes()
        if len(objects) != len(nodes):
            raise Refused(f"{len(objects)} objects written for {len(nodes)} nodes with meshes")
        for place, (node, (name, written)) in enumerate(zip(nodes, objects)):
            rows, count = self.blender.vertex_rows(node)
            if len(written) != count:
                raise Refused(f"object {name}: {len(written)} vertices written, the file has {count}")
            if only not in (None, place):
                continue
            rows, here = self._weighted(node, rows, ours[node])
            if len(rows):
                distance = np.linalg.norm(here - written[rows], axis=1)
                worst = max(worst, float(np.nan_to_num(distance, nan=np.inf).max()))
        return worst / self.size

    def _weighted(self, node, rows, positions):
        """Without the vertices of a skinned mesh that no joint moves: glTF leaves them undefined (3.7.3.3)."""
        if self.scene.nodes[node].get("skin") is None:
            return rows, positions
        kept = self.scene.weight_sums(self.scene.nodes[node]["mesh"])[rows] > 0
        if not kept.all():
            note = f"{int((~kept).sum())} vertices without weights left out (3.7.3.3)"
            if note not in self.notes:
                self.notes.append(note)
        return rows[kept], positions[kept]

    def run(self):
        if not self.scene.mesh_nodes():
            self.notes.append("no mesh, nothing to compare")
            return
        self.in_file_pose()
        self.in_clips()
        if self.scene.joints:
            worlds = self.scene.worlds(self.scene.bind_locals())
            binds = [worlds[j] for j in self.scene.joints]
            self.in_pose("bind", {})
            for number in (1, 2):
                self.in_pose(f"pose {number}", random_pose(self.seed, number, binds, REACH * self.size))

    def in_file_pose(self):
        written = self.limber.deform(self.file)
        self.size = diagonal(written)
        self.blender.set_pose(self.scene.file_locals(), {})
        self.record("file", written, self.scene.file_locals(), {})

    def in_pose(self, column, pose, *options):
        local = self.scene.bind_locals()
        for place, parts in pose.items():
            joint = self.scene.joints[place]
            local[joint] = local[joint] @ pose_matrix(parts)
        self.blender.set_pose(local, {})
        self.record(column, self.limber.posed(self.file, pose, *options), local, {})

    def in_clips(self, options=lambda clip: ()):
        """`options` gives what Limber is told besides the clip and the time."""
        clips = self.scene.tree.get("animations", [])
        exact = []
        for place in sorted({0, len(clips) - 1}) if clips else []:
            times, between = clip_times(self.scene, clips[place])
            exact += [(place, t) for t in times]
            if between is not None and "between" not in self.results:
                self._between(place, between, options(clips[place]))
        for column, (place, seconds) in zip(("clip 1", "clip 2"), [*exact[:1], *exact[1:][-1:]]):
            self.blender.play(place, seconds)
            self.record(column, self.limber.at_time(self.file, place, seconds, *options(clips[place])),
                        *self.scene.sample(clips[place], seconds))

    def _between(self, place, seconds, options):
        """Between keys the clip is sampled by the specification (appendix C), and each bone is set to that."""
        written = self.limber.at_time(self.file, place, seconds, *options)
        sampled = self.scene.sample(self.scene.tree["animations"][place], seconds)
        self.blender.set_pose(*sampled)
        self.record("between", written, *sampled)
        self.blender.play(place, seconds)
        self.record("curves", written, *sampled)
