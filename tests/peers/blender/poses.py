"""Poses set joint by joint, and the times at which clips are compared."""
import random
import zlib

import numpy as np

from gltf_scene import slerp, trs_matrix


def random_pose(seed_text, number, binds, reach):
    """{place in the list of joints: (translation, rotation, scale)}, the same for the same file and number.

    About a third of the joints turn by up to 60 degrees; in the second pose also one joint moves by up to `reach` (in
    the world; `binds` holds each joint's world matrix, or None for a joint to leave alone) and one grows.
    """
    rng = random.Random(zlib.crc32(f"{seed_text} {number}".encode()))
    posable = [j for j, bind in enumerate(binds) if bind is not None]
    pose = {}
    for j in rng.sample(posable, max(1, len(posable) // 3)):
        axis = np.array([rng.gauss(0, 1) for _ in range(3)])
        half = np.radians(rng.uniform(10, 60)) / 2
        rotation = np.append(axis / np.linalg.norm(axis) * np.sin(half), np.cos(half))
        pose[j] = [(0, 0, 0), tuple(rotation), (1, 1, 1)]
    if number == 2:
        moved, grown = rng.choice(list(pose)), rng.choice(list(pose))
        pose[moved][0] = tuple(rng.uniform(-reach, reach) / np.cbrt(abs(np.linalg.det(binds[moved][:3, :3])))
                               for _ in range(3))
        pose[grown][2] = (1.2, 1.2, 1.2)
    return {j: tuple(parts) for j, parts in pose.items()}


def pose_matrix(parts):
    return trs_matrix(*parts)


def clip_times(scene, clip):
    """(times at which Blender's interpolation and the specification's are one, a time between keys).

    Blender interpolates the components of quaternions and knows no tangents of CUBICSPLINE, so the two are one where
    every such sampler has a key or holds its value.
    """
    samplers = [(clip["samplers"][c["sampler"]], c["target"]["path"]) for c in clip["channels"]
                if "node" in c["target"]]
    keys = sorted({round(float(t), 9) for sampler, _ in samplers for t in scene.sampler_keys(sampler)})
    if not keys:
        return [], None
    stepped = any(s.get("interpolation") == "STEP" for s, _ in samplers)
    exact = [t for t in keys if all(_agrees(scene, s, path, t) for s, path in samplers)]
    inner = [t for t in exact if keys[0] < t < keys[-1]] or exact
    chosen = sorted({inner[len(inner) // 3], inner[2 * len(inner) // 3]}) if inner else [keys[0], keys[-1]]
    # Just behind a key, so that rounding cannot fall on the other side of a step.
    chosen = [t + 2e-5 for t in chosen] if stepped else chosen
    gap = max(range(len(keys) - 1), key=lambda k: keys[k + 1] - keys[k], default=None)
    between = None if gap is None else keys[gap] + 0.37 * (keys[gap + 1] - keys[gap])
    return chosen, between


def _agrees(scene, sampler, path, seconds):
    times = scene.sampler_keys(sampler)
    if seconds <= times[0] or seconds >= times[-1] or np.abs(times - seconds).min() < 1e-6:
        return True
    mode = sampler.get("interpolation", "LINEAR")
    if mode == "STEP" or (mode == "LINEAR" and path != "rotation"):
        return True
    if mode == "CUBICSPLINE":
        return False
    values = scene.accessor(sampler["output"])
    k = int(np.searchsorted(times, seconds)) - 1
    a, b = values[k], values[k + 1]
    u = (seconds - times[k]) / (times[k + 1] - times[k])
    straight = a + (b if np.dot(a, b) >= 0 else -b) * u - a * u
    return np.linalg.norm(straight / np.linalg.norm(straight) - slerp(a, b, u)) < 1e-6
