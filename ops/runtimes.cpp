#include "ops/runtimes.hpp"

#include <array>
#include <charconv>
#include <map>

namespace aegis {

extern const std::string_view runtimes_tsv;

namespace {

std::int64_t number(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::uint32_t ort_cpu(const RuntimeRow& row, DType type, std::int64_t opset) {
  if (type == DType::f16) return AEGIS_KERNEL_CAST;  // nearly all, by Casts that it inserts
  if (type != DType::bf16) return AEGIS_KERNEL_YES;
  if (row.ort_cpu == "yes") return AEGIS_KERNEL_YES;
  if (row.ort_cpu == "body") return AEGIS_KERNEL_BODY;
  if (const auto from = number(row.ort_cpu); from > 0 && opset >= from) return AEGIS_KERNEL_YES;
  return AEGIS_KERNEL_NO;
}

std::uint32_t ort_cuda(const RuntimeRow& row, DType type, std::int64_t opset) {
  if (row.gap > 0 && opset >= row.gap) return AEGIS_KERNEL_NO;
  if (type == DType::f32) return AEGIS_KERNEL_YES;
  if (type != DType::bf16) return AEGIS_KERNEL_UNKNOWN;
  if (row.ort_cuda == "yes") return AEGIS_KERNEL_YES;
  return row.ort_cuda == "no" ? AEGIS_KERNEL_NO : AEGIS_KERNEL_UNKNOWN;
}

std::uint32_t tensorrt(const RuntimeRow& row, DType type, std::int64_t opset) {
  if (opset > 20 || row.tensorrt == "unknown") return AEGIS_KERNEL_UNKNOWN;
  if (row.tensorrt == "no") return AEGIS_KERNEL_NO;
  return row.tensorrt == "fp16" && type == DType::bf16 ? AEGIS_KERNEL_NO : AEGIS_KERNEL_YES;
}

// The part before the separator; `rest` is left with what follows it.
std::string_view cut(std::string_view& rest, char separator) {
  const auto end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return part;
}

std::map<std::string_view, RuntimeRow> read_rows(std::string_view text) {
  std::map<std::string_view, RuntimeRow> rows;
  while (!text.empty()) {
    std::string_view line = cut(text, '\n');
    if (line.starts_with('#')) continue;
    std::array<std::string_view, 5> cells;
    for (auto& cell : cells) cell = cut(line, '\t');
    rows[cells[0]] = {
        .op = cells[0], .ort_cpu = cells[1], .ort_cuda = cells[2], .tensorrt = cells[4], .gap = number(cells[3])};
  }
  rows.erase("op");  // the header
  return rows;
}

}  // namespace

RuntimeRow runtime_row(std::string_view op) {
  static const std::map<std::string_view, RuntimeRow> rows = read_rows(runtimes_tsv);
  const auto found = rows.find(op);
  return found == rows.end() ? RuntimeRow{} : found->second;
}

std::uint32_t runtime_kernel(const RuntimeRow& row, std::uint32_t runtime, DType type, std::int64_t opset) {
  if (row.op.empty()) return AEGIS_KERNEL_UNKNOWN;
  switch (runtime) {
    case AEGIS_RUNTIME_ORT_CPU: return ort_cpu(row, type, opset);
    case AEGIS_RUNTIME_ORT_CUDA: return ort_cuda(row, type, opset);
    case AEGIS_RUNTIME_TENSORRT: return tensorrt(row, type, opset);
    case AEGIS_RUNTIME_ANY: break;
    default: return AEGIS_KERNEL_UNKNOWN;
  }
  bool refused = true;
  for (const std::uint32_t one : {ort_cuda(row, type, opset), tensorrt(row, type, opset), ort_cpu(row, type, opset)}) {
    if (one != AEGIS_KERNEL_NO && one != AEGIS_KERNEL_UNKNOWN) return one;
    refused = refused && one == AEGIS_KERNEL_NO;
  }
  return refused ? AEGIS_KERNEL_NO : AEGIS_KERNEL_UNKNOWN;
}

}  // namespace aegis
