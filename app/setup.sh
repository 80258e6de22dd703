# Shared by app/run.sh and tests/run.sh: what is needed, and how it is built. To be sourced.

limber_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

build_packages=(
    g++ cmake ninja-build ccache mold pkg-config
    qt6-base-dev libqt6opengl6-dev qt6-svg-dev qt6-3d-dev libgl-dev
    libeigen3-dev libtbb-dev libembree-dev libhwy-dev libxxhash-dev libzstd-dev
    nlohmann-json3-dev libdraco-dev libmeshoptimizer-dev libassimp-dev zlib1g-dev libseccomp-dev libbenchmark-dev
)
run_packages=(libgl1-mesa-dri fonts-dejavu-core xvfb xauth)
test_packages=(xvfb xauth libgl1-mesa-dri fonts-dejavu-core strace)
# Other programs that judge what Limber reads and writes; blender's importers need NumPy.
peers_packages=(blender python3 python3-numpy)
command -v node >/dev/null && command -v npm >/dev/null || peers_packages+=(nodejs npm)

# What drives the real window and takes pictures of it.
window_packages=(python3 xdotool imagemagick)

# install_missing PACKAGE...: installs what dpkg does not know as installed, after naming it.
install_missing() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    if ! command -v apt-get >/dev/null; then
        echo "limber: these packages are needed and apt-get is not here to install them: ${missing[*]}" >&2
        return 1
    fi
    echo "Installing: ${missing[*]}"
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "limber: install them as root: apt-get install ${missing[*]}" >&2
            return 1
        fi
        as_root=(sudo)
    fi
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# build_limber TESTS(ON|OFF) [TARGET...]: configures and builds Release in build/. PEERS=ON registers the peers' tests.
build_limber() {
    local tests=$1
    shift
    local log targets=()
    log=$(mktemp)
    [ $# -gt 0 ] && targets=(--target "$@")
    cmake -S "$limber_root" -B "$limber_root/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DLIMBER_BUILD_TESTS="$tests" -DLIMBER_BUILD_BENCHMARKS="$tests" -DLIMBER_PEERS="${PEERS:-OFF}" >"$log" 2>&1 ||
        { cat "$log" >&2; rm -f "$log"; return 1; }
    rm -f "$log"
    cmake --build "$limber_root/build" -j "$(nproc)" "${targets[@]}"
}
