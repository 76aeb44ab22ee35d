#include "cli/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

// Myers, "An O(ND) Difference Algorithm and Its Variations" (1986): x - y = k names a diagonal, and for each number of
// changes d the furthest x on each diagonal is kept. The trace of those arrays, walked backwards, is the script.

namespace aegis {
namespace {

struct Line {
  char sign = ' ';
  std::string_view text;
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return lines;
}

using Lines = std::vector<std::string_view>;

// The trace until both ends are reached, or empty when more than max_changes are needed.
std::vector<std::vector<std::int64_t>> trace_of(const Lines& a, const Lines& b, std::int64_t max_changes) {
  const auto n = static_cast<std::int64_t>(a.size()), m = static_cast<std::int64_t>(b.size());
  const std::int64_t most = std::min(n + m, max_changes);
  std::vector<std::vector<std::int64_t>> trace;
  std::vector<std::int64_t> furthest(static_cast<std::size_t>(2 * most + 3), 0);
  const auto at = [&](std::int64_t k) -> std::int64_t& { return furthest[static_cast<std::size_t>(k + most + 1)]; };
  for (std::int64_t d = 0; d <= most; ++d) {
    trace.push_back(furthest);
    for (std::int64_t k = -d; k <= d; k += 2) {
      std::int64_t x = k == -d || (k != d && at(k - 1) < at(k + 1)) ? at(k + 1) : at(k - 1) + 1;
      while (x < n && x - k < m && a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(x - k)]) ++x;
      at(k) = x;
      if (x >= n && x - k >= m) return trace;
    }
  }
  return {};
}

std::vector<Line> script(const Lines& a, const Lines& b, std::size_t max_changes) {
  std::vector<Line> result;
  const auto trace = trace_of(a, b, static_cast<std::int64_t>(max_changes));
  if (trace.empty() && !(a.empty() && b.empty())) {
    for (std::string_view line : a) result.push_back({'-', line});
    for (std::string_view line : b) result.push_back({'+', line});
    return result;
  }
  const std::int64_t offset = (static_cast<std::int64_t>(trace.empty() ? 1 : trace[0].size()) - 1) / 2;
  auto x = static_cast<std::int64_t>(a.size()), y = static_cast<std::int64_t>(b.size());
  for (std::int64_t d = static_cast<std::int64_t>(trace.size()) - 1; d >= 0; --d) {
    const auto& furthest = trace[static_cast<std::size_t>(d)];
    const auto at = [&](std::int64_t k) { return furthest[static_cast<std::size_t>(k + offset)]; };
    const std::int64_t k = x - y;
    const std::int64_t from = k == -d || (k != d && at(k - 1) < at(k + 1)) ? k + 1 : k - 1;
    const std::int64_t old_x = d == 0 ? 0 : at(from), old_y = d == 0 ? 0 : old_x - from;
    while (x > old_x && y > old_y) {
      --x, --y;
      result.push_back({' ', a[static_cast<std::size_t>(x)]});
    }
    if (d > 0 && x == old_x)
      result.push_back({'+', b[static_cast<std::size_t>(--y)]});
    else if (d > 0)
      result.push_back({'-', a[static_cast<std::size_t>(--x)]});
  }
  std::reverse(result.begin(), result.end());
  return result;
}

}  // namespace

std::string line_diff(std::string_view before, std::string_view after, std::size_t context, std::size_t max_changes) {
  Lines a = lines_of(before), b = lines_of(after);
  std::size_t front = 0, back = 0;
  while (front < a.size() && front < b.size() && a[front] == b[front]) ++front;
  while (back + front < a.size() && back + front < b.size() && a[a.size() - 1 - back] == b[b.size() - 1 - back]) ++back;
  if (front == a.size() && front == b.size()) return "";
  // Equal ends cost nothing; as much of them as the context shows is kept.
  const std::size_t keep_front = std::min(front, context), keep_back = std::min(back, context);
  const auto middle = [&](const Lines& lines) {
    return Lines(lines.begin() + static_cast<std::ptrdiff_t>(front - keep_front),
                 lines.end() - static_cast<std::ptrdiff_t>(back - keep_back));
  };
  const std::vector<Line> lines = script(middle(a), middle(b), max_changes);

  std::string text;
  std::size_t old_line = front - keep_front, new_line = front - keep_front;
  for (std::size_t i = 0; i < lines.size();) {
    if (lines[i].sign == ' ') {
      ++i, ++old_line, ++new_line;
      continue;
    }
    // A stretch: from `context` lines before the first change to `context` after the last that is near it.
    const std::size_t lead = std::min(context, std::min(i, old_line));
    std::size_t end = i, quiet = 0;
    for (std::size_t j = i; j < lines.size() && quiet <= 2 * context; ++j) {
      quiet = lines[j].sign == ' ' ? quiet + 1 : 0;
      if (quiet == 0) end = j + 1;
    }
    const std::size_t stop = std::min(lines.size(), end + context);
    std::size_t olds = 0, news = 0;
    std::string body;
    for (std::size_t j = i - lead; j < stop; ++j) {
      olds += lines[j].sign != '+';
      news += lines[j].sign != '-';
      body += fmt::format("{}{}\n", lines[j].sign, lines[j].text);
    }
    text += fmt::format("@@ -{},{} +{},{} @@\n", old_line - lead + 1, olds, new_line - lead + 1, news) + body;
    old_line += olds - lead;
    new_line += news - lead;
    i = stop;
  }
  return text;
}

}  // namespace aegis
