// Memory that a check borrows: what the host hands out during one call and lets go when `check` returns.
#pragma once

#include <aegis/aegis.h>

#include <cstdint>
#include <list>
#include <string>
#include <vector>

#include "linter/abi.hpp"
#include "model/tensor.hpp"

namespace aegis::host {

class Arena {
 public:
  aegis_str text(std::string text) { return abi::str(texts_.emplace_back(std::move(text))); }
  aegis_list list(std::vector<std::int64_t> items) { return keep(integers_, std::move(items)); }
  aegis_list list(std::vector<double> items) { return keep(numbers_, std::move(items)); }
  aegis_list list(std::vector<aegis_str> items) { return keep(strings_, std::move(items)); }
  aegis_list list(std::vector<aegis_dim> items) { return keep(dims_, std::move(items)); }
  aegis_nodes nodes(std::vector<aegis_node> items) {
    const auto& own = nodes_.emplace_back(std::move(items));
    return {own.data(), own.size()};
  }
  // The struct points into the tensor's shared bytes.
  const aegis_tensor* tensor(Tensor tensor);

 private:
  // Lists: an arena is made for each unit, most hand nothing out, and an empty list holds no memory.
  template <class T>
  static aegis_list keep(std::list<std::vector<T>>& in, std::vector<T> items) {
    const auto& own = in.emplace_back(std::move(items));
    return {own.data(), static_cast<std::uint32_t>(own.size()), static_cast<std::uint32_t>(sizeof(T))};
  }

  std::list<std::string> texts_;
  std::list<std::vector<std::int64_t>> integers_;
  std::list<std::vector<double>> numbers_;
  std::list<std::vector<aegis_str>> strings_;
  std::list<std::vector<aegis_dim>> dims_;
  std::list<std::vector<aegis_node>> nodes_;
  std::list<Tensor> tensors_;
  std::list<aegis_tensor> views_;
};

inline const aegis_tensor* Arena::tensor(Tensor tensor) {
  const Tensor& own = tensors_.emplace_back(std::move(tensor));
  return &views_.emplace_back(aegis_tensor{.dtype = static_cast<aegis_dtype>(own.type),
                                           .rank = static_cast<std::uint32_t>(own.dims.size()),
                                           .dims = own.dims.data(),
                                           .data = own.data ? own.data->data() : nullptr,
                                           .bytes = own.data ? own.data->size() : 0});
}

}  // namespace aegis::host
