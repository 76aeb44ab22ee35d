#include "exec/execute.hpp"

#include <fmt/format.h>

#include <type_traits>

#include "exec/kernels/host.hpp"
#include "exec/kernels/kernel.hpp"

namespace aegis {
namespace {

class Run {
 public:
  Run(const Program& program, const Memory& memory, Parallel& parallel)
      : program_(program), memory_(memory), parallel_(parallel), slots_(program.slots.size()) {}

  void set(std::size_t slot, const Tensor& tensor) { slots_[slot] = tensor; }
  std::vector<Tensor> outputs() {
    const auto first = slots_.begin() + static_cast<std::ptrdiff_t>(program_.inputs);
    return {std::make_move_iterator(first),
            std::make_move_iterator(first + static_cast<std::ptrdiff_t>(program_.outputs))};
  }

  Result<void> call(const PrimCall& call) {
    std::vector<kernels::In> in;
    for (const SlotId slot : call.in) {
      if (slot == no_slot) {
        in.emplace_back();
        continue;
      }
      const Tensor& tensor = at(slot);
      if (!tensor.data)
        return Error{
            Fault::internal, "", fmt::format("slot {} is read before it is made: {}", slot, print(call)), "", {}};
      in.push_back({tensor.type, tensor.dims, tensor.data->data()});
    }
    return std::visit([&](const auto& params) { return run(params, call, in); }, call.params);
  }

 private:
  Tensor& at(SlotId slot) { return slots_[static_cast<std::size_t>(slot)]; }
  const Slot& declared(SlotId slot) const { return program_.slots[static_cast<std::size_t>(slot)]; }

  Result<void> run(const AliasParams&, const PrimCall& call, std::vector<kernels::In>&) {
    const Tensor& source = at(call.in[0]);
    const Slot& target = declared(call.out[0]);
    if (element_count(target.dims) != source.elements())
      return Error{
          Fault::validation,
          "",
          fmt::format("[{}] cannot be seen as [{}]", fmt::join(source.dims, ", "), fmt::join(target.dims, ", ")),
          "",
          {}};
    at(call.out[0]) = Tensor{target.type, target.dims, source.data};
    return {};
  }
  Result<void> run(const HostParams& params, const PrimCall& call, std::vector<kernels::In>& in) {
    AEGIS_TRY(at(call.out[0]), kernels::run_host(params, in, memory_));
    return {};
  }
  template <class Params>
  Result<void> run(const Params& params, const PrimCall& call, std::vector<kernels::In>& in) {
    std::vector<kernels::Out> out;
    for (const SlotId slot : call.out) {
      if (slot == no_slot) {
        out.emplace_back();
        continue;
      }
      const Slot& target = declared(slot);
      if (!target.known) return Error{Fault::validation, "", "the extents of an output are not known", "", {}};
      Tensor& tensor = at(slot);
      if (!tensor.data) {
        AEGIS_TRY(tensor, memory_.allocate(target.type, target.dims));
      }
      out.push_back({tensor.type, tensor.dims, tensor.data->data()});
    }
    return kernels::run(params, in, out, parallel_);
  }

  const Program& program_;
  const Memory& memory_;
  Parallel& parallel_;
  std::vector<Tensor> slots_;
};

}  // namespace

Result<std::vector<Tensor>> execute(const Program& program, std::span<const Tensor* const> inputs, const Memory& memory,
                                    Parallel& parallel) {
  Run run(program, memory, parallel);
  for (std::size_t i = 0; i < program.inputs && i < inputs.size(); ++i)
    if (inputs[i]) run.set(i, *inputs[i]);
  for (const auto& [slot, tensor] : program.constants) run.set(static_cast<std::size_t>(slot), tensor);
  for (const PrimCall& call : program.calls) AEGIS_CHECK(run.call(call));
  return run.outputs();
}

}  // namespace aegis
