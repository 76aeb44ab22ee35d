#include "validator/compare/task_score.hpp"

#include <fmt/format.h>

#include <span>

#include "validator/compare/agreement.hpp"

namespace aegis {

void TaskScore::add(const std::vector<Tensor>& before, const std::vector<Tensor>& after) {
  for (std::size_t o = 0; o < before.size(); ++o) {
    const Tensor& scores = before[o];
    if (!is_float(scores.type) || scores.dims.size() < 2 || scores.dims.back() < 2 || after[o].dims != scores.dims)
      continue;
    classes_ = scores.dims.back();
    const auto rows = static_cast<std::uint64_t>(scores.elements() / scores.dims.back());
    if (rows_ + rows <= labels_.size()) {
      const auto labels = std::span(labels_).subspan(static_cast<std::size_t>(rows_), static_cast<std::size_t>(rows));
      right_before_ += right_answers(scores, labels);
      right_after_ += right_answers(after[o], labels);
    }
    rows_ += rows;  // more than there are labels: finish() says so
    output_ = o;
    return;
  }
}

Result<TaskScore::Score> TaskScore::finish(bool partial, const std::string& where) const {
  if (rows_ == 0 || rows_ > labels_.size() || (rows_ != labels_.size() && !partial))
    return Error{.fault = Fault::usage,
                 .code = {},
                 .message = fmt::format("{} labels were given for {} rows of class scores; give one for each row",
                                        labels_.size(), rows_),
                 .where = where,
                 .notes = {}};
  for (const std::int64_t label : std::span(labels_).first(static_cast<std::size_t>(rows_)))
    if (label < 0 || label >= classes_)
      return Error{.fault = Fault::usage,
                   .message = fmt::format("label {} is no class, the output has classes 0 to {}; count classes from 0",
                                          label, classes_ - 1),
                   .where = where};
  const auto n = static_cast<double>(rows_);
  return Score{.output = output_,
               .n = rows_,
               .top1_before = static_cast<double>(right_before_) / n,
               .top1_after = static_cast<double>(right_after_) / n};
}

}  // namespace aegis
