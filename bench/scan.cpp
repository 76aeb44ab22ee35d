// The weight scan in memory and from a file, beside a loop that only reads it.
#include "model/scan.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

#include "model/file.hpp"

using namespace aegis;

namespace {

constexpr std::size_t window = 1u << 20, windows = 256;

template <class Work>
double gigabytes_a_second(double bytes, Work work) {
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    best = std::max(best, bytes / took.count() / 1e9);
  }
  return best;
}

template <class Word>
void measure(const char* type, Word infinity, const File& file) {
  const ScanAsked<Word> asked{infinity, {1, 2, 3, 4, 5, 6}};
  std::vector<Word> buffer(window / sizeof(Word));
  const auto bytes = std::as_writable_bytes(std::span(buffer));
  const double total = static_cast<double>(window) * windows;
  const auto read = [&](auto then) {
    for (std::size_t i = 0; i < windows; ++i) {
      if (!file.read(i * window, bytes)) std::exit(1);
      then();
    }
  };
  std::printf("%-8s pread alone       %6.2f GB/s\n", type, gigabytes_a_second(total, [&] { read([] {}); }));
  for (const auto& variant : scan_variants<Word>()) {
    ScanSums<Word> sums;
    const std::string name(variant.name);
    std::printf("%-8s %-10s file   %6.2f GB/s\n", type, name.c_str(),
                gigabytes_a_second(total, [&] { read([&] { variant.run(buffer, asked, sums); }); }));
    std::printf("%-8s %-10s memory %6.2f GB/s\n", type, name.c_str(), gigabytes_a_second(total, [&] {
                  for (std::size_t i = 0; i < windows; ++i) variant.run(buffer, asked, sums);
                }));
  }
}

}  // namespace

int main() {
  const auto path = std::filesystem::temp_directory_path() / "aegis_bench_scan.bin";
  {
    std::ofstream out(path, std::ios::binary);
    std::vector<std::uint32_t> block(window / 4);
    std::uint32_t state = 1;
    for (auto& word : block) word = (state = state * 1664525u + 1013904223u) & 0xbfffffffu;
    for (std::size_t i = 0; i < windows; ++i) out.write(reinterpret_cast<const char*>(block.data()), window);
  }
  const auto file = File::open(path.string());
  if (!file) return 1;
  measure<std::uint32_t>("float", 0x7f800000u, **file);
  measure<std::uint16_t>("float16", 0x7c00, **file);
  std::filesystem::remove(path);
}
