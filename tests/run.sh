#!/usr/bin/env bash
# Installs what is missing, builds everything and runs every test.
#   tests/run.sh            builds and tests
#   tests/run.sh --peers    lets other programs judge instead: Blender, and the Khronos glTF validator
#   tests/run.sh --all      both, in one run
#   tests/run.sh --bench    builds and runs the benchmarks instead, with a table of the targets at the end
#   tests/run.sh --window   the real window with a million vertices, for the table of --bench
#   tests/run.sh --growth   how cost grows with the mesh, from 10,000 to 4,000,000 vertices
#   tests/run.sh --peers-speed  Blender's skinning beside ours, for the table of --bench
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
    --peers-speed) packages+=("${peers_packages[@]}") ;;
    --window) packages+=("${window_packages[@]}") ;;
    --bench) packages+=(python3) ;;
    --growth | "") ;;
    -*)
        echo "tests/run.sh: there is --peers, --all, --bench, --growth, --peers-speed, --window, --fuzz and --sanitize, not $1" >&2
        exit 2
        ;;
    *) selection+=(-R "$1") ;;
esac

install_missing "${packages[@]}" || {
    echo "tests/run.sh: what is needed could not be installed, so nothing was tested" >&2
    exit 1
}
build_limber ON

bin="$limber_root/build/bin"
case "${1-}" in
    --growth) exec "$bin/limber_growth" "${@:2}" ;;
    --peers-speed) exec python3 "$limber_root/tests/peers/blender/speed.py" "$limber_root/build" "${@:2}" ;;
    --window) exec python3 "$limber_root/tests/bench/window.py" "$limber_root/build" "${@:2}" ;;
    --bench)
        # Benchmarks are no tests: a target that is missed is a NO in the table, not a failure.
        results=$(mktemp -d)
        trap 'rm -rf "$results"' EXIT
        "$bin/limber_bench" --benchmark_out="$results/bench.json" --benchmark_out_format=json "${@:2}"
        "$bin/limber_bench_files" | tee "$results/files.txt"
        python3 "$limber_root/tests/bench/table.py" "$limber_root/build" "$results/bench.json" "$results/files.txt"
        exit 0
        ;;
esac

# A display of its own: the tests' windows neither need nor disturb anybody's screen.
display_file=$(mktemp)
Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp -noreset 3>"$display_file" 2>/dev/null &
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
