#!/usr/bin/env python3
"""The real window with a large mesh: memory, idle processor time, and what a drag and a stroke cost.

    window.py BUILD_DIR [VERTICES JOINTS [FOLDER]]     1000000 and 200 without; pictures go to FOLDER

Starts a virtual display of its own (Xvfb, xdotool and ImageMagick's import have to be here). The numbers go to
BUILD_DIR/peers/window.json, where table.py finds them. Processor time is told by thread. The software rasteriser shades
vertices in the main thread, so a second window, whose driver draws nothing (Mesa's GALLIUM_NOOP), tells what is ours.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
CENTRE = (760, 520)
MOVES = 20


class Window:
    def __init__(self, build, glb, display, folder, draws=True):
        self.folder = folder
        self.environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "LIBGL_ALWAYS_SOFTWARE": "1",
                            "XDG_STATE_HOME": str(folder / "state"), "XDG_CONFIG_HOME": str(folder / "config")}
        self.environment.pop("WAYLAND_DISPLAY", None)
        if not draws:
            self.environment["GALLIUM_NOOP"] = "1"
        self.process = subprocess.Popen([str(build / "bin" / "limber"), str(glb)], env=self.environment,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def seconds(self):
        """Processor seconds so far, by thread name."""
        times = {}
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            try:
                fields = (task / "stat").read_text().rsplit(")", 1)
            except FileNotFoundError:
                continue
            name = fields[0].split("(", 1)[1].split("-")[0]
            if task.name == str(self.process.pid):
                name = "main thread"
            user, system = fields[1].split()[11:13]
            times[name] = times.get(name, 0) + (int(user) + int(system)) / TICKS
        return times

    def spent(self, before):
        now = self.seconds()
        return {k: round(v - before.get(k, 0), 3) for k, v in now.items() if v - before.get(k, 0) > 0}

    def memory(self, key):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) / 2**20 for line in status.splitlines() if line.startswith(key))

    def settle(self, quiet=1.0, limit=60):
        """Until nothing has been worked on for a while."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            before = self.seconds()
            time.sleep(quiet)
            if sum(self.spent(before).values()) < 0.02:
                return
        sys.exit("window.py: the window does not come to rest")

    def do(self, *words):
        subprocess.run(["xdotool", *[str(w) for w in words]], env=self.environment, check=True)

    def picture(self, name):
        subprocess.run(["import", "-window", "root", str(self.folder / f"{name}.png")], env=self.environment,
                       check=True)

    def drag(self, start, step, moves, pause):
        """Returns processor seconds by thread for a press, `moves` moves and a release; a picture before the release."""
        self.do("mousemove", *start)
        time.sleep(0.5)
        before = self.seconds()
        self.do("mousedown", 1)
        for k in range(1, moves + 1):
            self.do("mousemove", start[0] + k * step[0], start[1] + k * step[1])
            time.sleep(pause)
        spent = self.spent(before)
        self.picture(f"drag_{step[0]}_{step[1]}_{start[0]}")
        self.do("mouseup", 1)
        self.settle()
        return spent


def measure(window):
    window.settle(2.0)
    result = {"rss_gib": window.memory("VmRSS"), "peak_gib": window.memory("VmHWM")}
    before = window.seconds()
    time.sleep(10)
    result["idle_percent"] = 10 * sum(window.spent(before).values())
    window.picture("open")
    window.do("mousemove", *CENTRE, "keydown", "ctrl", "click", 1, "keyup", "ctrl")
    window.settle()
    window.do("key", "e")
    window.settle()
    window.picture("rotate")
    result["drag_seconds"] = window.drag(CENTRE, (4, 3), MOVES, 0.2)
    window.do("key", "b")
    window.settle()
    result["paint_seconds"] = window.drag(CENTRE, (2, 6), MOVES, 0.2)
    window.picture("painted")
    result["rss_after_gib"] = window.memory("VmRSS")
    return result


def look(build, glb, folder, draws):
    """What measure() tells of a window on a display of its own."""
    reading, writing = os.pipe()
    screen = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-noreset"],
                              pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    window = None
    try:
        window = Window(build, glb, ":" + os.read(reading, 16).decode().strip(), folder, draws)
        return measure(window)
    finally:
        os.close(reading)
        if window:
            window.process.kill()
            window.process.wait()
        screen.terminate()
        screen.wait()


def main():
    build = Path(sys.argv[1]).resolve()
    vertices, joints = sys.argv[2:4] if len(sys.argv) > 3 else ("1000000", "200")
    for tool in ("Xvfb", "xdotool", "import"):
        if shutil.which(tool) is None:
            sys.exit(f"window.py: {tool} is not here")
    with tempfile.TemporaryDirectory(prefix="limber_window_") as scratch:
        folder = Path(sys.argv[4] if len(sys.argv) > 4 else scratch)
        (folder / "not_drawn").mkdir(parents=True, exist_ok=True)
        glb = folder / "big.glb"
        subprocess.run([build / "bin" / "limber_make_big", vertices, joints, glb], check=True)
        result = look(build, glb, folder, True)
        own = look(build, glb, folder / "not_drawn", False)
    result["vertices"] = int(vertices)
    for what in ("drag", "paint"):
        result[f"own_{what}_ms_per_move"] = round(1000 * sum(own[f"{what}_seconds"].values()) / MOVES, 1)
    (build / "peers").mkdir(exist_ok=True)
    (build / "peers" / "window.json").write_text(json.dumps(result, indent=1))
    print(json.dumps(result, indent=1))


main()
