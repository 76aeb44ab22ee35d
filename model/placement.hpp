// Where each tensor's bytes go when a model is written: into the model file, into a new data file, or nowhere because
// the data file that holds them already stays beside the result.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "model/result.hpp"
#include "model/save.hpp"
#include "model/tensor.hpp"

namespace onnx {
class ModelProto;
class TensorProto;
}  // namespace onnx

namespace aegis {

struct Placement {
  // What goes to the data file, in its order; `tensor` stands in `proto` and waits for the file's name.
  struct Outside {
    TensorSource source;
    onnx::TensorProto* tensor = nullptr;
    std::uint64_t offset = 0;
    bool again = false;  // the same bytes are in the file already, for another tensor
  };

  std::shared_ptr<onnx::ModelProto> proto;
  std::vector<TensorSource> payloads;  // by the markers of proto; spans, owned bytes and recipes
  std::vector<Outside> outside;
  std::uint64_t inline_bytes = 0;  // of the model file
  std::uint64_t data_bytes = 0;
};

// `beside`: the result lies in the folder that the model was loaded from, so its data files are there, too. `data_name`
// is as long as the name that a data file will get.
// Errors: ST514 when the model file would be too large and may not be split; those of open_external.
Result<Placement> place(const Model::State& state, ExternalData wanted, bool beside, const std::string& data_name);

// Enters the data file's name at every tensor that lies in it.
void name_data_file(Placement& placement, const std::string& name);

}  // namespace aegis
