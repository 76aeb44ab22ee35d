#include "model/foreign_format.hpp"

#include <span>

namespace aegis {
namespace {

struct Format {
  std::size_t at;  // of the magic bytes in the file
  std::string_view magic;
  std::string_view what;
};

using namespace std::string_view_literals;

constexpr Format formats[] = {
    {0, "\x1f\x8b"sv, "is a gzip archive, expected an ONNX model; unpack it first"},
    {0, "\x28\xb5\x2f\xfd"sv, "is a Zstandard archive, expected an ONNX model; unpack it first"},
    {0,
     "\xfd"
     "7zXZ"sv,
     "is an xz archive, expected an ONNX model; unpack it first"},
    {0, "BZh"sv, "is a bzip2 archive, expected an ONNX model; unpack it first"},
    {257, "ustar"sv, "is a tar archive, expected an ONNX model; unpack it first"},
    {0, "PK\x03\x04"sv,
     "is a zip archive (PyTorch and Keras save models as one), expected an ONNX model; unpack it, or "
     "export the model to ONNX"},
    {4, "ORTM"sv,
     "is a FlatBuffer in ONNX Runtime's own format, expected an ONNX model; give the .onnx file that it "
     "was made from"},
    {4, "TFL3"sv, "is a FlatBuffer of TensorFlow Lite, expected an ONNX model; convert it with tf2onnx"},
    {0, "GGUF"sv, "is a GGUF file, expected an ONNX model; export the model to ONNX from its source"},
    {8, "{\""sv, "is a safetensors file, which holds weights and no graph; export the model to ONNX"},
    {0, "\x89HDF\r\n"sv, "is an HDF5 file (Keras), expected an ONNX model; convert it with tf2onnx"},
    {0, "\x93NUMPY"sv, "is a NumPy array, expected an ONNX model; name the model"},
    {0,
     "\x7f"
     "ELF"sv,
     "is a program or library, expected an ONNX model; name the model"},
    {0, "\x80\x02"sv, "is a Python pickle, expected an ONNX model; export the model to ONNX"},
    {0, "\x80\x04"sv, "is a Python pickle, expected an ONNX model; export the model to ONNX"},
};

// Text formats, after blanks.
constexpr Format texts[] = {
    {0, "<!DOCTYPE"sv, "is an HTML page, not a model; the download probably failed, fetch it again"},
    {0, "<"sv, "is an HTML or XML page, not a model; the download probably failed, fetch it again"},
    {0, "{"sv, "is JSON, expected the binary form of ONNX; convert it with onnx.load and onnx.save"},
    {0, "ir_version:"sv, "is protobuf text, expected the binary form of ONNX; convert it with onnx.load and onnx.save"},
    {0, "graph {"sv, "is protobuf text, expected the binary form of ONNX; convert it with onnx.load and onnx.save"},
    {0, "opset_import {"sv,
     "is protobuf text, expected the binary form of ONNX; convert it with onnx.load and onnx.save"},
};

std::string_view first_match(std::span<const Format> known, std::string_view head) {
  for (const Format& f : known)
    if (head.size() > f.at && head.substr(f.at).starts_with(f.magic)) return f.what;
  return {};
}

}  // namespace

std::string_view foreign_format(std::string_view head) {
  if (const auto what = first_match(formats, head); !what.empty()) return what;
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first == head.npos ? std::string_view() : first_match(texts, head.substr(first));
}

}  // namespace aegis
