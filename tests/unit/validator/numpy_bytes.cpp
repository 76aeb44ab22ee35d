#include "tests/unit/validator/numpy_bytes.hpp"

#include <zlib.h>

#include <cstdint>

namespace aegis {
namespace {

std::string little(std::uint64_t value, int width) {
  std::string text;
  for (int i = 0; i < width; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
  return text;
}

std::string deflated(const std::string& plain) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, plain.size()), '\0');
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

std::string npy_bytes(std::string_view descr, std::string_view shape, std::string_view payload, bool fortran) {
  std::string header = "{'descr': '" + std::string(descr) + "', 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': " + std::string(shape) + ", }";
  while ((header.size() + 11) % 64 != 0) header += ' ';
  header += '\n';
  return "\x93NUMPY" + little(1, 1) + little(0, 1) + little(header.size(), 2) + header + std::string(payload);
}

std::string zip_bytes(const std::vector<std::pair<std::string, std::string>>& files, ZipOptions options) {
  std::string out, directory;
  for (const auto& [name, plain] : files) {
    const std::string packed = options.deflate ? deflated(plain) : plain;
    const std::uint64_t crc = crc32_z(0, reinterpret_cast<const Bytef*>(plain.data()), plain.size());
    const std::string method = little(options.deflate ? 8 : 0, 2), start = little(out.size(), 4);
    const std::string sizes = options.zip64 ? little(0xffffffff, 4) + little(0xffffffff, 4)
                                            : little(packed.size(), 4) + little(plain.size(), 4);
    const std::string extra =
        options.zip64 ? little(1, 2) + little(16, 2) + little(plain.size(), 8) + little(packed.size(), 8) : "";
    const std::string common = little(45, 2) + little(0, 2) + method + little(0, 4) + little(crc, 4) + sizes +
                               little(name.size(), 2) + little(extra.size(), 2);
    out += little(0x04034b50, 4) + common + name + extra + packed;
    directory += little(0x02014b50, 4) + little(45, 2) + common + little(0, 2) + little(0, 2) + little(0, 2) +
                 little(0, 4) + start + name + extra;
  }
  const std::uint64_t at = out.size(), n = files.size();
  out += directory;
  out += little(0x06054b50, 4) + little(0, 2) + little(0, 2) + little(n, 2) + little(n, 2) +
         little(directory.size(), 4) + little(at, 4) + little(0, 2);
  return out;
}

}  // namespace aegis
