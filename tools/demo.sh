# The whole product on one small real network: lint, pad, recast to BF16, validate on held-out data.
load build

demo_example=examples/digits
demo_out=build/demo

step() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }

# Shows the command as a user would type it, then runs it.
show() {
  printf '$ %s\n' "$*"
  PATH=$root/build:$PATH "$@"
}

run_demo() {
  setup
  build release build aegis
  [ -t 1 ] || bold='' plain=''
  rm -rf "$demo_out"
  mkdir -p "$demo_out"
  local model=$demo_example/digits.onnx data=(--inputs $demo_example/heldout.npz --labels $demo_example/labels.npy)
  local low=$demo_out/digits.bf16.onnx report=$demo_out/report.txt

  step "1. What would a GPU waste on this network, for batches of 256?"
  show aegis lint "$model" --bind N=256

  step "2. One rule, three types: TF32, FP16 and INT8 ask for multiples of 4, 8 and 16"
  show aegis lint "$model" --bind N=256 --select AL102 --as tf32 --as fp16 --as int8

  step "3. Pad to what Tensor Cores want, recast to BF16, and judge the result on digits that training never saw"
  show aegis rewrite "$model" -o "$low" --pad=always --bf16 --check always "${data[@]}" \
    --format text --format "text=$report" --format "json=$demo_out/report.json"

  step "4. A second rewrite finds nothing left to do"
  show aegis rewrite "$low" -o "$demo_out/again.onnx" --pad=always --bf16
  cmp "$low" "$demo_out/again.onnx"
  echo "the two files are equal byte for byte"

  [ -s "$report" ] || die "no report was written to $report"
  step "The report of step 3 (for programs: $demo_out/report.json):"
  echo "$root/$report"
}
