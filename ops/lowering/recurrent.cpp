#include "ops/lowering/recurrent.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace aegis {
namespace {

struct Activation {
  Fn fn = Fn::identity;
  std::array<double, 4> p{};
  double in_scale = 1, out_scale = 1, shift = 0;  // out_scale * fn(in_scale * x) + shift
};

struct ActivationRow {
  std::string_view name;
  Fn fn;
  bool takes_alpha, takes_beta;
  double alpha, beta;  // defaults
};
constexpr ActivationRow activation_rows[] = {
    {"sigmoid", Fn::sigmoid, false, false, 0, 0},
    {"tanh", Fn::tanh, false, false, 0, 0},
    {"relu", Fn::relu, false, false, 0, 0},
    {"softsign", Fn::softsign, false, false, 0, 0},
    {"softplus", Fn::softplus, false, false, 0, 0},
    {"leakyrelu", Fn::leaky_relu, true, false, 0.01, 0},
    {"thresholdedrelu", Fn::thresholded_relu, true, false, 1, 0},
    {"elu", Fn::elu, true, false, 1, 0},
    {"hardsigmoid", Fn::hard_sigmoid, true, true, 0.2, 0.5},
    {"scaledtanh", Fn::tanh, true, true, 1, 1},  // alpha * tanh(beta * x)
    {"affine", Fn::identity, true, true, 1, 0},  // alpha * x + beta
};

// The activations of every direction in turn; alpha and beta are taken in order by those that have them.
std::optional<std::vector<Activation>> activations(Lowering& l, const std::vector<std::string>& otherwise,
                                                   std::size_t directions) {
  std::vector<std::string> names = attribute_strings(l.node(), "activations").value_or(std::vector<std::string>{});
  if (names.empty())
    for (std::size_t d = 0; d < directions; ++d) names.insert(names.end(), otherwise.begin(), otherwise.end());
  if (names.size() != otherwise.size() * directions) {
    l.reject("activations must name one function of each gate group and direction");
    return std::nullopt;
  }
  const auto alphas = attribute_floats(l.node(), "activation_alpha").value_or(std::vector<float>{}),
             betas = attribute_floats(l.node(), "activation_beta").value_or(std::vector<float>{});
  std::size_t next_alpha = 0, next_beta = 0;
  std::vector<Activation> result;
  for (std::string& name : names) {
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto row = std::ranges::find(activation_rows, std::string_view(name), &ActivationRow::name);
    if (row == std::end(activation_rows)) {
      l.reject("the activation '" + name + "' is not known");
      return std::nullopt;
    }
    double alpha = row->alpha, beta = row->beta;
    if (row->takes_alpha && next_alpha < alphas.size()) alpha = static_cast<double>(alphas[next_alpha++]);
    if (row->takes_beta && next_beta < betas.size()) beta = static_cast<double>(betas[next_beta++]);
    Activation a{.fn = row->fn};
    if (name == "scaledtanh") {
      a.out_scale = alpha;
      a.in_scale = beta;
    } else if (name == "affine") {
      a.out_scale = alpha;
      a.shift = beta;
    } else {
      a.p = {alpha, beta};
    }
    result.push_back(a);
  }
  return result;
}

class Recurrent {
 public:
  Recurrent(Lowering& l, Cell cell)
      : l_(l),
        cell_(cell),
        gates_(cell == Cell::lstm  ? 4
               : cell == Cell::gru ? 3
                                   : 1),
        compute_(storage_type(compute_type(l.type(l.in(0))))) {}

  void lower() {
    if (!read()) return;
    SlotId x = l_.in(0);
    if (batch_first_) {
      x = l_.temp(l_.type(x), {length_, batch_, width_});
      const std::int64_t order[] = {1, 0, 2};
      l_.transpose(l_.in(0), x, order);
    }
    x_ = l_.view(x, {length_ * batch_, width_});
    // [length, directions, batch, hidden] and [directions, batch, hidden]; another layout is a transpose at the end.
    const Dims whole{length_, directions_, batch_, hidden_}, last{directions_, batch_, hidden_};
    const DType type = l_.type(l_.in(0));
    l_.resolve(l_.out(0), type, batch_first_ ? Dims{batch_, length_, directions_, hidden_} : whole);
    for (std::size_t k = 1; k < 3; ++k)
      l_.resolve(l_.out(k), type, batch_first_ ? Dims{batch_, directions_, hidden_} : last);
    const auto target = [&](std::size_t output, const Dims& dims) {
      if (!l_.has_output(output)) return no_slot;
      return batch_first_ ? l_.temp(l_.type(l_.out(output)), dims) : l_.out(output);
    };
    y_ = target(0, whole);
    y_h_ = target(1, last);
    y_c_ = cell_ == Cell::lstm ? target(2, last) : no_slot;
    for (std::int64_t d = 0; d < directions_; ++d) direction(d);
    if (!batch_first_) return;
    const std::int64_t whole_order[] = {2, 0, 1, 3}, last_order[] = {1, 0, 2};
    if (y_ != no_slot) l_.transpose(y_, l_.out(0), whole_order);
    if (y_h_ != no_slot) l_.transpose(y_h_, l_.out(1), last_order);
    if (y_c_ != no_slot) l_.transpose(y_c_, l_.out(2), last_order);
  }

