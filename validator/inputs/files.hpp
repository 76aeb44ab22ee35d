// Folders and files as the readers of inputs see them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/result.hpp"
#include "model/tensor.hpp"

namespace aegis {

Result<Bytes> read_bytes(const std::string& path);
Result<Tensor> read_tensor_pb(const std::string& path, std::string* name = nullptr);
Result<void> write_bytes(const std::string& path, std::string_view bytes);

bool is_folder(const std::string& path);
// Names in a folder, sorted.
Result<std::vector<std::string>> list_folder(const std::string& path);
// Entries "<stem>_<N><ending>" with their N, by N: numbered(dir, "input", ".pb").
Result<std::vector<std::pair<std::size_t, std::string>>> numbered(const std::string& folder, std::string_view stem,
                                                                  std::string_view ending);
std::string extension(std::string_view path);  // ".npz"; empty when there is none

}  // namespace aegis
