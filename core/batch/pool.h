// Threads that share out independent items. The calling thread works too, so a pool of n makes n - 1 threads; they sleep between
// runs.
//
// Each thread takes the next free item from a counter: results do not depend on who takes what, because an item touches only its
// own state and its thread's workspace. A run waits for the threads that joined it, not for those too late to find work. So a pool
// copied by fork(), whose threads do not exist in the child, still works there, on the calling thread alone.
// Tested by tests/batch/pool.cpp and tests/capi/batch.c
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/base/busy.h"
#include "core/candidates/workspace.h"

namespace bankml {

class Pool {
 public:
  static constexpr size_t max_threads = 1024;
  // Does item i; `workspace` is the thread's own, or nullptr. Must not throw.
  using Job = void (*)(void* context, size_t i, Workspace* workspace);

  // n_threads 0 = as many as the machine runs at once. n_vocab 0 = no workspaces. Throws Failure (arg, limit) or bad_alloc.
  Pool(size_t n_threads, size_t n_vocab);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  size_t threads() const noexcept { return n_threads_; }

  // Runs job(context, i, ...) for every i in [0, n), each once, and returns when all are done. One caller at a time: see `busy`.
  void run(size_t n, Job job, void* context) noexcept;

  BusyFlag busy;

 private:
  // What the sleeping threads wait on. Apart from the pool, because in a forked child it must outlive it.
  struct Board {
    std::mutex lock;
    std::condition_variable wake, left;
    uint64_t round = 0;
    bool open = false;  // a run that may be joined is under way
    bool stop = false;
    size_t joined = 0;
    size_t n = 0;
    Job job = nullptr;
    void* context = nullptr;
    std::atomic<size_t> next{0};
  };

  void work(size_t thread) noexcept;
  static void take_items(Board& board, Workspace* workspace) noexcept;
  void stop() noexcept;

  size_t n_threads_;
  int64_t process_;
  std::unique_ptr<Board> board_;
  std::vector<std::unique_ptr<Workspace>> workspaces_;  // one a thread, or none
  std::vector<std::thread> threads_;
};

}  // namespace bankml
