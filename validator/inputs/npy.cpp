#include "validator/inputs/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace aegis {
namespace {

Error broken(const std::string& where, std::string message) {
  return Error{.fault = Fault::file, .code = {}, .message = std::move(message), .where = where, .notes = {}};
}

struct Header {
  std::string_view descr;
  bool fortran = false;
  std::vector<std::int64_t> shape;
};

std::string_view strip(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

// What follows 'key': in the literal of a dict, up to the end of the text.
std::optional<std::string_view> after_key(std::string_view dict, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const std::string quoted = quote + std::string(key) + quote;
    const auto at = dict.find(quoted);
    if (at == std::string_view::npos) continue;
    std::string_view rest = strip(dict.substr(at + quoted.size()));
    if (rest.empty() || rest.front() != ':') return std::nullopt;
    return strip(rest.substr(1));
  }
  return std::nullopt;
}

std::optional<Header> parse_header(std::string_view dict) {
  Header header;
  const auto descr = after_key(dict, "descr"), order = after_key(dict, "fortran_order"),
             shape = after_key(dict, "shape");
  if (!descr || !order || !shape || descr->empty() || shape->empty() || shape->front() != '(') return std::nullopt;
  const char quote = descr->front();
  if (quote != '\'' && quote != '"') return std::nullopt;  // a list: a structured type
  const auto end = descr->find(quote, 1);
  if (end == std::string_view::npos) return std::nullopt;
  header.descr = descr->substr(1, end - 1);
  if (!order->starts_with("True") && !order->starts_with("False")) return std::nullopt;
  header.fortran = order->starts_with("True");
  const auto close = shape->find(')');
  if (close == std::string_view::npos) return std::nullopt;
  for (std::string_view rest = strip(shape->substr(1, close - 1)); !rest.empty();) {
    std::int64_t extent = 0;
    const auto [stop, fault] = std::from_chars(rest.data(), rest.data() + rest.size(), extent);
    if (fault != std::errc() || extent < 0) return std::nullopt;
    header.shape.push_back(extent);
    rest = strip(rest.substr(static_cast<std::size_t>(stop - rest.data())));
    if (!rest.empty() && rest.front() != ',') return std::nullopt;
    if (!rest.empty()) rest = strip(rest.substr(1));
  }
  return header;
}

std::optional<DType> element_type(std::string_view code) {
  constexpr std::pair<std::string_view, DType> table[] = {
      {"f4", DType::f32}, {"f8", DType::f64}, {"f2", DType::f16}, {"V2", DType::bf16}, {"b1", DType::boolean},
      {"i1", DType::i8},  {"u1", DType::u8},  {"i2", DType::i16}, {"u2", DType::u16},  {"i4", DType::i32},
      {"u4", DType::u32}, {"i8", DType::i64}, {"u8", DType::u64}, {"c8", DType::c64},  {"c16", DType::c128}};
  for (const auto& [known, type] : table)
    if (known == code) return type;
  return std::nullopt;
}

// Column-major elements into row-major order.
void reorder(std::span<const std::byte> from, const std::vector<std::int64_t>& dims, std::size_t size, std::byte* to) {
  std::vector<std::int64_t> stride(dims.size(), 1), at(dims.size(), 0);
  for (std::size_t axis = 1; axis < dims.size(); ++axis) stride[axis] = stride[axis - 1] * dims[axis - 1];
  const std::int64_t total = element_count(dims);
  for (std::int64_t flat = 0; flat < total; ++flat) {
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < dims.size(); ++axis) place += at[axis] * stride[axis];
    std::memcpy(to + static_cast<std::size_t>(flat) * size, from.data() + static_cast<std::size_t>(place) * size, size);
    for (std::size_t axis = dims.size(); axis > 0 && ++at[axis - 1] == dims[axis - 1]; --axis) at[axis - 1] = 0;
  }
}

}  // namespace

Result<Tensor> tensor_from_npy(std::span<const std::byte> bytes, const std::string& where) {
  constexpr std::string_view magic = "\x93NUMPY";
  if (bytes.size() < 10 || std::memcmp(bytes.data(), magic.data(), magic.size()) != 0)
    return broken(where, "is not a .npy array, expected the bytes \\x93NUMPY; write it with numpy.save");
  const auto byte = [&](std::size_t i) { return std::to_integer<std::size_t>(bytes[i]); };
  const std::size_t major = byte(6), start = major == 1 ? 10 : 12;
  if (major < 1 || major > 3) return broken(where, fmt::format("is a .npy of version {}, expected 1 to 3", major));
  if (bytes.size() < start) return broken(where, "ends inside its header; the file is truncated");
  std::size_t length = byte(8) | byte(9) << 8;
  if (major > 1) length |= byte(10) << 16 | byte(11) << 24;
  if (bytes.size() - start < length) return broken(where, "ends inside its header; the file is truncated");
  const auto header = parse_header({reinterpret_cast<const char*>(bytes.data()) + start, length});
  if (!header || header->descr.empty())
    return broken(where, "has a header that is no plain array's; structured types are not read");
  std::string_view code = header->descr;
  const char order = code.front();
  if (order == '<' || order == '>' || order == '|' || order == '=') code.remove_prefix(1);
  const auto type = element_type(code);
  if (!type)
    return broken(where,
                  fmt::format("holds elements of type '{}', expected numbers or booleans; objects and text are not "
                              "read",
                              header->descr));
  const std::uint64_t expected = raw_bytes(*type, static_cast<std::uint64_t>(element_count(header->shape)));
  const std::span<const std::byte> payload = bytes.subspan(start + length);
  if (payload.size() != expected)
    return broken(where, fmt::format("holds {} bytes of elements, its type and shape ask for {}; the file is {}",
                                     payload.size(), expected, payload.size() < expected ? "truncated" : "damaged"));
  Tensor out = Tensor::zeros(*type, header->shape);
  const auto size = static_cast<std::size_t>(bits(*type) / 8);
  if (header->fortran && header->shape.size() > 1)
    reorder(payload, header->shape, size, out.data->data());
  else
    std::ranges::copy(payload, out.data->begin());
  if (order == '>') {
    const std::size_t part = *type == DType::c64 || *type == DType::c128 ? size / 2 : size;
    for (auto at = out.data->begin(); at != out.data->end(); at += static_cast<std::ptrdiff_t>(part))
      std::reverse(at, at + static_cast<std::ptrdiff_t>(part));
  }
  return out;
}

}  // namespace aegis