 private:
  bool read() {
    const Node& node = l_.node();
    const Dims &x = l_.dims(l_.in(0)), &w = l_.dims(l_.in(1)), &r = l_.dims(l_.in(2));
    if (x.size() != 3 || w.size() != 3 || r.size() != 3) return refuse("X, W and R must have three axes");
    batch_first_ = attribute(node, "layout", std::int64_t{0}) != 0;
    length_ = x[batch_first_ ? 1 : 0];
    batch_ = x[batch_first_ ? 0 : 1];
    width_ = x[2];
    hidden_ = r[2];
    directions_ = w[0];
    const std::string way = attribute(node, "direction", "forward");
    if (directions_ != (way == "bidirectional" ? 2 : 1) || r[0] != directions_)
      return refuse("W and R must have one part for each direction");
    if (w[1] != gates_ * hidden_ || r[1] != w[1] || w[2] != width_) return refuse("W and R must fit X and the gates");
    reverse_first_ = way == "reverse";
    const auto functions = activations(l_,
                                       cell_ == Cell::lstm  ? std::vector<std::string>{"Sigmoid", "Tanh", "Tanh"}
                                       : cell_ == Cell::gru ? std::vector<std::string>{"Sigmoid", "Tanh"}
                                                            : std::vector<std::string>{"Tanh"},
                                       static_cast<std::size_t>(directions_));
    if (!functions) return false;
    activations_ = *functions;
    clip_ = static_cast<double>(attribute(node, "clip", 0.0f));
    const auto fits = [&](std::size_t input, std::int64_t elements) {
      return !l_.has(input) || l_.elements(l_.in(input)) == elements;
    };
    const std::int64_t states = directions_ * batch_ * hidden_;
    if (!fits(3, directions_ * 2 * gates_ * hidden_) || !fits(4, batch_) || !fits(5, states) ||
        (cell_ == Cell::lstm && (!fits(6, states) || !fits(7, directions_ * 3 * hidden_))))
      return refuse("bias, lengths, states or peepholes do not fit X, W and R");
    return true;
  }
  bool refuse(const char* why) {
    l_.reject(why);
    return false;
  }

  SlotId made(Fn fn, std::initializer_list<SlotId> in, const Dims& dims, std::array<double, 4> p = {}) {
    const SlotId slot = l_.temp(compute_, dims);
    l_.map(fn, in, slot, p);
    return slot;
  }
  SlotId number(double value) { return l_.scalar(compute_, value); }
  // `count` elements of a tensor from `first` on, under `dims`.
  SlotId part(SlotId whole, std::int64_t first, Dims dims) {
    const std::int64_t count = element_count(dims), start[] = {first}, step[] = {1};
    const SlotId slot = l_.temp(l_.type(whole), {count});
    l_.take(l_.view(whole, {l_.elements(whole)}), slot, start, step);
    return l_.view(slot, std::move(dims));
  }
  // Columns of gate g from [batch, gates * hidden].
  SlotId gate(SlotId all, std::int64_t g) {
    const SlotId slot = l_.temp(compute_, state_dims());
    const std::int64_t start[] = {0, g * hidden_}, step[] = {1, 1};
    l_.take(all, slot, start, step);
    return slot;
  }
  Dims state_dims() const { return {batch_, hidden_}; }

