"""Compares what Limber saved after edits with what Blender reads of it."""
import random
import zlib

import numpy as np

from judge_gltf import REACH, GltfJudge
from limber_program import diagonal, write_obj
from poses import random_pose

SHAPE = "Judged corrective"
INFLUENCES = 2


def sculpted(objects, seed):
    """One object with a smooth bump on it: (its place, all objects)."""
    rng = random.Random(zlib.crc32(seed.encode()))
    size = diagonal(objects)
    place = max(range(len(objects)), key=lambda i: len(objects[i][1]))
    points = objects[place][1].copy()
    centre = points[rng.randrange(len(points))]
    along = np.array([rng.gauss(0, 1) for _ in range(3)])
    near = np.clip(1 - (np.linalg.norm(points - centre, axis=1) / (0.15 * size)) ** 2, 0, None) ** 2
    points += near[:, None] * along / np.linalg.norm(along) * 0.03 * size
    return place, [(name, points if i == place else p) for i, (name, p) in enumerate(objects)]


def judge_saved(limber, file, seed, results, by_specification):
    """Adds {column: difference}: a corrective, a pose, smoothed and cut weights, each saved by a run of its own."""
    folder = limber.folder
    joints = limber.info(file)["joints"]
    pose = random_pose(seed, 1, [np.eye(4)] * len(joints), 0) if joints else {}
    place, objects = sculpted(limber.posed(file, pose), seed)
    write_obj(folder / "sculpt.obj", objects)
    limber.run("corrective", "add", file, "--pose", limber.pose_file(pose), "--sculpt", folder / "sculpt.obj",
               "--name", SHAPE, "-o", folder / "corrected.glb")
    posed = folder / "corrected.glb"
    if joints:
        posed = folder / "posed.glb"
        limber.run("pose", folder / "corrected.glb", "--pose", limber.pose_file(pose), "-o", posed)
    painted = posed
    if any(mesh["maxInfluences"] > 0 for mesh in limber.info(posed)["meshes"]):
        painted = folder / "painted.glb"
        limber.run("weights", "smooth", posed, "--steps", 2, "-o", painted)
    limber.run("convert", painted, "--max-influences", INFLUENCES, folder / "saved.glb")

    judged = GltfJudge(limber, posed, seed)
    judged.in_file_pose()
    results.update({"sculpt": judged.difference(objects, place), "posed": judged.results["file"]})

    judged = GltfJudge(limber, folder / "saved.glb", seed)
    judged.in_file_pose()
    # Other programs keep the shape as it was saved, in other poses and in clips too, but for those that move weights.
    shape = f"{SHAPE}={shape_weight(judged.scene)!r}"
    judged.in_clips(lambda clip: () if moves_weights(clip) else ("--shape", shape))
    if joints:
        worlds = judged.scene.worlds(judged.scene.bind_locals())
        binds = [worlds[j] for j in judged.scene.joints]
        judged.in_pose("pose 2", random_pose(seed, 2, binds, REACH * judged.size), "--shape", shape)
    judged.results.pop("curves", None)  # told by the file itself
    for found, kept in ((judged.results, results), (judged.by_specification, by_specification)):
        kept.update({"weights changed" if column == "file" else column: v for column, v in found.items()})


def moves_weights(clip):
    return any(channel["target"]["path"] == "weights" for channel in clip["channels"])


def shape_weight(scene):
    for node in scene.mesh_nodes():
        mesh = scene.tree["meshes"][scene.nodes[node]["mesh"]]
        names = mesh.get("extras", {}).get("targetNames", [])
        if SHAPE in names:
            return float((scene.nodes[node].get("weights") or mesh["weights"])[names.index(SHAPE)])
    raise ValueError("the saved file does not hold the corrective")
