# clang-tidy over what changed since it last found nothing.
load build

run_tidy() {
  setup
  setup_lint
  build release build
  "$python" tools/tidy.py build "$AEGIS_CACHE/tidy"
}
