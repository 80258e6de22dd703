#!/usr/bin/env bash
# The Khronos glTF validator on what Limber writes: no error and no warning that the source did not have.
#   tests/peers/validator/run.sh BUILD_DIR [COUNT] [SEED]
# Every glTF file of the test data, and every other file that imports, after one edit of each kind; then COUNT (500)
# documents after random edits. Needs node and npm; installs the validator below BUILD_DIR. Exit code 1 with findings.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "${1:?the build folder}" && pwd)
count=${2:-500}
seed=${3:-7}
data=${LIMBER_TEST_DATA:-$here/../../../../shared/data}
version=2.0.0-dev.3.10
place=$build/peers/validator

mkdir -p "$place"
if [ "$(cat "$place/installed" 2>/dev/null)" != "$version" ]; then
    npm install --silent --no-audit --no-fund --prefix "$place" "gltf-validator@$version"
    echo "$version" >"$place/installed"
fi

findings=0
rm -rf "$place/imported" "$place/edited"
mkdir -p "$place/imported"
if [ -d "$data" ]; then
    while read -r file; do
        code=0
        "$build/bin/limber" convert "$file" "$place/imported/$(basename "$file").glb" >/dev/null 2>&1 || code=$?
        case $code in
        0 | 4) ;; # done, done with repairs
        3) ;;     # refused: not a scene, or a kind that is not read
        *)
            echo "$file: limber convert ended with $code"
            findings=1
            ;;
        esac
    done < <(find "$data/fbx" "$data/other" -type f | sort)
else
    echo "$data is not here: only the mannequin is judged"
fi

"$build/bin/edited_files" "$place/edited" "$count" "$seed" "$place/imported" || findings=1
node "$here/compare.cjs" "$place" "$place/edited/list.txt" || findings=1
rm -rf "$place/imported" "$place/edited"
exit $findings
