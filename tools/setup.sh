#!/usr/bin/env bash
# Makes sure that the Debian packages which apod builds with are there. Says nothing when they are. Missing ones are installed when we are
# root or sudo asks for no password; otherwise the command that installs them is printed and the exit code is 4.
# usage: tools/setup.sh [clang]      clang: also what `make tidy`, `make fuzz` and the clang preset need
set -euo pipefail

packages=(
    g++ make cmake ninja-build
    libfmt-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libsqlite3-dev libzstd-dev liblz4-dev libboost-math-dev
    libgtest-dev libgmock-dev libbenchmark-dev
    clang-format-14 python3 python3-jsonschema python3-numpy python3-scipy
)
if [[ "${1:-}" == clang ]]; then
    packages+=(clang-14 clang clang-tidy libclang-rt-14-dev)
fi

if ! command -v dpkg-query >/dev/null; then
    echo "setup: this is not Debian, so packages are not checked; apod needs what these hold: ${packages[*]}" >&2
    exit 0
fi

installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null | sed -n 's/^installed //p' || true)
missing=()
for package in "${packages[@]}"; do
    grep -qxF "$package" <<<"$installed" || missing+=("$package")
done
((${#missing[@]})) || exit 0

if [[ $(id -u) == 0 ]]; then
    as_root=(env)
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root=(sudo -n)
else
    echo "setup: these Debian packages are missing, and installing them needs root. Run:" >&2
    echo "    sudo apt-get install ${missing[*]}" >&2
    exit 4
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Output is shown only when a step fails; the line above it says what is going on.
step() {
    echo "setup: $1" >&2
    shift
    if ! "${as_root[@]}" DEBIAN_FRONTEND=noninteractive "$@" </dev/null >"$log" 2>&1; then
        cat "$log" >&2
        echo "setup: '$*' failed; put it right, or install by hand: apt-get install ${missing[*]}" >&2
        exit 4
    fi
}
step "updating the package lists" apt-get update
step "installing ${missing[*]}" apt-get install -y --no-install-recommends "${missing[@]}"