  SlotId activate(SlotId x, const Activation& a) {
    if (clip_ > 0) x = made(Fn::clip, {x, number(-clip_), number(clip_)}, state_dims());
    if (a.in_scale != 1) x = made(Fn::mul, {x, number(a.in_scale)}, state_dims());
    if (a.fn != Fn::identity) x = made(a.fn, {x}, state_dims(), a.p);
    if (a.out_scale != 1 || a.shift != 0)
      x = made(Fn::mul_add, {x, number(a.out_scale), number(a.shift)}, state_dims());
    return x;
  }

  // left [rows, k] times the transpose of right [columns, k], plus `bias` (no_slot: none).
  SlotId product(SlotId left, SlotId right, SlotId bias, bool bias_by_row) {
    const std::int64_t m = l_.dims(left)[0], k = l_.dims(left)[1], n = l_.dims(right)[0];
    const SlotId slot = l_.temp(compute_, {m, n});
    l_.emit(
        GemmParams{
            .m = m, .n = n, .k = k, .trans_b = true, .bias_row_stride = bias_by_row ? n : 0, .bias_column_stride = 1},
        {left, right, bias}, {slot});
    return slot;
  }

  // The state of a direction at its first step.
  SlotId initial(std::size_t input, std::int64_t d) {
    if (!l_.has(input)) {
      const SlotId zero = l_.temp(compute_, state_dims());
      l_.fill(number(0), zero);
      return zero;
    }
    if (!batch_first_) return part(l_.in(input), d * batch_ * hidden_, state_dims());
    const SlotId slot = l_.temp(l_.type(l_.in(input)), {batch_, 1, hidden_});
    const std::int64_t start[] = {0, d, 0}, step[] = {1, 1, 1};
    l_.take(l_.in(input), slot, start, step);
    return l_.view(slot, state_dims());
  }

  void direction(std::int64_t d) {
    const std::int64_t rows = gates_ * hidden_;
    const SlotId w = part(l_.in(1), d * rows * width_, {rows, width_}),
                 r = part(l_.in(2), d * rows * hidden_, {rows, hidden_});
    const bool inner_bias = cell_ == Cell::gru && attribute(l_.node(), "linear_before_reset", std::int64_t{0}) != 0;
    SlotId bias = no_slot, recurrent_bias = no_slot;
    if (l_.has(3)) {
      bias = part(l_.in(3), d * 2 * rows, {rows});
      recurrent_bias = part(l_.in(3), (d * 2 + 1) * rows, {rows});
      if (!inner_bias) {
        bias = made(Fn::add, {bias, recurrent_bias}, {rows});
        recurrent_bias = no_slot;
      }
    }
    const SlotId inputs = product(x_, w, bias, false);
    if (cell_ == Cell::lstm && l_.has(7))
      for (std::int64_t k = 0; k < 3; ++k)
        peephole_[static_cast<std::size_t>(k)] = part(l_.in(7), (d * 3 + k) * hidden_, {hidden_});
    SlotId h = initial(5, d), c = cell_ == Cell::lstm ? initial(6, d) : no_slot;
    const bool backward = reverse_first_ || d == 1;
    for (std::int64_t i = 0; i < length_; ++i) {
      const std::int64_t t = backward ? length_ - 1 - i : i;
      const SlotId now = part(inputs, t * batch_ * rows, {batch_, rows});
      SlotId next_h = no_slot, next_c = no_slot;
      switch (cell_) {
        case Cell::rnn: next_h = activate(product(h, r, now, true), function(d, 0, 1)); break;
        case Cell::gru: next_h = gru(now, h, r, recurrent_bias, d, inner_bias); break;
        case Cell::lstm: next_h = lstm(now, h, c, r, d, next_c); break;
      }
      SlotId shown = next_h;
      if (l_.has(4)) {  // past a sequence's length the state stays and the output is 0
        const SlotId inside = l_.temp(DType::boolean, {batch_});
        l_.map(Fn::greater, {l_.in(4), l_.scalar(l_.type(l_.in(4)), static_cast<double>(t))}, inside);
        const SlotId column = l_.view(inside, {batch_, 1});
        shown = made(Fn::where, {column, next_h, number(0)}, state_dims());
        next_h = made(Fn::where, {column, next_h, h}, state_dims());
        if (c != no_slot) next_c = made(Fn::where, {column, next_c, c}, state_dims());
      }
      h = next_h;
      c = next_c;
      if (y_ != no_slot) put(shown, {1, 1, batch_, hidden_}, y_, {t, d, 0, 0});
    }
    if (y_h_ != no_slot) put(h, {1, batch_, hidden_}, y_h_, {d, 0, 0});
    if (y_c_ != no_slot) put(c, {1, batch_, hidden_}, y_c_, {d, 0, 0});
  }
  const Activation& function(std::int64_t d, std::int64_t which, std::int64_t each) const {
    return activations_[static_cast<std::size_t>(d * each + which)];
  }
  // Rounds to the output's type and copies.
  void put(SlotId block, Dims dims, SlotId out, const Dims& at) {
    const SlotId rounded = l_.temp(l_.type(out), std::move(dims));
    l_.map(Fn::identity, {l_.view(block, l_.dims(rounded))}, rounded);
    l_.place(rounded, out, at);
  }

