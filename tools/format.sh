# Formats every C++ file of the project, or with --check only tells which are not formatted.
load setup

run_format() {
  setup_lint
  local files
  mapfile -t files < <(git ls-files '*.cpp' '*.hpp' '*.h' '*.cu' '*.cuh')
  if [ "${1:-}" = --check ]; then
    clang-format-19 --dry-run --Werror "${files[@]}" 2>&1 || die "some files are not formatted: run ./dev format"
  else
    clang-format-19 -i "${files[@]}"
  fi
}
