#include "ops/cost/formulas.hpp"
#include "ops/fact.hpp"

using namespace aegis;

namespace {

constexpr double good = 0.9;  // an e_quant worth aiming at

// The nearest larger extent with a good e_quant; 0: none below twice the extent.
template <class Quant>
std::int64_t next_better(std::int64_t extent, Quant quant) {
  for (std::int64_t e = (extent / 64 + 1) * 64; e <= 2 * extent; e += 64)
    if (quant(e) >= good) return e;
  return 0;
}

const void* of_node(FactTable& table, NodeId id, aegis_absence& why) {
  aegis_dim m{}, n{}, batch{};
  if (const auto* g = table.get<aegis_gemm>(id, &why)) {
    m = g->m.dim, n = g->n.dim, batch = g->batch.dim;
  } else if (const auto* c = why == AEGIS_UNKNOWN_DIM ? nullptr : table.get<aegis_conv>(id, &why)) {
    m = c->m, n = c->n, batch = table.dim(Dim::of(c->group));
  } else {
    return nullptr;
  }
  if (m.kind != AEGIS_DIM_VALUE || n.kind != AEGIS_DIM_VALUE || batch.kind != AEGIS_DIM_VALUE)
    return why = AEGIS_UNKNOWN_DIM, nullptr;
  if (table.target().tiles.empty() || m.value <= 0 || n.value <= 0 || batch.value <= 0)
    return why = AEGIS_NOT_APPLICABLE, nullptr;
  const Target& target = table.target();
  const WaveCount now = count_waves(batch.value, m.value, n.value, target);
  auto* fact = table.make<aegis_waves>();
  fact->tile_m = static_cast<std::uint32_t>(now.tile.m);
  fact->tile_n = static_cast<std::uint32_t>(now.tile.n);
  fact->tiles = now.tiles;
  fact->waves = now.waves;
  fact->e_tile = now.e_tile;
  fact->e_wave = now.e_wave;
  fact->e_quant = now.e_quant;
  if (now.e_quant < good && now.waves <= 16) {
    fact->next_better_m =
        next_better(m.value, [&](std::int64_t e) { return count_waves(batch.value, e, n.value, target).e_quant; });
    fact->next_better_n =
        next_better(n.value, [&](std::int64_t e) { return count_waves(batch.value, m.value, e, target).e_quant; });
  }
  return fact;
}

}  // namespace

AEGIS_FACT(waves) = {.id = AEGIS_FACT_WAVES, .of_node = of_node};