  SlotId gru(SlotId now, SlotId h, SlotId r, SlotId recurrent_bias, std::int64_t d, bool inner_bias) {
    // Gates: update z, reset r, hidden h.
    const std::int64_t two = 2 * hidden_;
    const SlotId r_zr = part(r, 0, {two, hidden_}), r_h = part(r, two * hidden_, {hidden_, hidden_});
    const SlotId now_zr = l_.temp(compute_, {batch_, two});
    const std::int64_t start[] = {0, 0}, step[] = {1, 1};
    l_.take(now, now_zr, start, step);
    SlotId zr = product(h, r_zr, now_zr, true);
    if (recurrent_bias != no_slot) zr = made(Fn::add, {zr, part(recurrent_bias, 0, {two})}, {batch_, two});
    const SlotId z = activate(gate(zr, 0), function(d, 0, 2)), reset = activate(gate(zr, 1), function(d, 0, 2));
    SlotId hidden = no_slot;
    if (inner_bias) {
      const SlotId bias = recurrent_bias == no_slot ? no_slot : part(recurrent_bias, two, {hidden_});
      hidden = made(Fn::mul_add, {reset, product(h, r_h, bias, false), gate(now, 2)}, state_dims());
    } else {
      hidden = product(made(Fn::mul, {reset, h}, state_dims()), r_h, gate(now, 2), true);
    }
    hidden = activate(hidden, function(d, 1, 2));
    const SlotId rest = made(Fn::sub, {number(1), z}, state_dims());
    return made(Fn::mul_add, {z, h, made(Fn::mul, {rest, hidden}, state_dims())}, state_dims());
  }

  SlotId lstm(SlotId now, SlotId h, SlotId c, SlotId r, std::int64_t d, SlotId& next_c) {
    // Gates: input, output, forget, cell; peepholes: input, output, forget.
    const SlotId all = product(h, r, now, true);
    const auto seen = [&](std::int64_t g, SlotId cell, std::size_t hole) {
      const SlotId x = gate(all, g);
      return peephole_[hole] == no_slot ? x : made(Fn::mul_add, {peephole_[hole], cell, x}, state_dims());
    };
    const SlotId in = activate(seen(0, c, 0), function(d, 0, 3));
    const bool coupled = attribute(l_.node(), "input_forget", std::int64_t{0}) != 0;
    const SlotId forget =
        coupled ? made(Fn::sub, {number(1), in}, state_dims()) : activate(seen(2, c, 2), function(d, 0, 3));
    const SlotId cell = activate(gate(all, 3), function(d, 1, 3));
    next_c = made(Fn::mul_add, {forget, c, made(Fn::mul, {in, cell}, state_dims())}, state_dims());
    const SlotId out = activate(seen(1, next_c, 1), function(d, 0, 3));
    // The clip bounds what enters a gate's function; the cell passes as it is.
    const Activation& last = function(d, 2, 3);
    const double clip = std::exchange(clip_, 0);
    const SlotId shown = activate(next_c, last);
    clip_ = clip;
    return made(Fn::mul, {out, shown}, state_dims());
  }

  Lowering& l_;
  Cell cell_;
  std::int64_t gates_;
  DType compute_;
  bool batch_first_ = false, reverse_first_ = false;
  std::int64_t length_ = 0, batch_ = 0, width_ = 0, hidden_ = 0, directions_ = 1;
  std::vector<Activation> activations_;
  double clip_ = 0;
  SlotId x_ = no_slot, y_ = no_slot, y_h_ = no_slot, y_c_ = no_slot;
  std::array<SlotId, 3> peephole_{no_slot, no_slot, no_slot};
};

}  // namespace

void lower_recurrent(Lowering& l, Cell cell) { Recurrent(l, cell).lower(); }

}  // namespace aegis
