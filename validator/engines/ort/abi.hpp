// The part of ONNX Runtime's C interface that Aegis calls. The function table is append-only and its version 1 is that
// of every release since 1.0, so the places of these functions are fixed; no header of theirs is needed to build.
// Source of the order: onnxruntime_c_api.h, struct OrtApi.
#pragma once

#include <cstddef>
#include <cstdint>

namespace aegis::ort {

struct Status;
struct Env;
struct Session;
struct Value;
struct MemoryInfo;
struct SessionOptions;
struct RunOptions;
struct TensorInfo;

using Table = void* const*;
struct Base {
  Table (*get_api)(std::uint32_t version);
  const char* (*version)();
};
using GetBase = const Base* (*)();

// A function of the table: its place and its type.
template <std::size_t place, class Function>
struct Slot;
template <std::size_t place, class Return, class... Arguments>
struct Slot<place, Return(Arguments...)> {
  static Return call(Table table, Arguments... arguments) {
    return reinterpret_cast<Return (*)(Arguments...)>(table[place])(arguments...);
  }
};

using GetErrorMessage = Slot<2, const char*(const Status*)>;
using CreateEnv = Slot<3, Status*(int severity, const char* name, Env** out)>;
using CreateSessionFromArray =
    Slot<8, Status*(const Env*, const void* model, std::size_t bytes, const SessionOptions*, Session** out)>;
using Run = Slot<9, Status*(Session*, const RunOptions*, const char* const* input_names, const Value* const* inputs,
                            std::size_t inputs_count, const char* const* output_names, std::size_t outputs_count,
                            Value** outputs)>;
using CreateSessionOptions = Slot<10, Status*(SessionOptions** out)>;
using SetOptimizationLevel = Slot<23, Status*(SessionOptions*, int level)>;
using SetIntraOpThreads = Slot<24, Status*(SessionOptions*, int threads)>;
using CreateTensorWithData = Slot<49, Status*(const MemoryInfo*, void* data, std::size_t bytes,
                                              const std::int64_t* dims, std::size_t rank, int type, Value** out)>;
using GetTensorData = Slot<51, Status*(Value*, void** out)>;
using GetElementType = Slot<60, Status*(const TensorInfo*, int* out)>;
using GetRank = Slot<61, Status*(const TensorInfo*, std::size_t* out)>;
using GetDims = Slot<62, Status*(const TensorInfo*, std::int64_t* dims, std::size_t rank)>;
using GetTensorInfo = Slot<65, Status*(const Value*, TensorInfo** out)>;
using CreateCpuMemoryInfo = Slot<69, Status*(int allocator, int memory, MemoryInfo** out)>;
using ReleaseEnv = Slot<92, void(Env*)>;
using ReleaseStatus = Slot<93, void(Status*)>;
using ReleaseMemoryInfo = Slot<94, void(MemoryInfo*)>;
using ReleaseSession = Slot<95, void(Session*)>;
using ReleaseValue = Slot<96, void(Value*)>;
using ReleaseTensorInfo = Slot<99, void(TensorInfo*)>;
using ReleaseSessionOptions = Slot<100, void(SessionOptions*)>;

inline constexpr int severity_fatal = 4, arena_allocator = 1, default_memory = 0;
inline constexpr int optimise_nothing = 0, optimise_everything = 99;

}  // namespace aegis::ort
