#include "core/spills.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <queue>
#include <vector>

#include "core/random.h"
#include "core/task_work.h"

namespace tracebed {
namespace {

constexpr std::int64_t sort_bytes = 100;  // spills of 80

TEST(Spills, AreNoneWhereAMapSortsAllAtOnce) {
  EXPECT_EQ(spilled_by_map(0, sort_bytes), 0);
  EXPECT_EQ(spilled_by_map(80, sort_bytes), 0);
}

TEST(Spills, AreAllThatAMapEmitsWhereTenFilesAreMergedAtOnce) {
  EXPECT_EQ(spilled_by_map(81, sort_bytes), 81);
  EXPECT_EQ(spilled_by_map(800, sort_bytes), 800);
}

// By hand: of eleven files, of which the last has 10 bytes, the first pass merges two, 10 + 80; of
// twelve of 80 bytes three; of twenty four: (20 - 1) mod 9 + 1 is two, and of the nineteen that are
// left, one has 160 bytes, ten of 80 are merged.
TEST(Spills, OfMoreFilesAreWrittenAgainByThePassesBefore) {
  EXPECT_EQ(spilled_by_map(810, sort_bytes), 810 + 90);
  EXPECT_EQ(spilled_by_map(12 * 80, sort_bytes), 12 * 80 + 3 * 80);
  EXPECT_EQ(spilled_by_map(20 * 80, sort_bytes), 20 * 80 + 2 * 80 + 10 * 80);
}

// Pass by pass, as Merger.MergeQueue.merge does it.
std::int64_t spilled_file_by_file(std::int64_t emitted, std::int64_t spill) {
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> files;
  for (std::int64_t left = emitted; left > 0; left -= spill) files.push(std::min(left, spill));
  if (files.size() <= 1) return 0;
  std::int64_t written = emitted;
  for (bool is_first = true; files.size() > 10; is_first = false) {
    const std::size_t rest = (files.size() - 1) % 9;
    std::int64_t merged = 0;
    for (std::size_t i = is_first && rest > 0 ? rest + 1 : 10; i > 0; --i) {
      merged += files.top();
      files.pop();
    }
    written += merged;
    files.push(merged);
  }
  return written;
}

TEST(Spills, AreThoseOfMergingFileByFile) {
  for (std::uint64_t seed = 1; seed <= 2'000; ++seed) {
    Random random(seed);
    const auto sort = static_cast<std::int64_t>(random.below(40)) + 1;
    const auto emitted = static_cast<std::int64_t>(random.below(20'000));
    EXPECT_EQ(spilled_by_map(emitted, sort), spilled_file_by_file(emitted, sort - sort / 5))
        << emitted << " in " << sort;
  }
}

TEST(Spills, OfAnyAmountAreFoundAtOnce) {
  EXPECT_GT(spilled_by_map(task_amount_max, 1), 10 * task_amount_max);
}

}  // namespace
}  // namespace tracebed
