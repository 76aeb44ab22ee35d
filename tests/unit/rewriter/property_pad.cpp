// Random graphs of the operators that have padding rows: the planner pads or refuses, and never changes a bit, an
// input, an output or its own mind. The seeds are fixed; AEGIS_PROPERTY_RUNS asks for more of them.
#include <cstdlib>

#include "tests/unit/rewriter/pad_lab.hpp"

namespace aegis {
namespace {

using namespace lab;

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint32_t>(n)); }
  template <class T>
  const T& of(const std::vector<T>& items) {
    return items[static_cast<std::size_t>(below(static_cast<int>(items.size())))];
  }

 private:
  std::mt19937 engine_;
};

struct Made {
  std::string name;
  int width = 0;
};

class Graph {
 public:
  explicit Graph(std::uint32_t seed) : random_(seed), seed_(seed) {}

  std::string dense() {
    values_ = {{"x", 16}};
    const int steps = 3 + random_.below(9);
    for (int i = 0; i < steps; ++i) dense_step();
    const Made last = values_.back();
    const std::string w = constant({last.width, 8});
    body_ += " y = MatMul(" + last.name + ", " + w + ")";
    std::string outputs = "float[3,8] y";
    if (random_.below(4) == 0 && values_.size() > 1) {
      const Made seen = random_.of(values_);
      body_ += " seen = Identity(" + seen.name + ")";
      outputs += ", float[3," + std::to_string(seen.width) + "] seen";
    }
    return text("float[3,16] x", outputs);
  }

  std::string convolution() {
    values_ = {{"x", 8}};
    const int steps = 3 + random_.below(7);
    for (int i = 0; i < steps; ++i) conv_step();
    const Made last = values_.back();
    if (random_.below(2) == 0) {
      body_ += " gap = GlobalAveragePool(" + last.name + ") flat = Flatten(gap)";
      body_ += " y = Gemm<transB = 1>(flat, " + constant({8, last.width}) + ")";
    } else {
      body_ += " flat = Flatten(" + last.name + ") y = MatMul(flat, " + constant({last.width * 16, 8}) + ")";
    }
    return text("float[2,8,4,4] x", "float[2,8] y");
  }

 private:
  std::string text(const std::string& inputs, const std::string& outputs) const {
    return "<ir_version: 10, opset_import: [\"\": 20]> g (" + inputs + ") => (" + outputs + ") <" + weights_ + "> {" +
           body_ + " }";
  }
  std::string constant(const Shape& shape) {
    const std::string name = "w" + std::to_string(seed_) + "_" + std::to_string(count_++);
    weights_ += (weights_.empty() ? "" : ", ") + weight(name, shape);
    return name;
  }
  std::string integers(const std::vector<int>& numbers) {
    const std::string name = "i" + std::to_string(count_++);
    weights_ +=
        (weights_.empty() ? "" : ", ") + std::string("int64[") + std::to_string(numbers.size()) + "] " + name + " = {";
    for (std::size_t i = 0; i < numbers.size(); ++i) weights_ += (i > 0 ? "," : "") + std::to_string(numbers[i]);
    weights_ += "}";
    return name;
  }
  std::string add(const std::string& call, int width) {
    const std::string name = "v" + std::to_string(count_++);
    body_ += " " + name + " = " + call;
    values_.push_back({name, width});
    return name;
  }
  // The newest value most of the time, so that chains grow long.
  Made pick() { return random_.below(3) == 0 ? random_.of(values_) : values_.back(); }
  std::vector<Made> like(int width) const {
    std::vector<Made> out;
    for (const Made& value : values_) {
      if (value.width == width) out.push_back(value);
    }
    return out;
  }

  void unary(const Made& v) {
    const std::vector<std::string> ops = {"Relu",      "Tanh", "Sigmoid", "Softplus", "Sin",         "Cos",
                                          "HardSwish", "Abs",  "Neg",     "Identity", "Erf",         "LeakyRelu",
                                          "Elu",       "Gelu", "Floor",   "Sign",     "HardSigmoid", "Softsign"};
    add(random_.of(ops) + "(" + v.name + ")", v.width);
  }

