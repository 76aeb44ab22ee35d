// OutputJudge: one output over all input sets. The worst set decides; the figures that are reported are the worst.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "validator/compare/degenerate.hpp"
#include "validator/compare/gates.hpp"
#include "validator/compare/metrics.hpp"
#include "validator/validate.hpp"

namespace aegis {

class OutputJudge {
 public:
  // `last` and `operand_name`: the final activation of the output and the value in front of it, when there is one.
  // `constant_by_right`: no graph input reaches the output.
  OutputJudge(std::string name, Gate gate, std::optional<FinalActivation> last, std::string operand_name,
              bool constant_by_right);

  // The output of one set before and after, and the operands of the final activation (null when not at hand).
  // Errors: shapes or types that cannot be compared.
  Result<void> add(const std::string& set, const Tensor& before, const Tensor& after, const Tensor* operand_before,
                   const Tensor* operand_after);

  OutputAccuracy finish() const;
  bool judged() const { return sets_ > 0; }

 private:
  // True when no set before had a larger relative error.
  bool keep_worst(const Metrics& metrics, const std::vector<std::int64_t>& dims, const std::string& set);

  Gate gate_;
  std::optional<FinalActivation> last_;
  std::string operand_name_;
  bool constant_by_right_ = false;
  int sets_ = 0;

  OutputAccuracy worst_;
  std::optional<Metrics> all_, operand_all_;  // over the sets
  RowHits hits_;
  Judgement verdict_, operand_verdict_;
  std::string deciding_set_;  // the set behind verdict_; empty while that is a pass
  std::optional<double> operand_snr_;
  bool rescued_ = false;  // a set failed on the output and was judged on the operand
};

}  // namespace aegis
