#include "core/batch/pool.h"

#include <algorithm>
#include <string>
#include <system_error>

#include "core/base/status.h"

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace bankml {
namespace pool_detail {

int64_t process_id() noexcept {
#if defined(__unix__) || defined(__APPLE__)
  return static_cast<int64_t>(getpid());
#else
  return 0;  // no fork
#endif
}

size_t checked_threads(size_t n_threads) {
  if (n_threads > Pool::max_threads) {
    throw Failure(Status::arg, "n_threads " + std::to_string(n_threads) + " is above " + std::to_string(Pool::max_threads));
  }
  if (n_threads != 0) return n_threads;
  return std::clamp<size_t>(std::thread::hardware_concurrency(), 1, Pool::max_threads);
}

}  // namespace pool_detail

Pool::Pool(size_t n_threads, size_t n_vocab)
    : n_threads_(pool_detail::checked_threads(n_threads)), process_(pool_detail::process_id()), board_(std::make_unique<Board>()) {
  if (n_vocab > 0x7FFFFFFFu) throw Failure(Status::arg, "n_vocab " + std::to_string(n_vocab) + " is above 2147483647");
  for (size_t i = 0; i < n_threads_ && n_vocab != 0; ++i) workspaces_.push_back(std::make_unique<Workspace>(n_vocab));
  threads_.reserve(n_threads_ - 1);
  try {
    for (size_t i = 1; i < n_threads_; ++i) threads_.emplace_back([this, i] { work(i); });
  } catch (const std::system_error& error) {
    stop();
    throw Failure(Status::limit, "cannot start thread " + std::to_string(threads_.size() + 1) + " of " +
                                     std::to_string(n_threads_) + ": " + error.what());
  }
}

Pool::~Pool() { stop(); }

void Pool::stop() noexcept {
  if (pool_detail::process_id() != process_) {
    // A forked child: the threads exist in the parent only. They cannot be joined here, nor what they slept on taken down.
    for (std::thread& thread : threads_) thread.detach();
    static_cast<void>(board_.release());
    return;
  }
  {
    const std::lock_guard<std::mutex> guard(board_->lock);
    board_->stop = true;
  }
  board_->wake.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Pool::take_items(Board& board, Workspace* workspace) noexcept {
  for (size_t i = board.next.fetch_add(1, std::memory_order_relaxed); i < board.n;
       i = board.next.fetch_add(1, std::memory_order_relaxed)) {
    board.job(board.context, i, workspace);
  }
}

void Pool::run(size_t n, Job job, void* context) noexcept {
  Board& board = *board_;
  {
    const std::lock_guard<std::mutex> guard(board.lock);
    ++board.round;
    board.n = n;
    board.job = job;
    board.context = context;
    board.next.store(0, std::memory_order_relaxed);
    board.open = true;
  }
  // One item needs no help.
  const size_t helpers = std::min(threads_.size(), n == 0 ? 0 : n - 1);
  if (helpers == threads_.size()) {
    board.wake.notify_all();
  } else {
    for (size_t i = 0; i < helpers; ++i) board.wake.notify_one();
  }
  take_items(board, workspaces_.empty() ? nullptr : workspaces_[0].get());
  std::unique_lock<std::mutex> guard(board.lock);
  board.open = false;  // nobody may join any more: what is left to wait for is known
  board.left.wait(guard, [&] { return board.joined == 0; });
}

void Pool::work(size_t thread) noexcept {
  Board& board = *board_;
  Workspace* const workspace = workspaces_.empty() ? nullptr : workspaces_[thread].get();
  uint64_t seen = 0;
  std::unique_lock<std::mutex> guard(board.lock);
  while (true) {
    board.wake.wait(guard, [&] { return board.stop || (board.open && board.round != seen); });
    if (board.stop) return;
    seen = board.round;
    ++board.joined;
    guard.unlock();
    take_items(board, workspace);
    guard.lock();
    if (--board.joined == 0) board.left.notify_all();
  }
}

}  // namespace bankml
