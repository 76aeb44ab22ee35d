// Observers of a run: keep some values, or all of them up to a limit.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "exec/run.hpp"
#include "validator/compare/crop.hpp"
#include "validator/compare/pairing.hpp"

namespace aegis {

// Keeps the values that it was asked for, of the last run.
class Taps final : public Observer {
 public:
  void want(ValueId value) { wanted_.insert(value); }
  void clear() { kept_.clear(); }
  const Tensor* find(ValueId value) const {
    const auto at = kept_.find(value);
    return at == kept_.end() ? nullptr : &at->second;
  }
  void value(NodeId, ValueId id, const Tensor& tensor) override {
    if (wanted_.contains(id)) kept_.insert_or_assign(id, tensor);
  }

 private:
  std::set<ValueId> wanted_;
  std::map<ValueId, Tensor> kept_;
};

// Keeps every value once, until `limit` bytes are held; then it says so.
class Recorder final : public Observer {
 public:
  explicit Recorder(std::uint64_t limit) : limit_(limit) {}
  struct Seen {
    NodeId node;
    ValueId value;
  };
  const Tensor* find(ValueId id) const {
    const auto at = kept_.find(id);
    return at == kept_.end() ? nullptr : &at->second;
  }
  const std::vector<Seen>& order() const { return order_; }
  bool full() const { return full_; }
  void value(NodeId node, ValueId id, const Tensor& tensor) override {
    if (kept_.contains(id)) return;
    const std::uint64_t size = tensor.data ? tensor.data->size() : 0;
    if (held_ + size > limit_) {
      full_ = true;
      return;
    }
    held_ += size;
    order_.push_back({node, id});
    kept_.emplace(id, tensor);
  }

 private:
  std::uint64_t limit_, held_ = 0;
  bool full_ = false;
  std::vector<Seen> order_;
  std::map<ValueId, Tensor> kept_;
};

}  // namespace aegis
