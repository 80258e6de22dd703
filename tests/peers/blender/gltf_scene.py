"""A small reader of glTF: nodes, skins, clips and their world matrices, in double precision.

It shares no code with Limber, so that the poses the judge sets in Blender do not come from the program it judges.
Matrices are 4x4, column vectors; quaternions are x, y, z, w; everything is in glTF's axes.
"""
import base64
import json
import struct
import urllib.parse
from pathlib import Path

import numpy as np

COMPONENTS = {5120: np.int8, 5121: np.uint8, 5122: np.int16, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
SAME_MATRIX = 1e-4  # relative; binds of one skin that differ less are one bind


def trs_matrix(translation=(0, 0, 0), rotation=(0, 0, 0, 1), scale=(1, 1, 1)):
    x, y, z, w = np.asarray(rotation, float) / np.linalg.norm(rotation)
    turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
    m = np.eye(4)
    m[:3, :3] = turn * np.asarray(scale, float)
    m[:3, 3] = translation
    return m


def slerp(a, b, u):
    """glTF 2.0, appendix C.4: the shorter way, at constant speed. Files hold rounded quaternions, hence the lengths."""
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    dot = float(np.dot(a, b))
    if dot < 0:
        b, dot = -b, -dot
    angle = np.arccos(min(dot, 1.0))
    if angle < 1e-9:
        return a + (b - a) * u
    return (np.sin((1 - u) * angle) * a + np.sin(u * angle) * b) / np.sin(angle)


def invertible(m):
    size = np.abs(m[:3, :3]).max()
    return size > 0 and abs(np.linalg.det(m[:3, :3] / size)) > 1e-9


def noted_matrix(owner, name):
    """A matrix that Limber noted in extras where the file does not tell it otherwise, or None."""
    extras = owner.get("extras")
    columns = extras.get("limber", {}).get(name) if isinstance(extras, dict) else None
    if columns is None:
        return None
    m = np.eye(4)
    m[:3] = np.array(columns, float).reshape(4, 3).T
    return m


def same_matrix(a, b):
    linear = np.abs(a[:3, :3]).max()
    shift = max(np.abs(a[:3, 3]).max(), linear)
    return (np.abs(a - b)[:3, :3].max() <= SAME_MATRIX * linear and
            np.abs(a - b)[:3, 3].max() <= SAME_MATRIX * shift)


class GltfScene:
    def __init__(self, path):
        self.path = Path(path)
        self.tree, self.glb_chunk = self._read()
        self.buffers = {}
        self.nodes = self.tree.get("nodes", [])
        self.parents = [None] * len(self.nodes)
        for i, node in enumerate(self.nodes):
            for child in node.get("children", []):
                self.parents[child] = i
        self.order = self._parents_first()
        skins = self.tree.get("skins", [])
        self.joints = sorted({j for skin in skins for j in skin["joints"]})

    def _read(self):
        raw = self.path.read_bytes()
        if raw[:4] != b"glTF":
            return json.loads(raw.decode("utf-8-sig")), None
        length = struct.unpack_from("<I", raw, 12)[0]
        rest = 20 + length
        return json.loads(raw[20:rest]), raw[rest + 8:] if rest + 8 <= len(raw) else None

    def _parents_first(self):
        order, open_nodes = [], [i for i, p in enumerate(self.parents) if p is None]
        while open_nodes:
            i = open_nodes.pop()
            order.append(i)
            open_nodes += self.nodes[i].get("children", [])
        return order

    def _buffer(self, index):
        if index not in self.buffers:
            uri = self.tree["buffers"][index].get("uri")
            if uri is None:
                self.buffers[index] = self.glb_chunk
            elif uri.startswith("data:"):
                self.buffers[index] = base64.b64decode(uri.split(",", 1)[1])
            else:
                self.buffers[index] = (self.path.parent / urllib.parse.unquote(uri)).read_bytes()
        return self.buffers[index]

    def _view(self, view_index, offset, kind, width, count):
        view = self.tree["bufferViews"][view_index]
        size = np.dtype(kind).itemsize * width
        return np.ndarray((count, width), kind, self._buffer(view["buffer"]),
                          view.get("byteOffset", 0) + offset,
                          (view.get("byteStride", size), np.dtype(kind).itemsize)).copy()

    def accessor(self, index):
        """Rows of numbers; normalized integers as the floats they stand for."""
        a = self.tree["accessors"][index]
        kind, width, count = COMPONENTS[a["componentType"]], WIDTHS[a["type"]], a["count"]
        rows = (self._view(a["bufferView"], a.get("byteOffset", 0), kind, width, count) if "bufferView" in a
                else np.zeros((count, width), kind))
        if "sparse" in a:
            where, what = a["sparse"]["indices"], a["sparse"]["values"]
            at = self._view(where["bufferView"], where.get("byteOffset", 0), COMPONENTS[where["componentType"]], 1,
                            a["sparse"]["count"])
            rows[at[:, 0]] = self._view(what["bufferView"], what.get("byteOffset", 0), kind, width,
                                        a["sparse"]["count"])
        if a.get("normalized"):
            return np.maximum(rows.astype(float) / np.iinfo(kind).max, -1)
        return rows.astype(float) if kind is np.float32 else rows

    def mesh_nodes(self):
        """The nodes whose meshes are shown: those of the default scene, or of all roots, by index."""
        scenes = self.tree.get("scenes", [])
        if "scene" in self.tree or scenes:
            shown = list(scenes[self.tree.get("scene", 0)].get("nodes", []))
        else:
            shown = [i for i, p in enumerate(self.parents) if p is None]
        seen = set()
        while shown:
            i = shown.pop()
            seen.add(i)
            shown += self.nodes[i].get("children", [])
        return sorted(i for i in seen if "mesh" in self.nodes[i])

    def weight_sums(self, mesh):
        """Of each vertex of the mesh, its primitives one after the other."""
        sums = []
        for primitive in self.tree["meshes"][mesh]["primitives"]:
            attributes = primitive["attributes"]
            total = np.zeros(self.tree["accessors"][attributes["POSITION"]]["count"])
            for name in attributes:
                if name.startswith("WEIGHTS_"):
                    total += self.accessor(attributes[name]).sum(axis=1)
            sums.append(total)
        return np.concatenate(sums)

    def file_locals(self):
        return [np.array(n["matrix"], float).reshape(4, 4).T if "matrix" in n else
                trs_matrix(n.get("translation", (0, 0, 0)), n.get("rotation", (0, 0, 0, 1)), n.get("scale", (1, 1, 1)))
                for n in self.nodes]

    def worlds(self, local):
        out = [None] * len(self.nodes)
        for i in self.order:
            out[i] = local[i] if self.parents[i] is None else out[self.parents[i]] @ local[i]
        return out

    def inverse_binds(self, skin):
        if "inverseBindMatrices" not in skin:
            return [np.eye(4)] * len(skin["joints"])
        matrices = [m.reshape(4, 4).T for m in self.accessor(skin["inverseBindMatrices"])]
        for m in matrices:
            m[3] = 0, 0, 0, 1  # as 3.7.3.1 wants it
        return matrices

    def _depth(self, i):
        depth = 0
        while self.parents[i] is not None:
            i, depth = self.parents[i], depth + 1
        return depth

    def _bind_shape(self, index, skin, inverse, world):
        """The matrix that takes the skin's mesh into the world at bind.

        The file does not say it. It is where the file's pose puts the mesh if that is rigid; otherwise the choice of
        mesh node, skeleton's parent and identity that needs the least turning and scaling of the topmost joint.
        """
        noted = noted_matrix(skin, "bindShape")
        if noted is not None:
            return noted
        placed = [world[j] @ g for j, g in zip(skin["joints"], inverse)]
        if invertible(placed[0]) and all(same_matrix(placed[0], m) for m in placed):
            return placed[0]
        top = min(range(len(skin["joints"])), key=lambda k: self._depth(skin["joints"][k]))
        joint = skin["joints"][top]
        carrier = next((i for i, n in enumerate(self.nodes) if n.get("skin") == index), None)
        above = self.parents[joint]
        choices = [np.eye(4) if i is None else world[i] for i in (carrier, above)] + [np.eye(4)]
        if not invertible(inverse[top]):
            return choices[0]

        def effort(choice):
            left, stretch, right = np.linalg.svd((inverse[top] @ np.linalg.inv(choice) @ world[joint])[:3, :3])
            cosine = (np.trace(left @ right) - 1) / 2
            # Coarse enough that candidates which differ by rounding only count as equal: the first one is meant.
            return round(float(np.arccos(np.clip(cosine, -1, 1)) + np.abs(np.log(stretch)).sum()), 5)
        return min(choices, key=effort)

    def bind_locals(self):
        """Each node's matrix below its parent with every joint at bind."""
        local = [own if (noted := noted_matrix(node, "bind")) is None else noted
                 for node, own in zip(self.nodes, self.file_locals())]
        world = self.worlds(local)
        bind = {}
        for index, skin in enumerate(self.tree.get("skins", [])):
            inverse = self.inverse_binds(skin)
            shape = self._bind_shape(index, skin, inverse, world)
            for joint, g in zip(skin["joints"], inverse):
                if invertible(g):
                    bind.setdefault(joint, shape @ np.linalg.inv(g))
        at_bind = [None] * len(self.nodes)
        for i in self.order:
            above = np.eye(4) if self.parents[i] is None else at_bind[self.parents[i]]
            at_bind[i] = bind.get(i, above @ local[i])
            local[i] = np.linalg.inv(above) @ at_bind[i]
        return local

    def sample(self, clip, seconds):
        """Node matrices and morph weights at a time, by the specification's own interpolation (appendix C)."""
        parts = {}
        weights = {}
        for channel in clip["channels"]:
            target = channel["target"]
            if "node" not in target:
                continue
            sampler = clip["samplers"][channel["sampler"]]
            value = self._sampler_value(sampler, target["path"], seconds)
            if target["path"] == "weights":
                weights[target["node"]] = value
            else:
                parts.setdefault(target["node"], {})[target["path"]] = value
        local = self.file_locals()
        for i, moved in parts.items():
            node = self.nodes[i]
            local[i] = trs_matrix(*(moved.get(k, node.get(k, d)) for k, d in
                                    (("translation", (0, 0, 0)), ("rotation", (0, 0, 0, 1)), ("scale", (1, 1, 1)))))
        return local, weights

    def sampler_keys(self, sampler):
        return self.accessor(sampler["input"])[:, 0]

    def _sampler_value(self, sampler, path, seconds):
        times = self.sampler_keys(sampler)
        values = self.accessor(sampler["output"])
        mode = sampler.get("interpolation", "LINEAR")
        values = values.reshape(len(times), 3 if mode == "CUBICSPLINE" else 1, -1)
        k = int(np.clip(np.searchsorted(times, seconds, "right") - 1, 0, len(times) - 1))
        here = values[k][1 if mode == "CUBICSPLINE" else 0]
        if seconds <= times[0] or k == len(times) - 1 or mode == "STEP":
            return here
        span = times[k + 1] - times[k]
        u = (seconds - times[k]) / span
        if mode == "CUBICSPLINE":
            leave, arrive, there = values[k][2] * span, values[k + 1][0] * span, values[k + 1][1]
            return ((2 * u**3 - 3 * u**2 + 1) * here + (u**3 - 2 * u**2 + u) * leave
                    + (3 * u**2 - 2 * u**3) * there + (u**3 - u**2) * arrive)
        there = values[k + 1][0]
        return slerp(here, there, u) if path == "rotation" else here + (there - here) * u
