#include "rewriter/recast/runtime.hpp"

#include <algorithm>
#include <array>

namespace aegis::recast {
namespace {

constexpr std::array table = {
    Runtime{"tensorrt", "parser 10.1, opset range of 11", 25},
    Runtime{"ort-cuda", "early 2026", 28},
    Runtime{"ort-cpu", "1.32", 28},
};

// Sorted, so that they can be searched.
constexpr std::string_view cpu_bf16[] = {
    "BitCast",
    "BlackmanWindow",
    "Cast",
    "CastLike",
    "Celu",
    "Compress",
    "Concat",
    "Constant",
    "ConstantOfShape",
    "DepthToSpace",
    "Einsum",
    "Flatten",
    "Gather",
    "GatherElements",
    "GatherND",
    "HammingWindow",
    "HannWindow",
    "Identity",
    "If",
    "IsInf",
    "IsNaN",
    "LayerNormalization",
    "LinearAttention",
    "Loop",
    "Pad",
    "Range",
    "ReduceLogSumExp",
    "Reshape",
    "ReverseSequence",
    "Scan",
    "ScatterElements",
    "ScatterND",
    "Shape",
    "Sign",
    "Slice",
    "SpaceToDepth",
    "Split",
    "Squeeze",
    "TensorScatter",
    "Transpose",
    "Unique",
    "Unsqueeze",
};
struct From {
  std::string_view op;
  std::int64_t opset;
};
constexpr From cpu_bf16_from[] = {{"DepthToSpace", 28}, {"IsNaN", 20}, {"Pad", 21}, {"SpaceToDepth", 28}};

constexpr std::string_view cuda_no_bf16[] = {
    "ArgMax",
    "ArgMin",
    "BatchNormalization",
    "Ceil",
    "Clip",
    "ConvTranspose",
    "CumSum",
    "DepthToSpace",
    "DequantizeLinear",
    "Einsum",
    "Elu",
    "Equal",
    "EyeLike",
    "Floor",
    "GRU",
    "GlobalAveragePool",
    "GlobalMaxPool",
    "Greater",
    "GreaterOrEqual",
    "GridSample",
    "InstanceNormalization",
    "LRN",
    "LSTM",
    "LeakyRelu",
    "Log",
    "LogSoftmax",
    "MaxPool",
    "NonZero",
    "OneHot",
    "PRelu",
    "Pad",
    "QuantizeLinear",
    "RNN",
    "RandomNormal",
    "RandomNormalLike",
    "RandomUniform",
    "RandomUniformLike",
    "Range",
    "Reciprocal",
    "ReduceL1",
    "ReduceL2",
    "ReduceLogSum",
    "ReduceLogSumExp",
    "ReduceMax",
    "ReduceMean",
    "ReduceMin",
    "ReduceProd",
    "ReduceSumSquare",
    "Resize",
    "Round",
    "Selu",
    "Shrink",
    "Softplus",
    "Softsign",
    "SpaceToDepth",
    "ThresholdedRelu",
};
constexpr std::string_view tensorrt_no[] = {
    "AffineGrid",
    "Bernoulli",
    "BitShift",
    "BitwiseAnd",
    "BitwiseNot",
    "BitwiseOr",
    "BitwiseXor",
    "BlackmanWindow",
    "CenterCropPad",
    "Col2Im",
    "Compress",
    "ConcatFromSequence",
    "ConvInteger",
    "DFT",
    "Det",
    "DynamicQuantizeLinear",
    "HammingWindow",
    "HannWindow",
    "ImageDecoder",
    "MatMulInteger",
    "MaxRoiPool",
    "MaxUnpool",
    "MelWeightMatrix",
    "Multinomial",
    "NegativeLogLikelihoodLoss",
    "Optional",
    "OptionalGetElement",
    "OptionalHasElement",
    "QLinearConv",
    "QLinearMatMul",
    "RegexFullMatch",
    "STFT",
    "SequenceAt",
    "SequenceConstruct",
    "SequenceEmpty",
    "SequenceErase",
    "SequenceInsert",
    "SequenceLength",
    "SequenceMap",
    "SoftmaxCrossEntropyLoss",
    "SplitToSequence",
    "StringConcat",
    "StringNormalizer",
    "StringSplit",
    "TfIdfVectorizer",
    "Unique",
};
constexpr std::string_view tensorrt_fp16_only[] = {"DeformConv",        "GridSample", "Mish",
                                                   "NonMaxSuppression", "NonZero",    "RoiAlign"};

static_assert(std::ranges::is_sorted(cpu_bf16) && std::ranges::is_sorted(cuda_no_bf16) &&
              std::ranges::is_sorted(tensorrt_no) && std::ranges::is_sorted(tensorrt_fp16_only));

bool in(std::span<const std::string_view> list, std::string_view op) { return std::ranges::binary_search(list, op); }

}  // namespace

std::span<const Runtime> runtimes() { return table; }

const Runtime* find_runtime(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Runtime::name);
  return found == table.end() ? nullptr : &*found;
}

bool loads(const Runtime& runtime, const Node& node) {
  return runtime.name != "tensorrt" || !node.domain.empty() || !in(tensorrt_no, node.op);
}

bool loads_narrow(const Runtime& runtime, const Node& node, DType type, std::int64_t opset) {
  if (!node.domain.empty() || !loads(runtime, node)) return false;
  if (type != DType::bf16) return true;
  if (runtime.name == "tensorrt") return !in(tensorrt_fp16_only, node.op);
  if (runtime.name == "ort-cuda") return !in(cuda_no_bf16, node.op);
  if (!in(cpu_bf16, node.op)) return false;
  const auto from = std::ranges::find(cpu_bf16_from, node.op, &From::op);
  return from == std::end(cpu_bf16_from) || opset >= from->opset;
}

}  // namespace aegis::recast
