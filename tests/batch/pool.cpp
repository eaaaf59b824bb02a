// Pool: every item once, whoever takes it; a slow one holds nobody up; forked children work alone.
#include "core/batch/pool.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "core/base/status.h"

namespace bankml {
namespace {

struct Counts {
  explicit Counts(size_t n) : times(n) {}
  std::vector<std::atomic<int>> times;
  static void job(void* context, size_t i, Workspace*) { ++static_cast<Counts*>(context)->times[i]; }
};

void expect_each_once(Pool& pool, size_t n) {
  Counts counts(n);
  pool.run(n, Counts::job, &counts);
  for (size_t i = 0; i < n; ++i) ASSERT_EQ(counts.times[i], 1) << i << " of " << n;
}

TEST(Pool, every_item_once) {
  for (const size_t threads : {1, 2, 3, 8}) {
    Pool pool(threads, 0);
    EXPECT_EQ(pool.threads(), threads);
    for (const size_t n : {0, 1, 2, 3, 7, 64, 1000}) ASSERT_NO_FATAL_FAILURE(expect_each_once(pool, n));
  }
}

TEST(Pool, many_short_runs) {
  Pool pool(4, 0);
  for (int round = 0; round < 5000; ++round) ASSERT_NO_FATAL_FAILURE(expect_each_once(pool, static_cast<size_t>(round % 5)));
}

TEST(Pool, unused_pools_end) {
  for (int round = 0; round < 50; ++round) Pool pool(5, 16);
}

// Item 0 waits until all others are done: with two threads that is only possible if they do not wait for it.
struct Slow {
  size_t n;
  std::atomic<size_t> done{0};
  static void job(void* context, size_t i, Workspace*) {
    Slow& slow = *static_cast<Slow*>(context);
    while (i == 0 && slow.done < slow.n - 1) std::this_thread::yield();
    ++slow.done;
  }
};

TEST(Pool, a_slow_item_holds_nobody_up) {
  Pool pool(2, 0);
  Slow slow{100};
  pool.run(slow.n, Slow::job, &slow);
  EXPECT_EQ(slow.done, slow.n);
}

struct Places {
  std::mutex lock;
  std::set<std::pair<std::thread::id, Workspace*>> seen;
  static void job(void* context, size_t, Workspace* workspace) {
    Places& places = *static_cast<Places*>(context);
    const std::lock_guard<std::mutex> guard(places.lock);
    places.seen.emplace(std::this_thread::get_id(), workspace);
  }
};

TEST(Pool, each_thread_has_a_workspace_of_its_own) {
  Pool pool(4, 32);
  Places places;
  for (int round = 0; round < 200; ++round) pool.run(16, Places::job, &places);
  std::set<std::thread::id> threads;
  std::set<Workspace*> workspaces;
  for (const auto& [thread, workspace] : places.seen) {
    ASSERT_NE(workspace, nullptr);
    EXPECT_GE(workspace->capacity(), 32u);
    threads.insert(thread);
    workspaces.insert(workspace);
  }
  EXPECT_EQ(threads.size(), places.seen.size());
  EXPECT_EQ(workspaces.size(), places.seen.size());
}

TEST(Pool, without_vocabulary_there_are_no_workspaces) {
  Pool pool(2, 0);
  Places places;
  pool.run(8, Places::job, &places);
  for (const auto& entry : places.seen) EXPECT_EQ(entry.second, nullptr);
}

TEST(Pool, works_alone_in_a_forked_child) {
  Pool pool(4, 8);
  expect_each_once(pool, 100);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    {
      Pool& copy = pool;
      Counts counts(50);
      copy.run(50, Counts::job, &counts);
      for (const auto& times : counts.times)
        if (times != 1) _exit(1);
    }
    pool.~Pool();  // must not wait for threads that are not there
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  expect_each_once(pool, 100);
}

TEST(Pool, refuses_absurd_sizes) {
  EXPECT_THROW(Pool(Pool::max_threads + 1, 0), Failure);
  EXPECT_THROW(Pool(1, size_t{1} << 40), Failure);
  EXPECT_GE(Pool(0, 0).threads(), 1u);
}

}  // namespace
}  // namespace bankml
