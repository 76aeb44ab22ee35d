# Builds and runs the benchmarks: one program a file of bench/, each prints its own table with units.
load build

run_bench() {
  local pattern=${1:-} file name
  setup
  configure release build
  for file in bench/*.cpp; do
    [ -e "$file" ] || die "bench/ holds no benchmark yet"
    name=$(basename "$file" .cpp)
    [[ $name =~ $pattern ]] || continue
    build release build "bench_$name"
    say "$name"
    "build/bench/bench_$name"
  done
}
