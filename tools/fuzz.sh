# Feeds mutated files to every fuzz target, in the build with sanitizers.
load build

run_fuzz() {
  local seconds=${1:-600} target
  setup
  setup_lint
  setup_node_cases
  configure sanitize build/sanitize
  for target in tests/fuzz/*.cpp; do
    target=fuzz_$(basename "$target" .cpp)
    build sanitize build/sanitize "$target"
    tools/fuzz_one.sh "build/sanitize/tests/fuzz/$target" "$seconds"
  done
}
