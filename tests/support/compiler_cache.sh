#!/usr/bin/env bash
# A header whose comment alone changes must not bring back the precompiled header that was cached before.
#   compiler_cache.sh COMPILE...    the compiler, behind its cache
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export CCACHE_DIR="$folder/cache"
unset CCACHE_DISABLE

build() { # COMMENT VALUE: one source with a precompiled header, from nothing
    rm -f all.h.gch
    printf '#pragma once\n// %s\nstruct Ray { int length; };\n' "$1" >ray.h
    printf '#include "ray.h"\n' >all.h
    printf '#include "ray.h"\nint length() { return Ray{%s}.length; }\n' "$2" >source.cpp
    "${compile[@]}" -x c++-header -MD -MF all.d -c all.h -o all.h.gch
    "${compile[@]}" -include "$folder/all.h" -Winvalid-pch -MD -MF source.d -c source.cpp -o source.o
}

compile=("$@")
build "Short." 1
build "As long as it takes." 2
