#include "ops/lowering/window.hpp"

#include <algorithm>

namespace aegis {

std::optional<Window> window(Lowering& l, SlotId x, SlotId y, std::span<const std::int64_t> kernel, bool transposed) {
  const int spatial = l.rank(x) - 2;
  const auto axes = static_cast<std::size_t>(std::max(spatial, 0));
  if (spatial < 1 || spatial > 3 || l.rank(y) != l.rank(x) || kernel.size() != axes) {
    l.reject("one to three spatial axes are handled");
    return std::nullopt;
  }
  const auto listed = [&](const char* name, std::int64_t otherwise) {
    auto values = attribute_ints(l.node(), name).value_or(std::vector<std::int64_t>{});
    values.resize(values.empty() ? axes * 2 : values.size(), otherwise);
    values.resize(std::max(values.size(), axes * 2), otherwise);
    return values;
  };
  const auto strides = listed("strides", 1), dilations = listed("dilations", 1), pads = listed("pads", 0),
             output_padding = listed("output_padding", 0);
  const std::string automatic = attribute(l.node(), "auto_pad", "NOTSET");
  const bool same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
  Window w{.spatial = spatial};
  for (std::size_t i = 0; i < axes; ++i) {
    w.in[i] = l.dims(x)[i + 2];
    w.out[i] = l.dims(y)[i + 2];
    w.kernel[i] = kernel[i];
    w.stride[i] = strides[i];
    w.dilation[i] = dilations[i];
    if (w.stride[i] < 1 || w.dilation[i] < 1 || w.kernel[i] < 1) {
      l.reject("kernel, strides and dilations must be positive");
      return std::nullopt;
    }
    const std::int64_t reach = (w.kernel[i] - 1) * w.dilation[i] + 1;
    const bool shaped = transposed && has_attribute(l.node(), "output_shape");
    if (same || shaped) {
      std::int64_t total = transposed ? w.stride[i] * (w.in[i] - 1) + output_padding[i] + reach - w.out[i]
                                      : (w.out[i] - 1) * w.stride[i] + reach - w.in[i];
      total = std::max<std::int64_t>(total, 0);
      // The odd element goes to the end for SAME_UPPER, else to the beginning.
      w.pad[i] = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
      w.pad_end[i] = total - w.pad[i];
    } else if (automatic == "NOTSET" || automatic.empty()) {
      w.pad[i] = pads[i];
      w.pad_end[i] = pads[axes + i];
    }
  }
  return w;
}

}  // namespace aegis
