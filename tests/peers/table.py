#!/usr/bin/env python3
"""One line for every file of the test data's MANIFEST.csv: what becomes of it.

    table.py BUILD_DIR

Joins what Limber says (opened or refused and why, repairs), whether an unedited save is identical, what the glTF
validator says of the source and of the file that the Blender peer saved after a pose, a corrective, smoothed and cut
weights, and the largest difference from Blender. The table goes to BUILD_DIR/peers/table.md. Exit code 1: a crash, a
save that differs, or issues that the source did not have; 77: the test data folder is not here.
"""
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "blender"))
sys.dont_write_bytecode = True  # this folder is not for build output
from cases import LIMIT, WRONG  # noqa: E402

SKIPPED = 77
GLTF = (".glb", ".gltf")
HEADINGS = ["file", "opened", "repairs", "unedited save", "validator, source -> saved (errors/warnings)",
            "Blender, largest difference"]


def run(*command):
    try:
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, errors="replace", timeout=180,
                              check=False)
    except subprocess.TimeoutExpired:
        return -1, "", "no answer after 180 seconds"
    return done.returncode, done.stdout, done.stderr


def reason(stderr, path):
    line = next((text for text in reversed(stderr.strip().splitlines()) if text), "no reason given")
    for lead in ("limber: ", f"{path}: "):
        line = line.removeprefix(lead)
    return line.replace("|", "/")


def opened(limber, path):
    """(cell, repairs' cell, whether it opened, whether that is a fault)."""
    code, out, err = run(limber, "info", "--json", path)
    if code in (0, 4):
        codes = {}
        for repair in json.loads(out)["repairs"]:
            codes[repair["code"]] = codes.get(repair["code"], 0) + 1
        cell = ", ".join(c + (f" x{n}" if n > 1 else "") for c, n in sorted(codes.items()))
        return "yes", cell or "-", True, False
    if code == 3:
        return f"refused: {reason(err, path)}", "-", False, False
    return f"exit code {code}: {reason(err, path)}", "-", False, True


def same_folder(source, saved, folder):
    """A .gltf: the same text of JSON, and the files beside it the same."""
    if source.read_bytes() != saved.read_bytes():
        return json.loads(source.read_bytes()) == json.loads(saved.read_bytes()) and "same JSON"
    others = [p for p in folder.iterdir() if p != saved]
    return all(p.read_bytes() == (source.parent / p.name).read_bytes() for p in others) and (
        f"identical, {len(others)} files beside it too" if others else "identical")


def referenced(path):
    """The files beside it that a .glb names."""
    raw = path.read_bytes()
    tree = json.loads(raw[20:20 + int.from_bytes(raw[12:16], "little")])
    uris = [owner.get("uri", "data:") for key in ("buffers", "images") for owner in tree.get(key, [])]
    return [urllib.parse.unquote(uri) for uri in uris if not uri.startswith("data:")]


def saved_beside(limber, path, folder):
    """A .glb saved in its own folder, where the files that it names stay with it (elsewhere they are embedded)."""
    for name in [path.name, *referenced(path)]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path.parent / name, folder / name)
    saved = folder / f"saved {path.name}"
    return saved, *run(limber, "convert", folder / path.name, saved)


def unedited(limber, path):
    """(cell, whether that is a fault)."""
    if path.suffix not in GLTF:
        return "imported", False
    with tempfile.TemporaryDirectory() as folder:
        if path.suffix == ".glb":
            saved, code, _, err = saved_beside(limber, path, Path(folder))
        else:
            saved = Path(folder) / path.name
            code, _, err = run(limber, "convert", path, saved)
        if code not in (0, 4):
            return f"not saved: {reason(err, path)}", True
        if path.suffix == ".glb":
            same = saved.read_bytes() == path.read_bytes() and "identical"
        else:
            same = same_folder(path, saved, Path(folder))
    return same or "differs", not same


def saved_by_peer(build, file):
    path = build / "peers" / "blender" / file.replace("/", "_") / "saved.glb"
    return path if path.is_file() else None


def validate(build, paths):
    """{path: {code: count}, with severities}; empty where the validator is not installed."""
    installed = build / "peers" / "validator" / "node_modules"
    if not installed.is_dir():
        return {}
    code, out, err = run("node", HERE / "issues.cjs", installed, *paths)
    if code != 0:
        raise SystemExit(f"peer_table: the validator failed: {err.strip()}")
    return json.loads(out)


def counts(report):
    by_severity = [sum(n for (severity, n) in report.values() if severity == wanted) for wanted in (0, 1)]
    return f"{by_severity[0]}/{by_severity[1]}"


def validated(reports, path, saved, is_open):
    """(cell, whether that is a fault)."""
    source = reports.get(str(path))
    after = reports.get(str(saved))
    if not reports or (source is None and after is None):
        return "-", False
    new = sorted(c for c, (_, n) in (after or {}).items() if n > (source or {}).get(c, (0, 0))[1])
    text = f"{counts(source) if source is not None else 'no glTF'} -> "
    if after is None:
        return text + ("not edited" if is_open else "not opened"), False
    return text + counts(after) + (f" new: {', '.join(new)}" if new else ""), bool(new)


def judged(blender, file):
    result = blender.get(file)
    if result is None:
        return "-"
    values = {**result["results"], **{f"saved {k}": v for k, v in result["saved"].items()}}
    right = [v for k, v in values.items() if (file, k) not in WRONG]
    wrong = sorted({WRONG[file, k].split(":")[0] for k in values if (file, k) in WRONG})
    if not right:
        return "cannot read it" if "error" in result else "no mesh"
    cell = f"{max(right):.0e}" + ("" if max(right) <= LIMIT else " (over the limit)")
    cell += "" if result["results"] else " (as saved)"
    return cell + "".join(f"; Blender wrong by {p}" for p in wrong)


def main():
    build = Path(sys.argv[1]).resolve()
    data = Path(os.environ.get("LIMBER_TEST_DATA", HERE.parents[2] / "shared" / "data"))
    if not data.is_dir():
        print(f"peer_table: skipped, the test data folder is not here: {data}")
        return SKIPPED
    limber = build / "bin" / "limber"
    with open(data / "MANIFEST.csv", encoding="utf-8") as rows:
        files = [row["file"] for row in csv.DictReader(rows)]
    report = build / "peers" / "blender.json"
    blender = json.loads(report.read_text()) if report.is_file() else {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        opening = dict(zip(files, pool.map(lambda f: opened(limber, data / f), files)))
        saving = dict(zip(files, pool.map(
            lambda f: unedited(limber, data / f) if opening[f][2] else ("-", False), files)))
    gltf = [data / f for f in files if f.endswith(GLTF)]
    reports = validate(build, gltf + [p for f in files if (p := saved_by_peer(build, f))])

    lines, faults = ["| " + " | ".join(HEADINGS) + " |", "|" + " --- |" * len(HEADINGS)], []
    for f in files:
        cell, repairs, is_open, fault = opening[f]
        check, worse = validated(reports, data / f, saved_by_peer(build, f), is_open)
        lines.append("| " + " | ".join([f, cell, repairs, saving[f][0], check, judged(blender, f)]) + " |")
        if fault or saving[f][1] or worse:
            faults.append(f)
    text = "\n".join(lines) + "\n"
    (build / "peers").mkdir(exist_ok=True)
    (build / "peers" / "table.md").write_text(text)
    print(text)
    print(f"{len(files)} files, {sum(o[2] for o in opening.values())} opened, faults: {', '.join(faults) or 'none'}")
    return 1 if faults else 0


sys.exit(main())
