// Writing a model: an unchanged one is copied byte for byte, with its data files; an edited one is serialised
// deterministically with its payloads spliced in. A file appears whole or not at all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.hpp"
#include "model/result.hpp"

namespace aegis {

// Protobuf refuses messages of 2 GiB and more.
inline constexpr std::uint64_t max_inline_bytes = (1ull << 31) - 1;

enum class Overwrite : std::uint8_t {
  no,        // a new name
  yes,       // also over a file that stands there, when no model of this run reads it
  in_place,  // over the model itself, when that is its only name
};

enum class ExternalData : std::uint8_t {
  automatic,  // data files stay as they are; large tensors move to a new one when the model file would be too large
  never,      // everything in the model file
  always,     // large tensors go to a data file
};

struct SaveOptions {
  Overwrite overwrite = Overwrite::no;
  ExternalData external_data = ExternalData::automatic;
  bool allow_growth = false;  // also when the result is much larger than what was loaded
};

struct Saved {
  std::uint64_t bytes = 0, data_bytes = 0;  // of the model file and of the data file written with it
  bool copied = false;                      // the model file is the one that was loaded, byte for byte
  std::vector<std::string> data_files;      // written, by their place beside the model; one that was there already, too
  std::vector<Error> not_copied;            // data files of an unchanged model that cannot be read: it still names them
  std::vector<std::string> unused;          // beside the result: data files of its name that it does not use, and what
                                            // an interrupted run left
};

// Errors: the system's reason when something cannot be written, IO907 when a source changed meanwhile, ST514 when the
// result does not fit one file and may not be split, and what check_target says. What stood at `path` is untouched
// then, and no new file is left.
Result<Saved> save(const Model& model, const std::string& path, const SaveOptions& options = {});
// Whether a result of `model` may be written to `path`: not over what is there, nor over an input, unless `overwrite`
// says so.
Result<void> check_target(const Model& model, const std::string& path, Overwrite overwrite);
// Refuses links and files with more than one name, whose other names would see the change.
Result<void> check_in_place(const std::string& path);
// Any file, in the same way: whole or not at all.
Result<void> save_bytes(std::string_view bytes, const std::string& path, Overwrite overwrite);

// A whole model as the bytes of one file, but for what lies in data files.
Result<std::string> serialise(const Model& model);
// The whole ModelProto with every payload back in it, for libraries that want complete tensors.
Result<void> complete_proto(const Model& model, onnx::ModelProto& out);
// The skeleton with each cut tensor declared as a graph input, so that ONNX's checker and inference accept it.
void checkable_proto(const Model& model, onnx::ModelProto& out);

}  // namespace aegis
