#!/usr/bin/env python3
"""Blender as the judge of what files mean: its evaluated vertices against those of `limber deform`.

    run.py BUILD_DIR [FILE ...]     FILE as in cases.py; all of them without

One headless Blender for each file. The table goes to BUILD_DIR/peers/blender.md and .json. Exit code 0: all differences
are within the limit or excepted in cases.py; 1: some are not; 77: the test data folder is not here.
"""
import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True  # this folder is not for build output
from cases import COLUMNS, FILES, FORMULA_LIMIT, LIMIT, PROJECTED, UNREADABLE, UNREADABLE_SAVED, WRONG  # noqa: E402

HERE = Path(__file__).resolve().parent
SKIPPED = 77
SECONDS_EACH = 240
# Debian's Blender takes the Python it finds first, and needs the one that python3-numpy is for.
ENVIRONMENT = {**{k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}, "PATH": "/usr/bin:/bin"}
HEADINGS = ["file", "vertices matched", "file's pose", "bind", "clip 1", "clip 2", "between keys", "Blender's curves",
            "pose 1", "pose 2", "saved", "from the formula"]


def judge(build, data, file):
    folder = build / "peers" / "blender" / file.replace("/", "_")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command = [shutil.which("blender"), "-b", "--factory-startup", "--python", HERE / "judge.py", "--",
               build / "bin" / "limber", data / file, file, folder]
    start = time.monotonic()
    try:
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, errors="replace",
                              timeout=SECONDS_EACH, check=False, env=ENVIRONMENT)
        (folder / "log.txt").write_text(done.stdout + done.stderr)
        result = json.loads((folder / "result.json").read_text())
    except (subprocess.TimeoutExpired, FileNotFoundError, ValueError) as failure:
        result = {"results": {}, "notes": [], "saved": {}, "by specification": {}, "saved by specification": {},
                  "error": {"message": f"Blender gave no result: {failure}", "trace": ""}}
    result["seconds"] = round(time.monotonic() - start, 1)
    for left in folder.glob("*.*"):  # large, and not wanted where all went well; the table reads saved.glb
        if left.suffix in (".obj", ".glb") and left.name != "saved.glb" and not problems(file, result):
            left.unlink()
    return result


def values_of(result):
    """{column: difference}, those of the saved file as "saved ..."."""
    return {**result["results"], **{f"saved {k}": v for k, v in result["saved"].items()}}


def formula_values_of(result):
    """{column: how far Limber's vertices are from the specification's own formula}."""
    return {**result["by specification"], **{f"saved {k}": v for k, v in result["saved by specification"].items()}}


def problems(file, result):
    found = []
    for column, value in values_of(result).items():
        excepted = (file, column) in WRONG
        if value > LIMIT and not excepted:
            found.append(f"{file}: {column}: {value:.2g} of the size, the limit is {LIMIT:g}")
        if excepted and column not in formula_values_of(result):
            found.append(f"{file}: {column}: excepted in cases.py, and not compared with the specification")
        if value <= LIMIT and excepted:
            found.append(f"{file}: {column}: the exception in cases.py is not needed")
    found += [f"{file}: {column}: {value:.2g} of the size from the specification's formula, the limit is "
              f"{FORMULA_LIMIT:g}" for column, value in formula_values_of(result).items()
              if value > FORMULA_LIMIT and (file, column) not in PROJECTED]
    found += [f"{file}: {column}: excepted in cases.py and not measured" for f, column in WRONG
              if f == file and column not in values_of(result)]
    expected = UNREADABLE.get(file, (None, ""))[0]
    error = result.get("error")
    if error and (expected is None or expected not in error["message"] + error["trace"]):
        found.append(f"{file}: {error['message'].strip().splitlines()[-1]}")
    if expected and not error:
        found.append(f"{file}: Blender reads it after all; take it out of UNREADABLE")
    error = result.get("saved error")
    if error and file not in UNREADABLE_SAVED:
        found.append(f"{file}: what was saved: {error['message'].strip().splitlines()[-1]}")
    if file in UNREADABLE_SAVED and not error:
        found.append(f"{file}: Blender reads what was saved after all; take it out of UNREADABLE_SAVED")
    return found


def shown(file, result, column):
    value = result["results"].get(column)
    if value is None:
        return "-"
    if (file, column) in WRONG:
        return f"Blender wrong by {WRONG[file, column].split(':')[0]} ({value:.1e})"
    return f"{value:.1e}"


def shown_saved(file, result):
    right = [v for k, v in result["saved"].items() if (file, f"saved {k}") not in WRONG]
    wrong = sorted({WRONG[file, f"saved {k}"].split(":")[0] for k in result["saved"] if (file, f"saved {k}") in WRONG})
    if not right:
        return "not readable" if file in UNREADABLE_SAVED else "-"
    return f"{max(right):.1e}" + "".join(f"; with changed weights: Blender wrong by {p}" for p in wrong)


def table(results):
    lines = ["| " + " | ".join(HEADINGS) + " |", "|" + " --- |" * len(HEADINGS)]
    for file, result in results.items():
        if result["results"]:
            matched = "by place" if file.endswith(".fbx") else "in file order"
            cells = [matched] + [shown(file, result, c) for c in COLUMNS]
        else:
            why = UNREADABLE[file][1] if file in UNREADABLE else "; ".join(result["notes"]) or "no result"
            cells = [why] + ["-"] * len(COLUMNS)
        formula = formula_values_of(result).values()
        cells += [shown_saved(file, result), f"{max(formula):.1e}" if formula else "-"]
        lines.append("| " + " | ".join([file, *cells]) + " |")
    notes = [f"{file}: {note}." for file, result in results.items() for note in result["notes"] if result["results"]]
    notes += sorted({reason for (file, _), reason in [*WRONG.items(), *PROJECTED.items()] if file in results})
    return "\n".join([*lines, "", "Largest distance of a vertex, of the diagonal of all. Limits: "
                      f"{LIMIT:g} from Blender, {FORMULA_LIMIT:g} from the specification's own formula (last column: "
                      "Limber in all of these states).",
                      *notes]) + "\n"


def main():
    build = Path(sys.argv[1]).resolve()
    data = Path(os.environ.get("LIMBER_TEST_DATA", HERE.parents[3] / "shared" / "data"))
    wanted = sys.argv[2:] or FILES
    if not data.is_dir():
        print(f"peer_blender: skipped, the test data folder is not here: {data}")
        return SKIPPED
    if shutil.which("blender") is None:
        print("peer_blender: blender is not installed; tests/run.sh --peers installs it", file=sys.stderr)
        return 1
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = dict(zip(wanted, pool.map(lambda f: judge(build, data, f), wanted)))
    text = table(results)
    (build / "peers" / "blender.md").write_text(text)
    (build / "peers" / "blender.json").write_text(json.dumps(
        {f: {**r, "shown": shown_saved(f, r), "problems": problems(f, r)} for f, r in results.items()}, indent=1))
    found = [p for f, r in results.items() for p in problems(f, r)]
    print(text)
    print("\n".join(found))
    judged = sum(1 for r in results.values() if r["results"])
    print(f"{judged} files judged as they are, {sum(1 for r in results.values() if r['saved'])} as Limber saved them; "
          f"{len(found)} problems")
    return 1 if found else 0


sys.exit(main())
