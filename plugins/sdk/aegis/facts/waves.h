/* Fact waves, of a GEMM or convolution with known dims: how tiles fill the multiprocessors. */
#ifndef AEGIS_FACTS_WAVES_H
#define AEGIS_FACTS_WAVES_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_WAVES "aegis.fact.waves/1"

typedef struct aegis_waves {
  uint32_t struct_size;
  uint32_t tile_m, tile_n;
  uint32_t zero;
  double tiles, waves;
  double e_tile, e_wave, e_quant;       /* 0..1; e_quant is the best tile's product of both */
  int64_t next_better_m, next_better_n; /* the nearest larger extent with a better e_quant; 0: none */
} aegis_waves;

#ifdef __cplusplus
}
#endif

#endif
