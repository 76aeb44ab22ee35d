// External data: weights that a model keeps in another file beside it. Looked at when the model is loaded, read when
// bytes are asked for, from a descriptor that was checked again.
#pragma once

#include <limits>

#include "model/model.hpp"
#include "model/result.hpp"
#include "model/tensor.hpp"

namespace aegis {

// Of TensorSource::External: a length that the model does not state, until load has seen the file; an offset or length
// that is no decimal number, which lies past the end of any file.
inline constexpr std::uint64_t to_the_end = std::numeric_limits<std::uint64_t>::max() - 1;
inline constexpr std::uint64_t no_byte_count = std::numeric_limits<std::uint64_t>::max();

// Opens the file that an external payload names, or what a Git LFS or DVC pointer there points to, and checks that the
// payload lies inside it. Errors: IO905 for what the policy refuses, IO906 when there is no such file or it is too
// short, IO902 for a pointer without its object, IO907 when the file is not the one that load saw.
Result<TensorSource::Span> open_external(const TensorSource::External& external);
// The same in a file that is open already.
Result<TensorSource::Span> span_inside(std::shared_ptr<const File> file, const TensorSource::External& external);

// Looks at every data file that a tensor anywhere in a loaded model names: fills in `seen` and unstated lengths of the
// state's sources and adds IO902, IO905 and IO906 to its findings. Reads no weights.
void look_at_external(Model::State& state);

}  // namespace aegis
