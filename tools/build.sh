# Configures and builds a preset. The program is build/aegis.
load setup

# configure PRESET FOLDER: once; afterwards ninja itself notices new files and changed options.
configure() {
  local cache=$2/CMakeCache.txt
  [ -e "$2/build.ninja" ] && grep -qs "^CMAKE_PREFIX_PATH:[A-Z]*=$onnx_prefix\$" "$cache" &&
    grep -qs "^AEGIS_PYTHON:[A-Z]*=$python\$" "$cache" && return 0
  say "configuring the $1 build in $2"
  mkdir -p "$2"
  cmake --preset "$1" -DCMAKE_PREFIX_PATH="$onnx_prefix" -DAEGIS_PYTHON="$python" >"$2/configure.log" 2>&1 ||
    { tail -30 "$2/configure.log" >&2; die "cmake did not configure: the end of its log stands above"; }
}

# build PRESET FOLDER [TARGET...]
build() {
  configure "$1" "$2"
  local folder=$2
  shift 2
  ninja -C "$folder" -j "$jobs" "$@" >&2
}

run_build() {
  setup
  build release build "$@"
  [ $# -gt 0 ] || say "built $root/build/aegis"
}
