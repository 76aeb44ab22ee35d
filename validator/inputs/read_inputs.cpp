#include "validator/inputs/read_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "validator/compare/metrics.hpp"
#include "validator/inputs/files.hpp"
#include "validator/inputs/npy.hpp"
#include "validator/inputs/npz.hpp"

namespace aegis {
namespace {

using Arrays = std::map<std::string, Tensor>;  // by input name
using Specs = std::span<const InputSpec>;

Error unfit(const std::string& path, std::string message) {
  return Error{.fault = Fault::usage, .code = {}, .message = std::move(message), .where = path, .notes = {}};
}

std::string names_of(Specs specs) {
  std::vector<std::string> names;
  for (const InputSpec& spec : specs)
    if (spec.required) names.push_back(spec.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

const InputSpec* find(Specs specs, std::string_view name) {
  const auto at = std::ranges::find(specs, name, &InputSpec::name);
  return at == specs.end() ? nullptr : &*at;
}

// The input that a file with a single nameless array serves.
Result<const InputSpec*> only_input(Specs specs, const std::string& path) {
  const auto wanted = std::ranges::count_if(specs, &InputSpec::required);
  if (wanted != 1)
    return unfit(path, fmt::format("holds one array, the model has {} inputs ({}); give an .npz with an array for each",
                                   wanted, names_of(specs)));
  return &*std::ranges::find_if(specs, &InputSpec::required);
}

Result<Arrays> read_file(const std::string& path, Specs specs, std::vector<std::string>& notes) {
  const std::string ending = extension(path);
  Arrays arrays;
  if (ending == ".npz") {
    AEGIS_TRY(const Bytes bytes, read_bytes(path));
    AEGIS_TRY(arrays, tensors_from_npz(bytes, path));
    std::erase_if(arrays, [&](const auto& item) {
      if (find(specs, item.first)) return false;
      notes.push_back(fmt::format("array '{}' of {} is no input of the model and was not used", item.first, path));
      return true;
    });
    return arrays;
  }
  std::string name;
  Tensor tensor;
  if (ending == ".npy") {
    AEGIS_TRY(const Bytes bytes, read_bytes(path));
    AEGIS_TRY(tensor, tensor_from_npy(bytes, path));
  } else if (ending == ".pb") {
    AEGIS_TRY(tensor, read_tensor_pb(path, &name));
  } else {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored)
               ? unfit(path, "is no .npz, .npy or .pb file and no folder; expected one of these")
               : Error{.fault = Fault::file,
                       .code = {},
                       .message = "is not there, expected a folder, or a .npz, .npy or .pb file; check the path",
                       .where = path,
                       .notes = {}};
  }
  const InputSpec* spec = find(specs, name);
  if (!spec) {
    AEGIS_TRY(spec, only_input(specs, path));
  }
  arrays.emplace(spec->name, std::move(tensor));
  return arrays;
}

Result<Arrays> read_set(const std::string& folder, Specs specs) {
  AEGIS_TRY(const auto files, numbered(folder, "input", ".pb"));
  Arrays arrays;
  for (const auto& [position, path] : files) {
    const auto spec = std::ranges::find(specs, position, &InputSpec::position);
    if (spec == specs.end())
      return unfit(
          path, fmt::format("stands for input {}, the model has {} inputs; remove the file", position, specs.size()));
    AEGIS_TRY(Tensor tensor, read_tensor_pb(path));
    arrays.emplace(spec->name, std::move(tensor));
  }
  if (!files.empty()) return arrays;
  AEGIS_TRY(const std::vector<std::string> names, list_folder(folder));
  for (const InputSpec& spec : specs)
    for (const std::string_view ending : {".npy", ".pb"}) {
      const std::string path = folder + "/" + spec.name + std::string(ending);
      if (!std::ranges::binary_search(names, spec.name + std::string(ending))) continue;
      AEGIS_TRY(const Bytes bytes, read_bytes(path));
      AEGIS_TRY(Tensor tensor, ending == ".npy" ? tensor_from_npy(bytes, path) : read_tensor_pb(path));
      arrays.insert_or_assign(spec.name, std::move(tensor));
    }
  if (arrays.empty() && std::ranges::any_of(specs, &InputSpec::required))
    return unfit(folder,
                 fmt::format("holds no test_data_set_N folder, no input_N.pb and no file named after an input ({}); "
                             "expected one of these",
                             names_of(specs)));
  return arrays;
}

bool fits(std::span<const std::int64_t> shape, std::span<const Dim> dims) {
  if (shape.size() != dims.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (dims[i].known() && dims[i].extent != shape[i]) return false;
  return true;
}

// How an array serves its input: whole, or in `pieces` of `extent` leading lanes each.
struct Cut {
  std::int64_t pieces = 0;  // 0: whole
  std::int64_t extent = 0;
  std::int64_t left_over = 0;
  bool drop_axis = false;
};
std::optional<Cut> plan_cut(const Tensor& tensor, const InputSpec& spec) {
  if (!spec.dims || fits(tensor.dims, *spec.dims)) return Cut{};
  if (tensor.dims.empty()) return std::nullopt;
  const std::span<const std::int64_t> shape = tensor.dims, inner = shape.subspan(1);
  const std::span<const Dim> dims = *spec.dims;
  if (fits(inner, dims)) return Cut{.pieces = shape[0], .extent = 1, .left_over = 0, .drop_axis = true};
  if (dims.empty() || !dims[0].known() || dims[0].extent <= 0 || !fits(inner, dims.subspan(1))) return std::nullopt;
  const std::int64_t batch = dims[0].extent;
  if (shape[0] < batch) return std::nullopt;
  return Cut{.pieces = shape[0] / batch, .extent = batch, .left_over = shape[0] % batch, .drop_axis = false};
}

Tensor piece_of(const Tensor& tensor, const Cut& cut, std::int64_t which) {
  std::vector<std::int64_t> dims(tensor.dims.begin() + (cut.drop_axis ? 1 : 0), tensor.dims.end());
  if (!cut.drop_axis) dims[0] = cut.extent;
  Tensor out = Tensor::zeros(tensor.type, dims);
  std::memcpy(out.data->data(), tensor.data->data() + static_cast<std::size_t>(which) * out.data->size(),
              out.data->size());
  return out;
}

// Cuts one file's or folder's arrays into the sets that the model can take.
Result<void> add_sets(Arrays arrays, Specs specs, const std::string& path, FeedSets& out) {
  std::map<std::string, Cut> cuts;
  std::int64_t pieces = 0;
  for (const InputSpec& spec : specs) {
    const auto at = arrays.find(spec.name);
    if (at == arrays.end()) {
      if (!spec.required) continue;
      return unfit(
          path, fmt::format("has no array for input '{}', expected one for each of: {}", spec.name, names_of(specs)));
    }
    auto converted = convert(at->second, spec.dtype, fmt::format("the array for input '{}'", spec.name));
    if (!converted) return unfit(path, converted.error().message);
    at->second = *std::move(converted);
    const auto cut = plan_cut(at->second, spec);
    if (!cut || (cut->pieces == 0 && cut->extent > 0))
      return unfit(
          path, fmt::format("the array for input '{}' is {}, the model takes {}; give that shape, or a multiple of it "
                            "along the first axis",
                            spec.name, shape_text(at->second.dims), dims_text(spec.dims)));
    if (cut->pieces > 0 && pieces > 0 && cut->pieces != pieces)
      return unfit(path, fmt::format("the array for input '{}' holds {} samples, another holds {}; give equally many",
                                     spec.name, cut->pieces, pieces));
    if (cut->pieces > 0) pieces = cut->pieces;
    if (cut->left_over > 0)
      out.notes.push_back(fmt::format("{} samples of {} do not fill a batch of {} and were left out", cut->left_over,
                                      at->second.dims[0], cut->extent));
    cuts.emplace(spec.name, *cut);
  }
  for (std::int64_t piece = 0; piece < std::max<std::int64_t>(pieces, 1); ++piece) {
    FeedSet set{.label = fmt::format("{}", out.sets.size()), .feeds = {}};
    for (const auto& [name, cut] : cuts)
      set.feeds.emplace(name, cut.pieces == 0 ? arrays.at(name) : piece_of(arrays.at(name), cut, piece));
    out.sets.push_back(std::move(set));
  }
  return {};
}

}  // namespace

Result<FeedSets> read_inputs(const std::string& path, Specs specs) {
  FeedSets out;
  out.source = path;
  if (is_folder(path)) {
    AEGIS_TRY(const auto folders, numbered(path, "test_data_set", ""));
    for (const auto& [number, folder] : folders) {
      AEGIS_TRY(Arrays arrays, read_set(folder, specs));
      AEGIS_CHECK(add_sets(std::move(arrays), specs, folder, out));
    }
    if (folders.empty()) {
      AEGIS_TRY(Arrays arrays, read_set(path, specs));
      AEGIS_CHECK(add_sets(std::move(arrays), specs, path, out));
    }
  } else {
    AEGIS_TRY(Arrays arrays, read_file(path, specs, out.notes));
    AEGIS_CHECK(add_sets(std::move(arrays), specs, path, out));
  }
  for (const InputSpec& spec : specs)
    if (const auto at = out.sets.front().feeds.find(spec.name); at != out.sets.front().feeds.end())
      out.used.push_back(
          {.name = spec.name, .dtype = std::string(name(spec.dtype)), .shape = at->second.dims, .source = path});
  return out;
}

Result<std::vector<std::int64_t>> read_labels(const std::string& path) {
  const std::string ending = extension(path);
  Tensor tensor;
  if (ending == ".npz") {
    AEGIS_TRY(const Bytes bytes, read_bytes(path));
    AEGIS_TRY(const auto arrays, tensors_from_npz(bytes, path));
    if (arrays.size() != 1)
      return unfit(path, fmt::format("holds {} arrays, expected the labels alone; save them in a file of their own",
                                     arrays.size()));
    tensor = arrays.begin()->second;
  } else if (ending == ".npy") {
    AEGIS_TRY(const Bytes bytes, read_bytes(path));
    AEGIS_TRY(tensor, tensor_from_npy(bytes, path));
  } else if (ending == ".pb") {
    AEGIS_TRY(tensor, read_tensor_pb(path));
  } else {
    return unfit(path, "is no .npy, .npz or .pb file; expected integers in one of these");
  }
  const auto converted = convert(tensor, DType::i64, "the array of labels");
  if (!converted) return unfit(path, converted.error().message);
  return to_integers(*converted);
}

Result<std::map<std::size_t, Tensor>> read_outputs(const std::string& folder) {
  AEGIS_TRY(auto files, numbered(folder, "output", ".pb"));
  if (files.empty()) {
    AEGIS_TRY(const auto sets, numbered(folder, "test_data_set", ""));
    if (!sets.empty()) {
      AEGIS_TRY(files, numbered(sets.front().second, "output", ".pb"));
    }
  }
  if (files.empty()) return unfit(folder, "holds no output_N.pb, expected one for each output of the model");
  std::map<std::size_t, Tensor> outputs;
  for (const auto& [position, path] : files) {
    AEGIS_TRY(Tensor tensor, read_tensor_pb(path));
    outputs.emplace(position, std::move(tensor));
  }
  return outputs;
}

}  // namespace aegis
