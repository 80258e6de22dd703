"""Runs inside Blender: judges one file and writes the result as JSON.

    blender -b --factory-startup --python judge.py -- LIMBER FILE SEED FOLDER
"""
import json
import sys
import traceback
from pathlib import Path

import numpy

# Blender 3.4's importers use names that NumPy 1.24 has dropped.
numpy.bool, numpy.int, numpy.float = bool, int, float
sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))


def guarded(result, key, step):
    """Runs a step; what it raises is kept as text, Blender's and Limber's messages alike."""
    try:
        step()
    except Exception as error:
        result[key] = {"message": str(error), "trace": traceback.format_exc()}


def main():
    program, file, seed, folder = sys.argv[sys.argv.index("--") + 1:]
    file, folder = Path(file), Path(folder)
    result = {"results": {}, "notes": [], "saved": {}, "by specification": {}, "saved by specification": {}}

    import addon_utils
    for importer in ("io_scene_gltf2", "io_scene_fbx"):
        addon_utils.enable(importer)
    from judge_fbx import FbxJudge
    from judge_gltf import GltfJudge
    from judge_saved import judge_saved
    from limber_program import Limber

    limber = Limber(program, folder)
    judges = {".glb": GltfJudge, ".gltf": GltfJudge, ".fbx": FbxJudge}

    def judge_itself():
        if file.suffix not in judges:
            raise ValueError("not asked")
        judged = judges[file.suffix](limber, file, seed)
        result["results"], result["notes"] = judged.results, judged.notes
        result["by specification"] = getattr(judged, "by_specification", {})
        judged.run()

    guarded(result, "error", judge_itself)
    if not any(note.startswith("no mesh") for note in result["notes"]):
        guarded(result, "saved error", lambda: judge_saved(limber, file, seed, result["saved"],
                                                           result["saved by specification"]))
    (folder / "result.json").write_text(json.dumps(result))


main()
