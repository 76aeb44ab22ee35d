// The writer. An unchanged model is its file, copied. An edited one is its skeleton, serialised deterministically,
// with the payloads spliced in at their markers: the only place that makes tensor bytes.
//
// The file appears whole or not at all: bytes go to a file without a name in the target folder (O_TMPFILE), which is
// synced and then linked, so that not even a killed process leaves anything behind. Where the file system has no such
// files, a temporary name stands in.
#include "model/save.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "model/state.hpp"
#include "model/wire.hpp"

namespace aegis {
namespace {

std::string skeleton_bytes(const onnx::ModelProto& proto) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream out(&stream);
  out.SetSerializationDeterministic(true);
  proto.SerializeToCodedStream(&out);
  out.Trim();
  return bytes;
}

Result<void> write_model(const Model& model, const Sink& sink) {
  const Model::State& s = model.state();
  if (!s.edited && s.file) {
    Bytes buffer(static_cast<std::size_t>(std::min<std::uint64_t>(1u << 20, s.file->size())));
    for (std::uint64_t at = 0; at < s.file->size();) {
      const auto piece = std::span(buffer).first(
          static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), s.file->size() - at)));
      AEGIS_CHECK(s.file->read(at, piece));
      AEGIS_CHECK(sink(piece));
      at += piece.size();
    }
    return {};
  }
  const std::string skeleton = skeleton_bytes(*s.proto);
  const Rope rope = splice(skeleton, s.payloads);
  if (rope.size > max_inline_bytes)
    return Error{
        .fault = Fault::file,
        .code = "ST514",
        .message = fmt::format("the result would take {} bytes, protobuf allows {} in one file; keep weights in "
                               "external data",
                               rope.size, max_inline_bytes)};
  for (const Piece& piece : rope.pieces) {
    if (piece.payload >= 0)
      AEGIS_CHECK(s.payloads[static_cast<std::size_t>(piece.payload)].stream_stored(sink));
    else if (!piece.bytes.empty())
      AEGIS_CHECK(sink(std::as_bytes(std::span(piece.bytes))));
  }
  return {};
}

// A temporary file that vanishes unless it is committed.
class Staged {
 public:
  explicit Staged(std::string target) : target_(std::move(target)) {}
  ~Staged() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }
  Staged(const Staged&) = delete;
  Staged& operator=(const Staged&) = delete;

  Error failed(std::string_view what) const {
    return Error{
        .fault = Fault::file,
        .code = "IO903",
        .message = fmt::format("cannot be {}: {}; free space or choose another place", what, std::strerror(errno)),
        .where = target_};
  }
  Result<void> open() {
    const std::size_t slash = target_.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : target_.substr(0, slash + 1);
    descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    return descriptor_ >= 0 ? Result<void>() : open_named();
  }
  Result<void> write(std::span<const std::byte> piece) {
    while (!piece.empty()) {
      const ssize_t put = ::write(descriptor_, piece.data(), piece.size());
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return failed("written");
      piece = piece.subspan(static_cast<std::size_t>(put));
    }
    return {};
  }
  Result<void> commit(Overwrite overwrite) {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(descriptor_, 0666 & ~mask) != 0 || ::fsync(descriptor_) != 0) return failed("written");
    if (overwrite == Overwrite::no) {
      if (link_to(target_)) return {};
      if (errno == EEXIST)
        return Error{.fault = Fault::file,
                     .code = "IO903",
                     .message = "exists already; give another name, or --force to replace it",
                     .where = target_};
      return failed("put in place");
    }
    if (temporary_.empty()) AEGIS_CHECK(name_it());
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) return failed("put in place");
    temporary_.clear();
    return {};
  }

 private:
  Result<void> open_named() {
    std::string name = target_ + ".XXXXXX";
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ < 0) return failed("created");
    temporary_ = name;
    return {};
  }
  bool link_to(const std::string& name) const {
    if (!temporary_.empty()) return ::link(temporary_.c_str(), name.c_str()) == 0;
    const std::string self = fmt::format("/proc/self/fd/{}", descriptor_);
    return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  }
  // Gives the nameless file a free name beside the target, to be renamed over it.
  Result<void> name_it() {
    for (int i = 0; i < 1000; ++i) {
      const std::string name = fmt::format("{}.{}.{}", target_, ::getpid(), i);
      if (link_to(name)) {
        temporary_ = name;
        return {};
      }
      if (errno != EEXIST) break;
    }
    return failed("put in place");
  }

  std::string target_, temporary_;
  int descriptor_ = -1;
};

}  // namespace

Result<void> save(const Model& model, const std::string& path, Overwrite overwrite) {
  Staged staged(path);
  AEGIS_CHECK(staged.open());
  AEGIS_CHECK(write_model(model, [&](std::span<const std::byte> piece) { return staged.write(piece); }));
  return staged.commit(overwrite);
}

Result<void> save_bytes(std::string_view bytes, const std::string& path, Overwrite overwrite) {
  Staged staged(path);
  AEGIS_CHECK(staged.open());
  AEGIS_CHECK(staged.write(std::as_bytes(std::span(bytes))));
  return staged.commit(overwrite);
}

Result<std::string> serialise(const Model& model) {
  std::string out;
  AEGIS_CHECK(write_model(model, [&](std::span<const std::byte> piece) -> Result<void> {
    out.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    return {};
  }));
  return out;
}

Result<void> complete_proto(const Model& model, onnx::ModelProto& out) {
  AEGIS_TRY(const std::string bytes, serialise(model));
  if (!out.ParseFromString(bytes))
    return Error{.fault = Fault::internal, .message = "a serialised model does not parse again"};
  return {};
}

namespace {

void declare_cut_tensors(onnx::GraphProto& graph) {
  auto& tensors = *graph.mutable_initializer();
  for (int i = tensors.size() - 1; i >= 0; --i) {
    if (marker(tensors[i]) < 0) continue;
    bool declared = false;
    for (const auto& input : graph.input()) declared = declared || input.name() == tensors[i].name();
    if (!declared) {
      auto* input = graph.add_input();
      input->set_name(tensors[i].name());
      auto* type = input->mutable_type()->mutable_tensor_type();
      type->set_elem_type(tensors[i].data_type());
      type->mutable_shape();
      for (const std::int64_t d : tensors[i].dims()) type->mutable_shape()->add_dim()->set_dim_value(d);
    }
    tensors.DeleteSubrange(i, 1);
  }
}

}  // namespace

void checkable_proto(const Model& model, onnx::ModelProto& out) {
  out.CopyFrom(model.proto());
  declare_cut_tensors(*out.mutable_graph());
  // A cut tensor in a Constant node becomes an input too: the node goes.
  auto& nodes = *out.mutable_graph()->mutable_node();
  for (int i = nodes.size() - 1; i >= 0; --i) {
    if (nodes[i].op_type() != "Constant" || nodes[i].output_size() != 1) continue;
    for (const auto& a : nodes[i].attribute()) {
      if (!a.has_t() || marker(a.t()) < 0) continue;
      auto* tensor = out.mutable_graph()->add_initializer();
      tensor->CopyFrom(a.t());
      tensor->set_name(nodes[i].output(0));
      nodes.DeleteSubrange(i, 1);
      break;
    }
  }
  declare_cut_tensors(*out.mutable_graph());
}

}  // namespace aegis
