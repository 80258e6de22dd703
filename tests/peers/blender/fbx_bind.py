"""The bind matrices of an FBX file's joints, straight from its clusters, in metres with Y up."""
import numpy as np

from io_scene_fbx import parse_fbx


def child(element, name):
    return next((e for e in element.elems if e.id == name), None)


def setting(properties, name, default):
    found = next((e.props for e in properties.elems if e.props[0] == name), None)
    return default if found is None else found[4]


def to_metres_y_up(root):
    """The file's axes and unit to Limber's: 4x4."""
    properties = child(child(root, b"GlobalSettings"), b"Properties70")
    m = np.zeros((4, 4))
    for row, name, axis in ((0, b"CoordAxis", 0), (1, b"UpAxis", 1), (2, b"FrontAxis", 2)):
        m[row, setting(properties, name, axis)] = setting(properties, name + b"Sign", 1)
    m *= setting(properties, b"UnitScaleFactor", 1.0) / 100
    m[3, 3] = 1
    return m


def bind_matrices(path):
    """{joint's name: its world matrix at bind}; the joint's own frame keeps the file's numbers."""
    root, _ = parse_fbx.parse(str(path))
    names, links = {}, {}
    for element in child(root, b"Objects").elems:
        if element.id == b"Model":
            names[element.props[0]] = element.props[1].split(b"\x00\x01")[0].decode("utf-8", "replace")
        elif element.id == b"Deformer" and element.props[2] == b"Cluster":
            link = child(element, b"TransformLink")
            if link is not None:
                links[element.props[0]] = np.array(link.props[0], float).reshape(4, 4).T
    change = to_metres_y_up(root)
    binds = {}
    for connection in child(root, b"Connections").elems:
        _, below, above = connection.props[:3]
        if below in names and above in links:
            binds.setdefault(names[below], change @ links[above])
    return binds
