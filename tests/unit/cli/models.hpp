// Models in ONNX text that the tests of the program run on.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "model/load.hpp"
#include "model/save.hpp"
#include "run.hpp"

namespace aegis::test {

// "float[64, 62] w1 = {0.1, ...}": small numbers that the same seed makes again, exact in FP32.
inline std::string initializer(const std::string& name, std::vector<int> dims, std::uint32_t seed) {
  std::string shape, values;
  int count = 1;
  for (int dim : dims) {
    shape += (shape.empty() ? "" : ", ") + std::to_string(dim);
    count *= dim;
  }
  for (int i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    const int value = static_cast<int>(seed >> 20) - 2048;  // -2048 .. 2047
    values += (i ? ", " : "") + std::to_string(static_cast<double>(value) / 8192);
  }
  return "float[" + shape + "] " + name + " = {" + values + "}";
}

// A multilayer perceptron whose hidden size is no multiple of 8.
inline std::string mlp() {
  return "<ir_version: 10, opset_import: [\"\" : 21]>\n"
         "mlp (float[batch, 64] x) => (float[batch, 16] y)\n<" +
         initializer("w1", {64, 62}, 1) + ", " + initializer("b1", {62}, 2) + ", " + initializer("w2", {62, 16}, 3) +
         ">\n{\n"
         "  [fc1] h = MatMul(x, w1)\n"
         "  [bias] hb = Add(h, b1)\n"
         "  [act] a = Relu(hb)\n"
         "  [fc2] y = MatMul(a, w2)\n"
         "}\n";
}

// The same as a binary file.
inline std::string saved_mlp(const Folder& folder) {
  auto model = parse_text(mlp());
  REQUIRE(model);
  std::string path = folder.file("mlp.onnx");
  REQUIRE(save(*model, path, {.overwrite = Overwrite::no}));
  return path;
}

}  // namespace aegis::test
