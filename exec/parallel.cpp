#include "exec/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "exec/float_state.hpp"

namespace aegis {

using Body = std::function<void(std::int64_t, std::int64_t)>;

struct Parallel::Workers {
  std::mutex one_caller;
  std::mutex mutex;
  std::condition_variable start, done;
  std::uint64_t round = 0;
  int busy = 0;
  bool stop = false;
  const Body* body = nullptr;
  std::int64_t count = 0, piece = 1;
  std::atomic<std::int64_t> next{0};
  std::vector<std::thread> threads;

  void work() {
    for (std::int64_t begin = next.fetch_add(piece); begin < count; begin = next.fetch_add(piece))
      (*body)(begin, std::min(count, begin + piece));
  }
  void loop() {
    const StrictFloats strict;
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex);
    while (true) {
      start.wait(lock, [&] { return stop || round != seen; });
      if (stop) return;
      seen = round;
      lock.unlock();
      work();
      lock.lock();
      if (--busy == 0) done.notify_one();
    }
  }
};

Parallel::Parallel(int threads) : threads_(std::max(threads, 1)) {
  if (threads_ == 1) return;
  workers_ = std::make_unique<Workers>();
  for (int i = 1; i < threads_; ++i) workers_->threads.emplace_back([w = workers_.get()] { w->loop(); });
}

Parallel::~Parallel() {
  if (!workers_) return;
  {
    const std::lock_guard lock(workers_->mutex);
    workers_->stop = true;
  }
  workers_->start.notify_all();
  for (std::thread& thread : workers_->threads) thread.join();
}

void Parallel::run(std::int64_t count, std::int64_t grain, const Body& body) {
  if (count <= 0) return;
  grain = std::max<std::int64_t>(grain, 1);
  if (!workers_ || count <= grain) return body(0, count);
  Workers& w = *workers_;
  const std::lock_guard caller(w.one_caller);
  // Four pieces a thread even out unequal speeds.
  const std::int64_t pieces = std::int64_t{threads_} * 4;
  {
    const std::lock_guard lock(w.mutex);
    w.body = &body;
    w.count = count;
    w.piece = std::max(grain, (count + pieces - 1) / pieces);
    w.next = 0;
    w.busy = threads_ - 1;
    ++w.round;
  }
  w.start.notify_all();
  w.work();
  std::unique_lock lock(w.mutex);
  w.done.wait(lock, [&] { return w.busy == 0; });
}

}  // namespace aegis
