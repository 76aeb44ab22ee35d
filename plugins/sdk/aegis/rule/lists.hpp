// Lists of the plugin line as ranges, and the static lists of a rule's descriptor.
#pragma once

#include <aegis/aegis.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

namespace aegis::sdk {

// The elements of a list, a step of its maker's stride apart: a host with longer structs than this header's is read
// right. for (const auto& w : Items<aegis_waiting>(list)) ...
template <class T>
class Items {
 public:
  explicit Items(const aegis_list& list)
      : data_(static_cast<const std::byte*>(list.data)), count_(list.count), stride_(list.stride) {}

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T*;
    using reference = const T&;

    Iterator() = default;
    Iterator(const std::byte* at, std::size_t stride) : at_(at), stride_(stride) {}
    const T& operator*() const { return *reinterpret_cast<const T*>(at_); }
    const T* operator->() const { return reinterpret_cast<const T*>(at_); }
    Iterator& operator++() {
      at_ += stride_;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator old = *this;
      at_ += stride_;
      return old;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const std::byte* at_ = nullptr;
    std::size_t stride_ = 0;
  };

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const T& operator[](std::size_t i) const { return *reinterpret_cast<const T*>(data_ + i * stride_); }
  Iterator begin() const { return {data_, stride_}; }
  Iterator end() const { return {data_ + count_ * stride_, stride_}; }

 private:
  const std::byte* data_;
  std::size_t count_, stride_;
};

inline std::span<const aegis_node> items(const aegis_nodes& nodes) {
  return {nodes.data, static_cast<std::size_t>(nodes.count)};
}
inline std::span<const aegis_value> items(const aegis_values& values) {
  return {values.data, static_cast<std::size_t>(values.count)};
}

// A static array as a list of the descriptor: .options = list(options), .bad = list(bad).
template <class T, std::size_t N>
constexpr aegis_list list(const T (&array)[N]) {
  return {array, static_cast<std::uint32_t>(N), static_cast<std::uint32_t>(sizeof(T))};
}

// A string literal as a template argument: ops<"MatMul", "Gemm">.
template <std::size_t N>
struct Literal {
  consteval Literal(const char (&text)[N]) {
    for (std::size_t i = 0; i < N; ++i) data[i] = text[i];
  }
  char data[N];
};

namespace detail {
template <Literal... Texts>
inline constexpr const char* texts[] = {Texts.data...};
}

// Names of operators, of pattern kinds ("@layer_norm"), of silenced codes.
template <Literal... Names>
inline constexpr aegis_list ops = list(detail::texts<Names...>);
template <Literal... Codes>
inline constexpr aegis_list codes = list(detail::texts<Codes...>);

}  // namespace aegis::sdk
