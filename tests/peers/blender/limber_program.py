"""Limber as the judge calls it: its command line, and the OBJ it writes."""
import json
import subprocess

import numpy as np


class Refused(Exception):
    """Limber did not do what it was asked for; the text says why."""


class Limber:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *arguments):
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, check=False)
        if done.returncode not in (0, 4):  # 4: done, with repairs
            raise Refused(f"limber {arguments[0]}: {done.stderr.strip() or done.returncode}")
        return done.stdout

    def info(self, file):
        return json.loads(self.run("info", "--json", file))

    def deform(self, file, *options):
        """[(name, positions)], world space."""
        out = self.folder / "deform.obj"
        self.run("deform", file, *options, "-o", out)
        return read_obj(out)

    def posed(self, file, pose, *options):
        return self.deform(file, "--pose", self.pose_file(pose), *options)

    def at_time(self, file, place, seconds, *options):
        return self.deform(file, "--clip", f"#{place}", "--time", repr(seconds), *options)

    def pose_file(self, pose):
        path = self.folder / "pose.json"
        path.write_text(json.dumps({"limber": "pose", "version": 1, "joints": {
            f"#{j}": {"translation": list(t), "rotation": list(r), "scale": list(s)}
            for j, (t, r, s) in pose.items()}}))
        return path


def read_obj(path):
    objects = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("o "):
                objects.append((line[2:].rstrip("\n"), []))
            elif line.startswith("v "):
                objects[-1][1].append(line.split()[1:])
    return [(name, np.array(rows, float).reshape(-1, 3)) for name, rows in objects]


def write_obj(path, objects):
    with open(path, "w", encoding="utf-8") as out:
        for name, positions in objects:
            out.write(f"o {name}\n")
            out.writelines("v %.9g %.9g %.9g\n" % tuple(p) for p in positions)


def diagonal(objects):
    points = np.concatenate([p for _, p in objects])
    return float(np.linalg.norm(points.max(axis=0) - points.min(axis=0)))
