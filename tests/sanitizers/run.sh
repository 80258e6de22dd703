#!/usr/bin/env bash
# Builds with the address and undefined behaviour sanitizers in build-sanitize and runs the tests (REGEX: some of them).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../../app/setup.sh"
install_missing "${build_packages[@]}" "${run_packages[@]}" "${test_packages[@]}"
build=$limber_root/build-sanitize
cmake -S "$limber_root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" \
    -DLIMBER_SANITIZE=address,undefined -DLIMBER_BUILD_BENCHMARKS=OFF >/dev/null
cmake --build "$build" -j "$(nproc)"

# The import worker is ended without tidying up, and leaks are looked for in what ends by itself.
export ASAN_OPTIONS=detect_stack_use_after_return=1:allocator_may_return_null=1
export LSAN_OPTIONS=suppressions=$here/leaks.supp:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export QT_QPA_PLATFORM=xcb
unset WAYLAND_DISPLAY
selection=(-LE peers)
[ $# -gt 0 ] && selection+=(-R "$1")
xvfb-run -a -s "-screen 0 1600x1000x24 -noreset" \
    ctest --test-dir "$build" --output-on-failure -j "$(nproc)" "${selection[@]}"
