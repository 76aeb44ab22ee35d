# Set-up for ./dev: sourced, not run. Installs what is missing, builds ONNX's C++ library once, and says what it does.
#
# Everything that is built or downloaded lands in $AEGIS_CACHE, in folders keyed by version, so a second run only looks.

onnx_version=1.23.2
onnx_sha256=008cb0467b2bbee41448acc7da8b6f4e704624cb0d327a2d5adafc7ce19bc5b8
AEGIS_CACHE=${AEGIS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/aegis}
onnx_prefix=$AEGIS_CACHE/onnx-$onnx_version-$(g++ -dumpfullversion 2>/dev/null || echo none)
venv=$AEGIS_CACHE/venv-$(sha256sum <"$root/tools/requirements.txt" | cut -c1-12)

apt_build=(ca-certificates git pkg-config python3-venv cmake ninja-build ccache g++ protobuf-compiler libprotobuf-dev
  libssl-dev zlib1g-dev libxxhash-dev libtomlplusplus-dev libcli11-dev nlohmann-json3-dev libfmt-dev)
apt_backports=(catch2)
apt_lint=(clang-19 clang-tidy-19 clang-format-19 libclang-rt-19-dev llvm-19)

say() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }
die() { printf 'dev: %s\n' "$*" >&2; exit 1; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else die "'$1' needs root: install sudo, or run ./dev setup as root once"; fi
}

missing_packages() { # NAME... -> those that dpkg does not know as installed
  local p
  for p in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || echo "$p"
  done
}

apt_install() { # [-t SUITE] NAME...
  local suite=()
  if [ "$1" = -t ]; then suite=(-t "$2"); shift 2; fi
  local want
  mapfile -t want < <(missing_packages "$@")
  [ ${#want[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null || die "missing packages: ${want[*]}; this script knows apt only, install them by hand"
  say "installing ${want[*]}"
  if [ ! -e "$AEGIS_CACHE/.apt-updated" ] || [ -n "$(find "$AEGIS_CACHE/.apt-updated" -mmin +720)" ]; then
    as_root apt-get update -q >&2
    touch "$AEGIS_CACHE/.apt-updated"
  fi
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${suite[@]}" "${want[@]}" >&2
}

enable_backports() { # Debian 12 carries Catch2 v2 only; v3 is in its backports
  grep -rqs 'bookworm-backports' /etc/apt/sources.list /etc/apt/sources.list.d/ && return 0
  grep -qs 'VERSION_CODENAME=bookworm' /etc/os-release || return 0
  say "adding bookworm-backports to the apt sources (for Catch2 v3)"
  if [ -f /etc/apt/sources.list.d/debian.sources ]; then
    awk 'BEGIN{RS="";ORS="\n\n"} NR==1' /etc/apt/sources.list.d/debian.sources |
      sed -E 's/^Suites:.*/Suites: bookworm-backports/' | as_root tee /etc/apt/sources.list.d/backports.sources >/dev/null
  else
    sed -nE 's/^(deb( \[[^]]*\])? [^ ]+) bookworm .*/\1 bookworm-backports main/p' /etc/apt/sources.list |
      head -1 | as_root tee /etc/apt/sources.list.d/backports.list >/dev/null
  fi
  rm -f "$AEGIS_CACHE/.apt-updated"
}

setup_packages() {
  apt_install "${apt_build[@]}"
  if [ -n "$(missing_packages "${apt_backports[@]}")" ] || ! dpkg --compare-versions "$(dpkg-query -W -f '${Version}' catch2)" ge 3; then
    enable_backports
    if grep -qs 'VERSION_CODENAME=bookworm' /etc/os-release; then
      as_root apt-get update -q >&2
      as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q -t bookworm-backports "${apt_backports[@]}" >&2
    else
      apt_install "${apt_backports[@]}"
    fi
  fi
}

setup_lint() { apt_install "${apt_lint[@]}"; }

setup_python() {
  [ -e "$venv/.complete" ] && return 0
  say "python packages into $venv"
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check -r "$root/tools/requirements.txt" >&2
  touch "$venv/.complete"
}

setup_onnx() {
  onnx_prefix=$AEGIS_CACHE/onnx-$onnx_version-$(g++ -dumpfullversion)
  [ -e "$onnx_prefix/.complete" ] && return 0
  say "building ONNX $onnx_version into $onnx_prefix (once, some minutes)"
  local work=$AEGIS_CACHE/onnx-work
  rm -rf "$work"
  mkdir -p "$work"
  echo "onnx==$onnx_version --hash=sha256:$onnx_sha256" >"$work/requirement.txt"
  "$venv/bin/pip" download -q --disable-pip-version-check --no-deps --no-binary onnx --require-hashes -d "$work" -r "$work/requirement.txt" >&2
  tar xf "$work/onnx-$onnx_version.tar.gz" -C "$work"
  "$venv/bin/cmake" -S "$work/onnx-$onnx_version" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_STANDARD=20 \
    -DONNX_ML=ON -DONNX_BUILD_PYTHON=OFF -DONNX_BUILD_TESTS=OFF -DONNX_USE_PROTOBUF_SHARED_LIBS=ON \
    -DCMAKE_INSTALL_PREFIX="$onnx_prefix" >"$work/configure.log" || { tail -20 "$work/configure.log" >&2; die "ONNX did not configure"; }
  "$venv/bin/cmake" --build "$work/build" >&2
  "$venv/bin/cmake" --install "$work/build" >/dev/null
  touch "$onnx_prefix/.complete"
  rm -rf "$work"
}

setup() {
  mkdir -p "$AEGIS_CACHE"
  setup_packages
  setup_python
  setup_onnx
}
