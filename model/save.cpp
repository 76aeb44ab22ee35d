// The writer. An unchanged model is its file, copied. An edited one is its skeleton, serialised deterministically,
// with the payloads spliced in at their markers: the only place that makes tensor bytes.
//
// A result of two files is committed by the second: the data file gets a name that nothing refers to yet, then the
// model file that refers to it takes its place in one step.
#include "model/save.hpp"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/copy_model.hpp"
#include "model/data_file.hpp"
#include "model/data_files.hpp"
#include "model/for_each_tensor.hpp"
#include "model/left_over.hpp"
#include "model/out_of_memory.hpp"
#include "model/paths.hpp"
#include "model/placement.hpp"
#include "model/skeleton_bytes.hpp"
#include "model/staged_file.hpp"
#include "model/state.hpp"
#include "model/verify.hpp"
#include "model/wire.hpp"

namespace aegis {
namespace {

Error refused(std::string message, std::string where) {
  return Error{.fault = Fault::file, .code = {}, .message = std::move(message), .where = std::move(where), .notes = {}};
}

// Hands the pieces of a model file to `put_bytes` and `put_span`, one tensor at a time.
template <class PutBytes, class PutSpan>
Result<void> each_piece(const Rope& rope, const std::vector<TensorSource>& payloads, PutBytes put_bytes,
                        PutSpan put_span) {
  for (const Piece& piece : rope.pieces) {
    if (piece.payload < 0) {
      AEGIS_CHECK(put_bytes(std::as_bytes(std::span(piece.bytes))));
      continue;
    }
    const TensorSource& source = payloads[static_cast<std::size_t>(piece.payload)];
    if (const auto* span = std::get_if<TensorSource::Span>(&source.from)) {
      AEGIS_CHECK(put_span(*span));
      continue;
    }
    std::uint64_t made = 0;
    AEGIS_CHECK(source.stream_stored([&](std::span<const std::byte> bytes) {
      made += bytes.size();
      return put_bytes(bytes);
    }));
    if (made != source.stored_size())
      return Error{.fault = Fault::internal,
                   .code = {},
                   .message = fmt::format("a tensor of {} bytes made {} bytes", source.stored_size(), made),
                   .where = {},
                   .notes = {}};
  }
  return {};
}

// The files that payloads come from, each once.
std::set<std::shared_ptr<const File>> sources_of(const Placement& placement) {
  std::set<std::shared_ptr<const File>> files;
  const auto add = [&](const TensorSource& source) {
    if (const auto* span = std::get_if<TensorSource::Span>(&source.from)) files.insert(span->file);
  };
  for (const TensorSource& source : placement.payloads) add(source);
  for (const Placement::Outside& outside : placement.outside) add(outside.source);
  return files;
}

Result<void> unchanged(const std::set<std::shared_ptr<const File>>& files) {
  for (const auto& file : files) AEGIS_CHECK(file->unchanged());
  return {};
}

// Bytes in data files: a range that several tensors share counts once.
std::uint64_t bytes_outside(const onnx::ModelProto& proto, const Model::State& state) {
  std::map<std::pair<std::string, std::uint64_t>, std::uint64_t> ranges;
  for_each_tensor(proto, [&](const onnx::TensorProto& tensor, std::string_view) {
    if (tensor.data_location() != onnx::TensorProto::EXTERNAL) return;
    const TensorSource source = tensor_source(tensor, state.payloads, state.beside);
    const auto& external = std::get<TensorSource::External>(source.from);
    ranges[{external.location, external.offset}] = source.raw_size();
  });
  std::uint64_t sum = 0;
  for (const auto& [range, bytes] : ranges) sum += bytes;
  return sum;
}

// Small files grow by a few nodes as easily as large ones by a mistake: below 1 MiB no growth is asked about.
Result<void> check_growth(const Placement& placement, const Model::State& state) {
  constexpr std::uint64_t small = 1u << 20, much = 1u << 30;
  if (!state.file) return {};
  const std::uint64_t before = state.file->size() + bytes_outside(*state.proto, state);
  const std::uint64_t after = placement.inline_bytes + bytes_outside(*placement.proto, state);
  if (after <= before + small || (after <= 2 * before && after - before < much)) return {};
  return refused(
      fmt::format("the result would take {} bytes, the model takes {}; allow it with --allow-growth", after, before),
      state.path);
}

std::vector<std::string> locations(const onnx::ModelProto& proto, const Model::State& state) {
  std::set<std::string> found;
  for_each_tensor(proto, [&](const onnx::TensorProto& tensor, std::string_view) {
    if (tensor.data_location() != onnx::TensorProto::EXTERNAL) return;
    const TensorSource source = tensor_source(tensor, state.payloads, state.beside);
    found.insert(std::get<TensorSource::External>(source.from).location);
  });
  return {found.begin(), found.end()};
}

void forget(std::vector<std::string>& names, const std::vector<std::string>& used) {
  std::erase_if(names, [&](const std::string& name) { return std::ranges::find(used, name) != used.end(); });
}

Result<Saved> write_placed(Placement& placement, const Model::State& state, const std::string& path,
                           const SaveOptions& options) {
  const auto sources = sources_of(placement);
  AEGIS_CHECK(unchanged(sources));
  Saved saved{.unused = left_over(path)};
  StagedFile data(folder_of(path) + data_file_name(stem_of(path), 0));
  if (!placement.outside.empty()) {
    AEGIS_CHECK(data.open(mode_of(state.file.get())));
    AEGIS_TRY(const std::uint64_t hash, write_data(data, placement));
    const std::string name = data_file_name(stem_of(path), hash);
    data.rename(name);
    name_data_file(placement, name);
    saved.data_files.push_back(name);
    saved.data_bytes = placement.data_bytes;
  }
  const std::string skeleton = skeleton_bytes(*placement.proto);
  const Rope rope = splice(skeleton, placement.payloads);
  StagedFile staged(path);
  AEGIS_CHECK(staged.open(mode_of(state.file.get())));
  AEGIS_CHECK(each_piece(
      rope, placement.payloads, [&](std::span<const std::byte> bytes) { return staged.write(bytes); },
      [&](const TensorSource::Span& span) { return staged.copy(*span.file, span.offset, span.length); }));
  AEGIS_CHECK(unchanged(sources));
  forget(saved.unused, locations(*placement.proto, state));
  saved.bytes = rope.size;
  AEGIS_TRY(const auto written, staged.read_back());
  if (written) AEGIS_CHECK(verify(*written, rope, placement.payloads));
  if (!placement.outside.empty()) AEGIS_CHECK(data.commit_or_match());
  if (auto done = staged.commit(options.overwrite); !done) {
    if (data.committed()) data.take_back();
    return std::move(done).error();
  }
  return saved;
}

Result<Saved> save_placed(const Model::State& state, const std::string& path, const SaveOptions& options) {
  AEGIS_TRY(Placement placement,
            place(state, options.external_data, same_folder(state.path, path), data_file_name(stem_of(path), 0)));
  if (!options.allow_growth) AEGIS_CHECK(check_growth(placement, state));
  return write_placed(placement, state, path, options);
}

// True when an unchanged model is already in the form that is asked for.
Result<bool> as_wanted(const Model::State& state, ExternalData wanted) {
  if (wanted == ExternalData::automatic) return true;
  if (wanted == ExternalData::never) return locations(*state.proto, state).empty();
  AEGIS_TRY(const Placement placement, place(state, wanted, true, {}));
  return placement.outside.empty();
}

}  // namespace

Result<void> check_in_place(const std::string& path) {
  struct stat info{};
  if (::lstat(path.c_str(), &info) != 0 || (S_ISREG(info.st_mode) && info.st_nlink == 1)) return {};
  return refused(
      "is a link or has several names, and --in-place would change what the others see; write to another "
      "file with -o",
      path);
}

Result<void> check_target(const Model& model, const std::string& path, Overwrite overwrite) {
  const Model::State& state = model.state();
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
  const auto stands_there = [&](const File& file) {
    return file.identity().device == info.st_dev && file.identity().inode == info.st_ino;
  };
  if (state.file && stands_there(*state.file)) {
    if (overwrite == Overwrite::in_place) return check_in_place(path);
    return refused("is the model itself, expected another file; --in-place writes over the model", path);
  }
  for (const auto& [location, file] : data_files_of(state))
    if (file && stands_there(**file))
      return refused("holds weights of the model and would be overwritten; give the result another name", path);
  if (overwrite == Overwrite::no) return refused("exists already; give another name, or --force to replace it", path);
  return {};
}

Result<Saved> save(const Model& model, const std::string& path, const SaveOptions& options) {
  return guarded([&]() -> Result<Saved> {
    const Model::State& state = model.state();
    AEGIS_CHECK(check_target(model, path, options.overwrite));
    if (state.edited || !state.file) return save_placed(state, path, options);
    AEGIS_TRY(const bool whole, as_wanted(state, options.external_data));
    if (!whole) return save_placed(state, path, options);
    if (options.overwrite == Overwrite::in_place) return Saved{.bytes = state.file->size(), .copied = true};
    std::vector<std::string> unused = left_over(path);
    forget(unused, locations(*state.proto, state));
    AEGIS_TRY(Saved saved, copy_model(state, path, options.overwrite));
    saved.unused = std::move(unused);
    return saved;
  });
}

Result<void> save_bytes(std::string_view bytes, const std::string& path, Overwrite overwrite) {
  return guarded([&]() -> Result<void> {
    StagedFile staged(path);
    AEGIS_CHECK(staged.open());
    AEGIS_CHECK(staged.write(std::as_bytes(std::span(bytes))));
    return staged.commit(overwrite);
  });
}

Result<std::string> serialise(const Model& model) {
  return guarded([&]() -> Result<std::string> {
    const Model::State& state = model.state();
    std::string out;
    const auto put = [&](std::span<const std::byte> bytes) -> Result<void> {
      out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      return {};
    };
    const auto put_span = [&](const TensorSource::Span& span) -> Result<void> {
      const std::size_t old = out.size();
      out.resize(old + static_cast<std::size_t>(span.length));
      return span.file->read(span.offset, std::as_writable_bytes(std::span(out).subspan(old)));
    };
    if (!state.edited && state.file) {
      AEGIS_CHECK(put_span({.file = state.file, .offset = 0, .length = state.file->size()}));
      return out;
    }
    const std::string skeleton = skeleton_bytes(*state.proto);
    const Rope rope = splice(skeleton, state.payloads);
    if (rope.size > max_inline_bytes)
      return Error{.fault = Fault::file,
                   .code = "ST514",
                   .message = fmt::format("takes {} bytes, protobuf reads {} at most; save it with external data first",
                                          rope.size, max_inline_bytes),
                   .where = state.path,
                   .notes = {}};
    out.reserve(static_cast<std::size_t>(rope.size));
    AEGIS_CHECK(each_piece(rope, state.payloads, put, put_span));
    return out;
  });
}

Result<void> complete_proto(const Model& model, onnx::ModelProto& out) {
  AEGIS_TRY(const std::string bytes, serialise(model));
  if (!out.ParseFromString(bytes))
    return Error{.fault = Fault::internal, .message = "a serialised model does not parse again"};
  return {};
}

}  // namespace aegis
