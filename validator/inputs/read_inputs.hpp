// Inputs from a user's files: one array, an archive of arrays, TensorProto files, folders of test_data_set kind.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "validator/inputs/input_spec.hpp"

namespace aegis {

// `path` is
//   a .npz       arrays named as the inputs
//   a .npy, .pb  the one input of a model (a .pb that carries an input's name serves that input)
//   a folder     of test_data_set_N folders; or with input_N.pb, N being the position in the graph's list of inputs;
//                or with NAME.npy or NAME.pb for each input
// An array whose leading extent is a multiple of a fixed batch, or that has one more leading axis than the input, is
// cut into that many sets; arrays that fit as they are serve every set. Types convert when no number changes, and float
// arrays round to a 16-bit input.
// Errors: unreadable files (file); missing inputs, wrong types, shapes that do not fit (usage).
Result<FeedSets> read_inputs(const std::string& path, std::span<const InputSpec> specs);

// The integers of a .npy, of the one array of an .npz, or of a .pb.
Result<std::vector<std::int64_t>> read_labels(const std::string& path);

// One tensor in `type` (undefined: as it is). A 16-bit float type takes f32 rounded; else no number may change.
// Errors (usage): a number that the type does not hold.
Result<Tensor> convert(const Tensor& tensor, DType type, const std::string& what);

// output_N.pb of a folder (or of its first test_data_set_N folder), by N.
Result<std::map<std::size_t, Tensor>> read_outputs(const std::string& folder);

}  // namespace aegis
