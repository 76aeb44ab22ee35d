# Installs what is missing and builds ONNX's C++ library once. A second run only looks.
#
# System packages come from apt, Python packages and ONNX's source archive from PyPI; what is built lands in
# $AEGIS_CACHE in folders whose names hold the versions, so that an upgrade never meets a leftover.

onnx_version=1.23.2
onnx_sha256=008cb0467b2bbee41448acc7da8b6f4e704624cb0d327a2d5adafc7ce19bc5b8
venv=$AEGIS_CACHE/venv-$(sha256sum <"$root/tools/requirements.txt" | cut -c1-12)
python=$venv/bin/python
export AEGIS_NODE_CASES=$AEGIS_CACHE/node-cases-${venv##*-}  # by the packages that make them

apt_build=(ca-certificates git pkg-config python3-venv cmake ninja-build ccache g++ protobuf-compiler libprotobuf-dev
  libssl-dev zlib1g-dev libxxhash-dev libtomlplusplus-dev libcli11-dev nlohmann-json3-dev libfmt-dev)
apt_lint=(clang-19 clang-tidy-19 clang-format-19 libclang-rt-19-dev llvm-19)

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else die "installing packages needs root: install sudo, or run ./dev setup as root once"; fi
}

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

apt_get() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" >&2; }

apt_update() {
  apt_get update
  apt_fresh=1
}

apt_install() { # [-t SUITE] NAME...: those that are missing; package lists are fetched when there are none or they are too old
  local suite=() want=() name
  if [ "$1" = -t ]; then suite=(-t "$2"); shift 2; fi
  for name in "$@"; do installed "$name" || want+=("$name"); done
  [ ${#want[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null || die "missing packages: ${want[*]}: this script knows apt only, install them by hand"
  say "installing ${want[*]}"
  [ -n "${apt_fresh:-}" ] || compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null || apt_update
  apt_get install -y --no-install-recommends "${suite[@]}" "${want[@]}" || {
    [ -z "${apt_fresh:-}" ] || die "apt could not install ${want[*]}: its own message stands above"
    say "trying again with fresh package lists"
    apt_update
    apt_get install -y --no-install-recommends "${suite[@]}" "${want[@]}"
  }
}

# Debian 12 itself carries Catch2 v2; v3 is in its backports, on the mirror that the machine uses already.
enable_backports() {
  grep -rqs '^[^#]*bookworm-backports' /etc/apt/sources.list /etc/apt/sources.list.d/ && return 0
  say "adding bookworm-backports to the apt sources (for Catch2 v3)"
  local deb822=/etc/apt/sources.list.d/debian.sources
  if [ -f "$deb822" ]; then
    awk 'BEGIN { RS = ""; ORS = "\n\n" } NR == 1' "$deb822" | sed -E 's/^Suites:.*/Suites: bookworm-backports/' |
      as_root tee /etc/apt/sources.list.d/backports.sources >/dev/null
  else
    sed -nE 's/^(deb( \[[^]]*\])? [^ ]+) bookworm .*/\1 bookworm-backports main/p' /etc/apt/sources.list | head -1 |
      as_root tee /etc/apt/sources.list.d/backports.list >/dev/null
  fi
  apt_update
}

setup_catch2() {
  installed catch2 && dpkg --compare-versions "$(dpkg-query -W -f '${Version}' catch2)" ge 3 && return 0
  if grep -qs '^VERSION_CODENAME=bookworm' /etc/os-release; then
    enable_backports
    say "installing catch2 from bookworm-backports"
    apt_get install -y -t bookworm-backports catch2
  else
    apt_install catch2
  fi
}

setup_lint() { apt_install "${apt_lint[@]}"; }

setup_python() {
  [ -e "$venv/.complete" ] && return 0
  say "installing Python packages into $venv"
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check -r "$root/tools/requirements.txt" >&2
  touch "$venv/.complete"
}

setup_onnx() {
  onnx_prefix=$AEGIS_CACHE/onnx-$onnx_version-$(g++ -dumpfullversion)
  [ -e "$onnx_prefix/.complete" ] && return 0
  say "building ONNX $onnx_version into $onnx_prefix (once; two to six minutes on two cores)"
  local work=$AEGIS_CACHE/onnx-work
  rm -rf "$work"
  mkdir -p "$work"
  echo "onnx==$onnx_version --hash=sha256:$onnx_sha256" >"$work/requirement.txt"
  "$venv/bin/pip" download -q --disable-pip-version-check --no-deps --no-binary onnx --require-hashes -d "$work" \
    -r "$work/requirement.txt" >&2
  tar xf "$work/onnx-$onnx_version.tar.gz" -C "$work"
  # ONNX asks for CMake 3.26; Debian 12 has 3.25, so this one build uses the CMake of the Python packages.
  "$venv/bin/cmake" -S "$work/onnx-$onnx_version" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_STANDARD=20 \
    -DCMAKE_CXX_COMPILER=g++ -DCMAKE_C_COMPILER=gcc \
    -DONNX_ML=ON -DONNX_BUILD_PYTHON=OFF -DONNX_BUILD_TESTS=OFF -DONNX_USE_PROTOBUF_SHARED_LIBS=ON \
    -DCMAKE_INSTALL_PREFIX="$onnx_prefix" >"$work/configure.log" 2>&1 ||
    { tail -20 "$work/configure.log" >&2; die "ONNX did not configure: the end of its log stands above"; }
  "$venv/bin/cmake" --build "$work/build" -j "$jobs" >&2
  "$venv/bin/cmake" --install "$work/build" >/dev/null
  touch "$onnx_prefix/.complete"
  rm -rf "$work"
}

# ONNX's own operator tests, one folder a case: the model, its inputs and the outputs that are asked for.
setup_node_cases() {
  [ -e "$AEGIS_NODE_CASES/complete" ] && return 0
  say "writing ONNX's operator tests into $AEGIS_NODE_CASES"
  "$python" "$root/tools/node_cases.py" "$AEGIS_NODE_CASES" >&2
}

# What a build needs. One set-up at a time: two checkouts may share the cache.
setup() {
  mkdir -p "$AEGIS_CACHE"
  exec 9>"$AEGIS_CACHE/.lock"
  flock -n 9 || { say "waiting for another ./dev that is setting up"; flock 9; }
  apt_install "${apt_build[@]}"
  setup_catch2
  setup_python
  setup_onnx
  exec 9>&-
}

run_setup() {
  setup
  setup_lint
  say "everything is installed"
}
