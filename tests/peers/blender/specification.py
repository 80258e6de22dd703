"""Vertices by the letter of glTF 2.0 (3.7.2.2 morph targets, 3.7.3.3 skins): the tie-breaker where programs differ."""
import numpy as np


def shown_positions(scene, local, weights):
    """[world positions] of every shown mesh, all vertices in the file's order; weights {node: list} as in a clip."""
    world = scene.worlds(local)
    return [_mesh_positions(scene, node, world, weights.get(node)) for node in scene.mesh_nodes()]


def _mesh_positions(scene, node, world, weights):
    owner, mesh = scene.nodes[node], scene.tree["meshes"][scene.nodes[node]["mesh"]]
    if weights is None:
        weights = owner.get("weights") or mesh.get("weights") or []
    parts = []
    for primitive in mesh["primitives"]:
        points = np.array(scene.accessor(primitive["attributes"]["POSITION"]), float)
        for weight, target in zip(weights, primitive.get("targets", [])):
            if "POSITION" in target:
                points += weight * scene.accessor(target["POSITION"])
        if "skin" in owner:
            matrices = _skin(scene, owner["skin"], primitive, world)
            parts.append(np.einsum("nij,nj->ni", matrices[:, :3, :3], points) + matrices[:, :3, 3])
        else:
            parts.append(points @ world[node][:3, :3].T + world[node][:3, 3])
    return np.concatenate(parts)


def _skin(scene, index, primitive, world):
    skin = scene.tree["skins"][index]
    joints = np.array([world[j] @ g for j, g in zip(skin["joints"], scene.inverse_binds(skin))])
    attributes, matrices, total, k = primitive["attributes"], 0, 0, 0
    while f"WEIGHTS_{k}" in attributes:
        rows = scene.accessor(attributes[f"WEIGHTS_{k}"])
        matrices = matrices + np.einsum("nk,nkij->nij", rows, joints[scene.accessor(attributes[f"JOINTS_{k}"])])
        total = total + rows.sum(axis=1)
        k += 1
    with np.errstate(invalid="ignore"):  # no number for vertices without weights
        return matrices / total[:, None, None]
