# Sourced by ./dev: where things lie, and words for the person who waits.

AEGIS_CACHE=${AEGIS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/aegis}
export AEGIS_CACHE
export CCACHE_DIR=${CCACHE_DIR:-$AEGIS_CACHE/ccache}
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 # what one clone compiled serves the others
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime # what precompiled headers need
jobs=${AEGIS_JOBS:-$(nproc)}

if [ -t 2 ] && [ -z "${NO_COLOR:-}" ]; then bold=$'\033[1m' plain=$'\033[0m'; else bold='' plain=''; fi
say() { printf '%s==>%s %s\n' "$bold" "$plain" "$*" >&2; }
die() { printf 'dev: %s\n' "$*" >&2; exit 1; }

# load NAME...: the functions of tools/NAME.sh.
load() {
  local name
  for name in "$@"; do . "$root/tools/$name.sh"; done
}
