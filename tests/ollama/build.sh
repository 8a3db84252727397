#!/usr/bin/env bash
# Builds an Ollama without GPU support for the tests, from its published Go module: build.sh DIRECTORY makes DIRECTORY/ollama.
#
# Takes three and a half minutes on two cores, nothing where DIRECTORY has one already. Needs Go, g++ and two header-only libraries
# (nlohmann-json, stb), which are installed where this machine lets us. Exits 2 with a sentence where it cannot be had:
# the tests that need a real Ollama are then skipped, and say so.
set -euo pipefail

VERSION=0.24.0          # the last one whose module holds llama.cpp; later ones fetch it while they build
MINIAUDIO=github.com/gen2brain/malgo@v0.11.23    # carries miniaudio.h, which Ollama's own module leaves out

out=${1:?usage: build.sh DIRECTORY}

cannot() {
    echo "ollama: $*" >&2
    exit 2
}

if [ -x "$out/ollama" ]; then
    exit 0
fi
command -v go >/dev/null || cannot "there is no Go to build it with"
command -v g++ >/dev/null || cannot "there is no C++ compiler to build it with"

have_headers() {
    printf '#include <nlohmann/json.hpp>\n#include <stb/stb_image.h>\n' | g++ -E -x c++ - >/dev/null 2>&1
}
install_headers() {
    DEBIAN_FRONTEND=noninteractive timeout 90 apt-get install -y -qq nlohmann-json3-dev libstb-dev
}
# A machine that was just made has no lists of packages; one whose lists cannot be brought up to date may have old ones.
if ! have_headers && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    { install_headers || { timeout 90 apt-get update -qq; install_headers; }; } </dev/null >/dev/null 2>&1 || true
fi
have_headers || cannot "it needs the headers of nlohmann-json and stb (Debian: nlohmann-json3-dev, libstb-dev)"

mkdir -p "$out/include/miniaudio"
out=$(cd "$out" && pwd)
headers=$(cd "$out" && go mod download -json "$MINIAUDIO" 2>/dev/null |
    sed -n 's/^[[:space:]]*"Dir": "\(.*\)",*$/\1/p') || true
[ -n "$headers" ] && [ -f "$headers/miniaudio.h" ] || cannot "the Go module $MINIAUDIO cannot be fetched"
cp -f "$headers/miniaudio.h" "$out/include/miniaudio/miniaudio.h"

fast=""
if grep -qw avx2 /proc/cpuinfo 2>/dev/null; then
    fast="-mavx2 -mfma -mf16c"
fi
# Built beside its place and moved there whole: a build that was interrupted leaves nothing that looks finished.
# Tiny models need no more than -O1, with which it takes three and a half minutes instead of more than five.
CGO_ENABLED=1 CGO_CPPFLAGS="-I$out/include" CGO_CFLAGS="-O1 -g0 -w $fast" CGO_CXXFLAGS="-O1 -g0 -w $fast" \
    GOBIN="$out/new" go install -ldflags "-s -w -X github.com/ollama/ollama/version.Version=$VERSION" \
    "github.com/ollama/ollama@v$VERSION" || cannot "the build failed; the lines above say why"
mv -f "$out/new/ollama" "$out/ollama"
rmdir "$out/new"
