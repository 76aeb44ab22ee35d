// The data files that a model refers to, each opened once for all tensors that lie in it.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "model/file.hpp"
#include "model/model.hpp"
#include "model/result.hpp"
#include "model/tensor.hpp"

namespace aegis {

class DataFiles {
 public:
  // As open_external, from a descriptor that is kept for the next tensor.
  Result<TensorSource::Span> open(const TensorSource::External& external);

 private:
  std::map<std::string, std::shared_ptr<const File>> files_;  // by location
};

// Every data file that a tensor of the model names, by location; an error where one cannot be opened.
std::map<std::string, Result<std::shared_ptr<const File>>> data_files_of(const Model::State& state);

}  // namespace aegis
