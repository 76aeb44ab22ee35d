// Target: a description of hardware as the cost model sees it. Made from the device table (ops/data/devices.toml in the
// binary, or a user's file of the same form). Every peak is dense.
#pragma once

#include <aegis/aegis.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/dtype.hpp"
#include "model/result.hpp"

namespace aegis {

// How something is computed: an element type, or from 256 on a way of computing such as AEGIS_DTYPE_TF32.
using Compute = aegis_dtype;
constexpr Compute compute_of(DType type) { return static_cast<Compute>(type); }
// "bf16", "tf32", "fp8": the words of --as and of the device table; nullopt for an unknown word.
std::optional<Compute> compute_from_name(std::string_view name);
std::string_view compute_name(Compute compute);
// Bytes that one element takes in memory when computed this way; 0 when unknown.
double storage_bytes(Compute compute);

struct Rate {
  Compute compute = 0;
  double tflops = 0;   // TFLOP/s; TOP/s for int8
  double ceiling = 0;  // reachable share of tflops: measured / tflops, else the table's gemm_ceiling
  double ridge = 0;    // FLOP/byte
  bool measured = false;
  aegis_confidence confidence = AEGIS_CONFIDENCE_NONE;
};

struct Tile {
  std::int64_t m = 0, n = 0;
};

// Multiples in elements that contiguous dims should have.
struct Alignment {
  std::uint32_t kind = AEGIS_ALIGN_NONE;  // SOFT: others run slower; HARD: the library refuses others
  std::int64_t tier1 = 1;                 // the fast path, or the hard multiple
  std::int64_t tier2 = 1;                 // the best
  std::int64_t sparse = 1;                // 2:4 sparsity (16-bit), vectorised convolutions (int8)
};

struct Target {
  std::string id, arch;
  std::vector<std::string> names;  // exact names that the driver reports
  int cc = 0;                      // compute capability: 80, 90, 120
  int sm_count = 0, blocks_per_sm = 1;
  double mem_bw_gbs = 0, bandwidth_fraction = 1, l2_bytes = 0, mem_bytes = 0;
  double launch_us_stream = 0, launch_us_graph = 0, host_link_gbs = 0, host_sync_us = 0;
  double fast_path_bytes = 16, best_bytes = 16;
  std::vector<Rate> rates;
  std::vector<Tile> tiles;

  // Null: no Tensor Core path in that type, or its rate is unknown.
  const Rate* rate(Compute compute) const;
  Alignment alignment(Compute compute) const;
};

// The way a product over elements of `stored` is computed on a target: FLOAT is TF32 where the target has it and
// `tf32` allows it; TF32 on a target without it is FLOAT.
Compute product_compute(const Target& target, Compute stored, bool tf32 = true);

class DeviceTable {
 public:
  // `where` names the text in errors.
  static Result<DeviceTable> read(std::string_view toml, std::string_view where);
  static const Result<DeviceTable>& builtin();  // read once a process

  // By id or alias; case and '-' do not matter. Errors name the nearest known id.
  Result<Target> find(std::string_view name) const;
  // By the driver's name for the device; parts that share a name are told apart by sm_count. Null: not listed.
  const Target* by_device_name(std::string_view name, int sm_count) const;
  const std::vector<Target>& devices() const { return devices_; }
  const std::vector<std::pair<std::string, std::string>>& aliases() const { return aliases_; }

 private:
  std::vector<Target> devices_;
  std::vector<std::pair<std::string, std::string>> aliases_;
};

}  // namespace aegis
