#!/usr/bin/env bash
# fuzz_one.sh TARGET [SECONDS]: runs one fuzz target on its kept corpus (default a minute).
#
# The corpus grows in $AEGIS_CACHE/fuzz/<target>; the inputs that once broke something stand in tests/fuzz/<stem>.
# Seeds are small models of ONNX's own operator tests. What breaks is left in build/fuzz/.
set -euo pipefail
target=$1 seconds=${2:-${AEGIS_FUZZ_SECONDS:-60}}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
name=$(basename "$target")
corpus=${AEGIS_CACHE:-$HOME/.cache/aegis}/fuzz/$name
broken=$root/build/fuzz
mkdir -p "$corpus" "$broken"

kept=$root/tests/fuzz/${name#fuzz_}
seeds=("$corpus")
[ ! -d "$kept" ] || seeds+=("$kept")
if [ -d "${AEGIS_NODE_CASES:-}" ] && [ ! -e "$corpus/.seeded" ]; then
  find "$AEGIS_NODE_CASES" -name model.onnx -size -3k | sort | awk 'NR % 8 == 0' | while read -r model; do
    cp "$model" "$corpus/seed-$(basename "$(dirname "$model")")"
  done
  touch "$corpus/.seeded"
fi
echo "$name: $seconds s, $(find "$corpus" -type f | wc -l) files in the corpus"
# ONNX's library is built without ASan's container annotations, so their check would misread its vectors.
export ASAN_OPTIONS=detect_container_overflow=0:allocator_may_return_null=1
"$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=16384 -artifact_prefix="$broken/" \
  -print_final_stats=1 -verbosity=0 "${seeds[@]}" 2>&1 | sed '/Recommended dictionary/,/End of recommended/d'
