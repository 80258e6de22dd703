#!/usr/bin/env bash
# Installs what is missing, builds everything and runs every test.
#   tests/run.sh            builds and tests
#   tests/run.sh --peers    lets other programs judge instead: Blender, and the Khronos glTF validator
#   tests/run.sh --all      both, in one run
#   tests/run.sh --bench    builds and runs the benchmarks instead
#   tests/run.sh --fuzz     the long runs on damaged files (fuzz/run.sh)
#   tests/run.sh --sanitize the tests, built with sanitizers (sanitizers/run.sh)
#   tests/run.sh REGEX      only the tests whose names match
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../app/setup.sh"

case "${1-}" in
    --fuzz) exec "$limber_root/tests/fuzz/run.sh" "${@:2}" ;;
    --sanitize) exec "$limber_root/tests/sanitizers/run.sh" "${@:2}" ;;
esac

packages=("${build_packages[@]}" "${run_packages[@]}" "${test_packages[@]}")
selection=(-LE peers)
PEERS=OFF
case "${1-}" in
    --peers | --all)
        PEERS=ON
        packages+=("${peers_packages[@]}")
        selection=()
        [ "$1" = --peers ] && selection=(-L peers)
        ;;
    --bench | "") ;;
    -*)
        echo "tests/run.sh: there is --peers, --all, --bench, --fuzz and --sanitize, not $1" >&2
        exit 2
        ;;
    *) selection+=(-R "$1") ;;
esac

install_missing "${packages[@]}" || {
    echo "tests/run.sh: what is needed could not be installed, so nothing was tested" >&2
    exit 1
}
build_limber ON

if [ "${1-}" = --bench ]; then
    "$limber_root/build/bin/limber_bench" "${@:2}"
    exec "$limber_root/build/bin/limber_bench_files"
fi

# A display of its own: the tests' windows neither need nor disturb anybody's screen.
display_file=$(mktemp)
Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp 3>"$display_file" 2>/dev/null &
xvfb=$!
trap 'kill $xvfb 2>/dev/null || true; rm -f "$display_file"' EXIT
for _ in $(seq 100); do
    [ -s "$display_file" ] && break
    sleep 0.1
done
if [ ! -s "$display_file" ]; then
    echo "tests/run.sh: the virtual display did not start" >&2
    exit 1
fi
export DISPLAY=":$(cat "$display_file")"
unset WAYLAND_DISPLAY
export QT_QPA_PLATFORM=xcb

ctest --test-dir "$limber_root/build" --output-on-failure -j "$(nproc)" "${selection[@]}"
