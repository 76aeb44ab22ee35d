// The central directory at the end of the archive is the truth about sizes and places: numpy writes through streams,
// whose local headers may leave the sizes to be filled in later. Names of fields: PKWARE, APPNOTE.TXT 6.3.
#include "validator/inputs/npz.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "validator/inputs/npy.hpp"

namespace aegis {
namespace {

using View = std::span<const std::byte>;

Error broken(const std::string& where, std::string message) {
  return Error{.fault = Fault::file, .code = {}, .message = std::move(message), .where = where, .notes = {}};
}

std::uint64_t little(View bytes, std::uint64_t at, int width) {
  std::uint64_t value = 0;
  for (int i = 0; i < width; ++i)
    value |= std::to_integer<std::uint64_t>(bytes[at + static_cast<unsigned>(i)]) << (8 * i);
  return value;
}

struct Entry {
  std::string name;
  std::uint64_t method = 0, flags = 0, crc = 0, packed = 0, unpacked = 0, local = 0;
};
struct Directory {
  std::uint64_t offset = 0, size = 0, entries = 0;
};

constexpr std::uint64_t end_size = 22, entry_size = 46, local_size = 30, end64_size = 56, locator_size = 20;
constexpr std::uint64_t unset = 0xffffffffu;

std::optional<Directory> find_directory(View bytes) {
  if (bytes.size() < end_size) return std::nullopt;
  const std::uint64_t last = bytes.size() - end_size, lowest = last > 0xffff ? last - 0xffff : 0;
  for (std::uint64_t at = last + 1; at-- > lowest;) {
    if (little(bytes, at, 4) != 0x06054b50) continue;
    Directory found{
        .offset = little(bytes, at + 16, 4), .size = little(bytes, at + 12, 4), .entries = little(bytes, at + 10, 2)};
    if (at >= locator_size && little(bytes, at - locator_size, 4) == 0x07064b50) {
      const std::uint64_t end64 = little(bytes, at - locator_size + 8, 8);
      if (end64 > bytes.size() || bytes.size() - end64 < end64_size || little(bytes, end64, 4) != 0x06064b50)
        return std::nullopt;
      found = {.offset = little(bytes, end64 + 48, 8),
               .size = little(bytes, end64 + 40, 8),
               .entries = little(bytes, end64 + 32, 8)};
    }
    if (found.offset > bytes.size() || found.size > bytes.size() - found.offset) return std::nullopt;
    return found;
  }
  return std::nullopt;
}

// Values that do not fit 32 bits stand in the zip64 extra field, in this order, only those that are needed.
bool read_zip64(View extra, Entry& entry) {
  for (std::uint64_t at = 0; at + 4 <= extra.size();) {
    const std::uint64_t id = little(extra, at, 2), size = little(extra, at + 2, 2);
    if (size > extra.size() - at - 4) return false;
    if (id == 1) {
      std::uint64_t next = at + 4;
      const std::uint64_t end = next + size;
      for (std::uint64_t* field : {&entry.unpacked, &entry.packed, &entry.local}) {
        if (*field != unset) continue;
        if (next + 8 > end) return false;
        *field = little(extra, next, 8);
        next += 8;
      }
      return true;
    }
    at += 4 + size;
  }
  return entry.unpacked != unset && entry.packed != unset && entry.local != unset;
}

Result<std::vector<Entry>> read_directory(View bytes, const std::string& where) {
  const auto directory = find_directory(bytes);
  if (!directory) return broken(where, "is not a zip archive or ends too early, expected what numpy.savez writes");
  std::vector<Entry> entries;
  std::uint64_t at = directory->offset;
  const std::uint64_t end = directory->offset + directory->size;
  for (std::uint64_t i = 0; i < directory->entries; ++i) {
    if (end - at < entry_size || little(bytes, at, 4) != 0x02014b50)
      return broken(where, "has a damaged directory of its arrays; write it again with numpy.savez");
    const std::uint64_t name = little(bytes, at + 28, 2), extra = little(bytes, at + 30, 2),
                        comment = little(bytes, at + 32, 2);
    if (end - at - entry_size < name + extra + comment)
      return broken(where, "has a damaged directory of its arrays; write it again with numpy.savez");
    Entry entry{.name = {reinterpret_cast<const char*>(bytes.data()) + at + entry_size, static_cast<std::size_t>(name)},
                .method = little(bytes, at + 10, 2),
                .flags = little(bytes, at + 8, 2),
                .crc = little(bytes, at + 16, 4),
                .packed = little(bytes, at + 20, 4),
                .unpacked = little(bytes, at + 24, 4),
                .local = little(bytes, at + 42, 4)};
    if (!read_zip64(bytes.subspan(static_cast<std::size_t>(at + entry_size + name), static_cast<std::size_t>(extra)),
                    entry))
      return broken(where, fmt::format("has no size for '{}'; the archive is damaged", entry.name));
    entries.push_back(std::move(entry));
    at += entry_size + name + extra + comment;
  }
  return entries;
}

Result<Bytes> inflate_entry(View packed, const Entry& entry, const std::string& where) {
  // Deflate never shrinks by more than 1032: a larger claim would only make us reserve memory for a lie.
  constexpr std::uint64_t most = std::numeric_limits<uInt>::max();
  if (entry.unpacked > entry.packed * 1032 + 64 || entry.packed > most || entry.unpacked > most)
    return broken(where,
                  fmt::format("claims {} bytes for '{}' out of {}; the archive is damaged or above 4 GiB an array",
                              entry.unpacked, entry.name, entry.packed));
  Bytes out(static_cast<std::size_t>(entry.unpacked));
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return broken(where, "cannot be unpacked: zlib does not start");
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = inflate(&stream, Z_FINISH);
  const bool whole = result == Z_STREAM_END && stream.total_out == entry.unpacked;
  inflateEnd(&stream);
  if (!whole) return broken(where, fmt::format("cannot be unpacked at '{}'; the archive is damaged", entry.name));
  return out;
}

Result<Tensor> read_entry(View bytes, const Entry& entry, const std::string& where) {
  if (entry.flags & 1)
    return broken(where, fmt::format("has an encrypted array '{}', expected plain ones", entry.name));
  if (entry.local > bytes.size() || bytes.size() - entry.local < local_size ||
      little(bytes, entry.local, 4) != 0x04034b50)
    return broken(where, fmt::format("has no data where '{}' should be; the archive is damaged", entry.name));
  const std::uint64_t skip = local_size + little(bytes, entry.local + 26, 2) + little(bytes, entry.local + 28, 2);
  if (bytes.size() - entry.local < skip || bytes.size() - entry.local - skip < entry.packed)
    return broken(where, fmt::format("ends inside '{}'; the archive is truncated", entry.name));
  View payload = bytes.subspan(static_cast<std::size_t>(entry.local + skip), static_cast<std::size_t>(entry.packed));
  Bytes unpacked;
  if (entry.method == 8) {
    AEGIS_TRY(unpacked, inflate_entry(payload, entry, where));
    payload = unpacked;
  } else if (entry.method != 0 || entry.packed != entry.unpacked) {
    return broken(where, fmt::format("packs '{}' by method {}, expected stored or deflated", entry.name, entry.method));
  }
  const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(payload.data()), payload.size());
  if (crc != entry.crc)
    return broken(where, fmt::format("has a wrong checksum for '{}'; the archive is damaged", entry.name));
  return tensor_from_npy(payload, fmt::format("{}:{}", where, entry.name));
}

}  // namespace

Result<std::map<std::string, Tensor>> tensors_from_npz(View bytes, const std::string& where) {
  AEGIS_TRY(const std::vector<Entry> entries, read_directory(bytes, where));
  std::map<std::string, Tensor> arrays;
  for (const Entry& entry : entries) {
    if (!entry.name.ends_with(".npy")) continue;
    AEGIS_TRY(Tensor tensor, read_entry(bytes, entry, where));
    arrays.insert_or_assign(entry.name.substr(0, entry.name.size() - 4), std::move(tensor));
  }
  if (arrays.empty())
    return broken(where, "holds no .npy array, expected one for each input; write it with numpy.savez");
  return arrays;
}

}  // namespace aegis
