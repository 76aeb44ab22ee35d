// A fixed set of worker threads that share the index range of a kernel. Kernels write disjoint results and add in an
// order of their own, so the bits do not depend on how the range is cut.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace aegis {

class Parallel {
 public:
  explicit Parallel(int threads);  // 1 or less: everything runs in the calling thread
  ~Parallel();
  Parallel(const Parallel&) = delete;
  Parallel& operator=(const Parallel&) = delete;

  int threads() const { return threads_; }
  // Calls body(begin, end) for pieces of at least `grain` indices that cover 0..count; returns when all are done. The
  // body must not throw and must not call run. One caller at a time; a second one waits.
  void run(std::int64_t count, std::int64_t grain, const std::function<void(std::int64_t, std::int64_t)>& body);

 private:
  struct Workers;
  int threads_;
  std::unique_ptr<Workers> workers_;
};

}  // namespace aegis
