# Every check of the project. What can fail is registered with ctest, so that its summary closes the output.
load build

# The tests of the release build and of the build with sanitizers, as one ctest run.
every_test=build/every

unit_tests() { # the test binaries and fuzz targets of a build
  ninja -C "$1" -t targets all | sed -nE 's/^(test_[a-z_]+|fuzz_[a-z]+): phony$/\1/p'
}

# What stands behind the worker's line and sees a model only after the loader and the checks of soundness let it pass:
# to build it with sanitizers takes longer than all else that is built with them, so ./dev test --all does.
later='cli|rewriter|validator'

# The table of operators that belongs to the test of ONNX's node cases, which only says whether it passed.
print_conformance() {
  say "ONNX's node cases on the CPU engine"
  build/tests/conformance/conformance_nodes "$AEGIS_NODE_CASES" >&2 || true
}

run_test() {
  local pattern='' all=''
  while [ $# -gt 0 ]; do
    case "$1" in
      -k) [ $# -gt 1 ] || die "-k wants a pattern"; pattern=$2; shift 2 ;;
      --all) all=1; shift ;;
      *) die "unknown argument '$1': ./dev test takes -k PATTERN and --all" ;;
    esac
  done
  setup
  setup_lint
  setup_node_cases
  export AEGIS_CASES=${AEGIS_CASES:-$root/../shared/cases} AEGIS_MODELS=${AEGIS_MODELS:-$root/../shared/models}
  [ -z "$all" ] || export AEGIS_ALL=1 AEGIS_FUZZ_SECONDS=${AEGIS_FUZZ_SECONDS:-900}

  say "building"
  build release build
  local run=(ctest --output-on-failure --no-tests=error --no-label-summary -j "$jobs" --timeout 600)
  if [ -n "$pattern" ]; then
    "${run[@]}" --test-dir build -R "$pattern"
    return
  fi

  say "building the unit tests with sanitizers"
  configure sanitize build/sanitize
  local targets
  mapfile -t targets < <(unit_tests build/sanitize | { [ -n "$all" ] && cat || grep -vE "^test_($later)\$"; })
  build sanitize build/sanitize "${targets[@]}"

  if [ -n "$all" ]; then
    say "reading the source with clang-tidy"
    "$python" tools/tidy.py build "$AEGIS_CACHE/tidy" || true # the test of that name tells it again, and fails
  else # clang-tidy's first look takes longer than all other checks together; ONNX's inference still breaks now and then
    run+=(-E "clang-tidy finds nothing|do not break infer|^sanitized ($later): |test_($later)_NOT_BUILT")
  fi
  print_conformance

  say "running every test"
  mkdir -p "$every_test"
  printf 'subdirs("%s")\n' "$root/build" "$root/build/sanitize" >"$every_test/CTestTestfile.cmake"
  "${run[@]}" --test-dir "$every_test"
}
