#!/usr/bin/env bash
# Blender as judge: run.sh BUILD_DIR [FILE ...]; see run.py.
set -euo pipefail
exec python3 "$(dirname "${BASH_SOURCE[0]}")/run.py" "$@"