  void dense_step() {
    const Made v = pick();
    const int width = random_.of(std::vector<int>{5, 8, 10, 12, 13, 16, 20});
    switch (random_.below(17)) {
      case 0:
      case 1:
      case 2: add("MatMul(" + v.name + ", " + constant({v.width, width}) + ")", width); break;
      case 3:
        add("Gemm<transB = 1, beta = 0.5>(" + v.name + ", " + constant({width, v.width}) + ", " + constant({width}) +
                ")",
            width);
        break;
      case 4: add("Add(" + v.name + ", " + constant({v.width}) + ")", v.width); break;
      case 5: add("Mul(" + constant({v.width}) + ", " + v.name + ")", v.width); break;
      case 6:
      case 7: unary(v); break;
      case 8: {
        const Made w = random_.of(like(v.width));
        add(random_.of(std::vector<std::string>{"Add", "Mul", "Sub", "Max", "Min"}) + "(" + v.name + ", " + w.name +
                ")",
            v.width);
        break;
      }
      case 9: {
        const Made w = pick();
        add("Concat<axis = 1>(" + v.name + ", " + w.name + ")", v.width + w.width);
        break;
      }
      case 10: {
        const int cut = 1 + random_.below(v.width - 1);
        const std::string bounds = integers({cut, v.width - cut});
        const std::string a = "v" + std::to_string(count_++), b = "v" + std::to_string(count_++);
        body_ += " " + a + ", " + b + " = Split<axis = 1>(" + v.name + ", " + bounds + ")";
        if (cut > 1) values_.push_back({a, cut});
        if (v.width - cut > 1) values_.push_back({b, v.width - cut});
        break;
      }
      case 11: add("Softmax<axis = 1>(" + v.name + ")", v.width); break;
      case 12: {
        const std::string sum =
            random_.of(std::vector<std::string>{"ReduceSum", "ReduceMean", "ReduceMax", "ReduceL2"});
        const std::string name = "v" + std::to_string(count_++);
        body_ += " " + name + " = " + sum + "(" + v.name + ", " + integers({1}) + ")";
        add("Add(" + v.name + ", " + name + ")", v.width);
        break;
      }
      case 13: {
        if (v.width % 2 != 0) return unary(v);
        const std::string split = integers({3, 2, v.width / 2}), back = integers({0, -1});
        const std::string r = "v" + std::to_string(count_++), t = "v" + std::to_string(count_++);
        body_ += " " + r + " = Reshape(" + v.name + ", " + split + ")";
        const bool turn = random_.below(2) == 0;
        if (turn) body_ += " " + t + " = Transpose<perm = [0,2,1]>(" + r + ")";
        add("Reshape(" + (turn ? t : r) + ", " + back + ")", v.width);
        break;
      }
      case 14:
        add("Slice(" + v.name + ", " + integers({1}) + ", " + integers({v.width}) + ", " + integers({1}) + ")",
            v.width - 1);
        break;
      case 15: {
        const std::string e = "v" + std::to_string(count_++);
        body_ += " " + e + " = Sigmoid(" + v.name + ")";
        add("Reciprocal(" + e + ")", v.width);
        break;
      }
      default: add("LayerNormalization<axis = -1>(" + v.name + ", " + constant({v.width}) + ")", v.width); break;
    }
    if (values_.back().width < 2) values_.pop_back();
  }

  void conv_step() {
    const Made v = pick();
    const int width = random_.of(std::vector<int>{5, 8, 13, 16});
    switch (random_.below(11)) {
      case 0:
      case 1:
      case 2:
        add("Conv<kernel_shape = [3,3], pads = [1,1,1,1]>(" + v.name + ", " + constant({width, v.width, 3, 3}) + ", " +
                constant({width}) + ")",
            width);
        break;
      case 3: add("Conv(" + v.name + ", " + constant({width, v.width, 1, 1}) + ")", width); break;
      case 4:
        add("Conv<kernel_shape = [3,3], pads = [1,1,1,1], group = " + std::to_string(v.width) + ">(" + v.name + ", " +
                constant({v.width, 1, 3, 3}) + ")",
            v.width);
        break;
      case 5: {
        const std::string var = "v" + std::to_string(count_++), raw = constant({v.width});
        body_ += " " + var + " = Exp(" + raw + ")";
        add("BatchNormalization(" + v.name + ", " + constant({v.width}) + ", " + constant({v.width}) + ", " +
                constant({v.width}) + ", " + var + ")",
            v.width);
        break;
      }
      case 6: unary(v); break;
      case 7: add("Add(" + v.name + ", " + random_.of(like(v.width)).name + ")", v.width); break;
      case 8: {
        const Made w = pick();
        add("Concat<axis = 1>(" + v.name + ", " + w.name + ")", v.width + w.width);
        break;
      }
      case 9: add("MaxPool<kernel_shape = [3,3], pads = [1,1,1,1], strides = [1,1]>(" + v.name + ")", v.width); break;
      default:
        add("AveragePool<kernel_shape = [3,3], pads = [1,1,1,1], strides = [1,1]>(" + v.name + ")", v.width);
        break;
    }
  }

  Random random_;
  std::uint32_t seed_;
  int count_ = 0;
  std::string weights_, body_;
  std::vector<Made> values_;
};

std::uint32_t runs(std::uint32_t usual) {
  const char* asked = std::getenv("AEGIS_PROPERTY_RUNS");
  return asked != nullptr ? static_cast<std::uint32_t>(std::strtoul(asked, nullptr, 10)) : usual;
}

// True when something was padded.
bool check(const std::string& text, std::uint32_t seed) {
  INFO("seed " << seed << ": " << text.substr(text.find("> {")));
  const Model before = model(text);
  const RewriteOutcome outcome = pad(before);
  REQUIRE(infer(outcome.model, {}).failures.empty());
  if (outcome.same_bits) same_bits(before, outcome.model, seed);
  idempotent(outcome);
  return outcome.changed;
}

TEST_CASE("property: random dense graphs keep their bits") {
  std::uint32_t changed = 0;
  const std::uint32_t count = runs(120);
  for (std::uint32_t seed = 1; seed <= count; ++seed) changed += check(Graph(seed).dense(), seed) ? 1 : 0;
  CHECK(changed > count / 4);
}

TEST_CASE("property: random convolutional graphs keep their bits") {
  std::uint32_t changed = 0;
  const std::uint32_t count = runs(60);
  for (std::uint32_t seed = 1; seed <= count; ++seed)
    changed += check(Graph(seed + 100000).convolution(), seed) ? 1 : 0;
  CHECK(changed > count / 4);
}

}  // namespace
}  // namespace aegis
