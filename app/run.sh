#!/usr/bin/env bash
# Installs what is missing, builds Limber and opens the editor.
#   app/run.sh [FILE]     opens FILE, or the built-in mannequin
#   app/run.sh --build    stops before starting it
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

start=yes
if [ "${1-}" = --build ]; then
    start=no
    shift
fi

install_missing "${build_packages[@]}" "${run_packages[@]}"
# A build folder that has the tests keeps them.
tests=OFF
grep -qs '^LIMBER_BUILD_TESTS:BOOL=ON' "$limber_root/build/CMakeCache.txt" && tests=ON
build_limber "$tests" limber

[ $start = no ] && exit 0
if [ -z "${DISPLAY-}${WAYLAND_DISPLAY-}" ]; then
    echo "Limber is built, but there is no display to open its window on." >&2
    echo "Without one it works from the command line: build/bin/limber --help" >&2
    exit 1
fi
exec "$limber_root/build/bin/limber" "$@"
