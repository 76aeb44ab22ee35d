// .npy and .npz bytes as numpy writes them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aegis {

std::string npy_bytes(std::string_view descr, std::string_view shape, std::string_view payload, bool fortran = false);

struct ZipOptions {
  bool deflate = false;
  bool zip64 = false;  // sizes in the extra field, as numpy does for large arrays
};
std::string zip_bytes(const std::vector<std::pair<std::string, std::string>>& files, ZipOptions options = {});

// The bytes of an array of numbers.
template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace aegis
