// Detects overlap: one handle used by two threads at once. A draw enters, and the second one is told BUSY instead of corrupting
// state. One atomic exchange a call; it never waits.
#pragma once

#include <atomic>

namespace bankml {

class BusyFlag {
 public:
  // True if this caller is now the only one inside.
  bool enter() noexcept { return !inside_.exchange(true, std::memory_order_acquire); }
  void leave() noexcept { inside_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> inside_{false};
};

// Leaves at the end of the scope, if it could enter.
class BusyScope {
 public:
  explicit BusyScope(BusyFlag& flag) noexcept : flag_(flag), entered_(flag.enter()) {}
  ~BusyScope() {
    if (entered_) flag_.leave();
  }
  BusyScope(const BusyScope&) = delete;
  BusyScope& operator=(const BusyScope&) = delete;
  bool entered() const noexcept { return entered_; }

 private:
  BusyFlag& flag_;
  bool entered_;
};

}  // namespace bankml
