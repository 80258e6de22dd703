#!/usr/bin/env bash
# The long runs: all mutants, and every libFuzzer target.
#   tests/fuzz/run.sh                        10,000 mutants, then 10 minutes of CPU for each target
#   tests/fuzz/run.sh mutants [COUNT]        mutants alone; what fails is kept in build/mutants
#   tests/fuzz/run.sh target NAME [SECONDS]  one target; what it finds is kept in build-fuzz/found/NAME
#   tests/fuzz/run.sh corpus                 writes the files that fuzzing starts from anew
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../../app/setup.sh"
build=$limber_root/build-fuzz

build_fuzzers() {
    install_missing "${build_packages[@]}" "${run_packages[@]}" "${fuzz_packages[@]}"
    cmake -S "$limber_root" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="$clang" -DCMAKE_BUILD_TYPE=Debug \
        -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" -DCMAKE_CXX_FLAGS="-fno-sanitize-recover=undefined -w" \
        -DLIMBER_SANITIZE=fuzzer-no-link,address,undefined -DLIMBER_BUILD_FUZZERS=ON -DLIMBER_BUILD_BENCHMARKS=OFF \
        >/dev/null
    cmake --build "$build" -j "$(nproc)" --target fuzzers
}

run_mutants() {
    install_missing "${build_packages[@]}" "${run_packages[@]}" "${test_packages[@]}"
    build_limber ON limber_mutants
    "$limber_root/build/bin/limber_mutants" "${1-10000}" "$limber_root/build/mutants"
}

# Runs a target until it has used so many seconds of CPU, whatever else the machine does. Stops at the first finding.
run_target() {
    local name=$1 left=${2-600} used options=() TIMEFORMAT=%0U
    mkdir -p "$build/corpus/$name" "$build/found/$name"
    [ -f "$here/dictionaries/$name.dict" ] && options+=(-dict="$here/dictionaries/$name.dict")
    while [ "$left" -gt 0 ]; do
        used=$({ time "$build/bin/fuzz_$name" "$build/corpus/$name" "$here/corpus/$name" "${options[@]}" \
            -max_total_time="$left" -timeout=10 -rss_limit_mb=4096 -max_len=12000 \
            -artifact_prefix="$build/found/$name/" -print_final_stats=1 >&3 2>&4; } 2>&1)
        left=$((left - (used > 0 ? used : 1)))
    done 3>&1 4>&2
}

fuzz_packages=(clang)
clang=clang++
targets=(gltf accessors protocol pose obj weights edit journal fbx)
case "${1-all}" in
    mutants) run_mutants "${@:2}" ;;
    target)
        build_fuzzers
        run_target "${@:2}"
        ;;
    corpus)
        build_fuzzers
        "$build/bin/make_corpus" "$here/corpus"
        ;;
    all)
        run_mutants
        build_fuzzers
        for target in "${targets[@]}"; do
            run_target "$target"
        done
        ;;
    *)
        sed -n '2,6s/^# //p' "${BASH_SOURCE[0]}" >&2
        exit 2
        ;;
esac
