#include "kernels/merge.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "core/random.h"
#include "kernels/memory_streams.h"
#include "kernels/written_run.h"

namespace tracebed::kernels {
namespace {

using test::MemorySource;
using test::MemorySpills;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

std::string number(std::uint64_t value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

Buffer sorted_run(test::Pairs pairs) {
  std::sort(pairs.begin(), pairs.end());
  return test::written_run(pairs);
}

struct Merged {
  test::Pairs pairs;
  std::string error;
  std::uint64_t spills = 0;
};

Merged merge(const std::vector<Buffer>& runs, std::size_t budget_bytes, const Combiner* combiner) {
  MemorySpills store;
  Spills spills(store);
  Merge::Sources sources;
  for (const Buffer& run : runs) {
    sources.push_back(
        std::make_unique<MemorySource>("run " + std::to_string(sources.size()), run, 1'000));
  }
  Result<Merge> opened = merge_runs(std::move(sources), budget_bytes, combiner, spills);
  Merged merged;
  merged.spills = spills.counters().spills;
  if (!opened) return {{}, opened.error().message, merged.spills};
  while (true) {
    if (const Status advanced = opened->advance(); !advanced) {
      merged.error = advanced.error().message;
      return merged;
    }
    if (!opened->has_pair()) return merged;
    merged.pairs.emplace_back(text_of(opened->key()), text_of(opened->value()));
  }
}

constexpr std::size_t budget = 65'536;  // three runs at a time

TEST(Merges, AreOrderedByKeyAndThenByValue) {
  const Merged merged = merge(
      {sorted_run({{"b", "2"}, {"a", "9"}}), sorted_run({}), sorted_run({{"b", "1"}, {"ab", "0"}})},
      budget, nullptr);
  EXPECT_THAT(merged.pairs,
              ElementsAre(Pair("a", "9"), Pair("ab", "0"), Pair("b", "1"), Pair("b", "2")));
}

TEST(Merges, OfNothingAreEmpty) {
  EXPECT_THAT(merge({}, budget, nullptr).pairs, ElementsAre());
  EXPECT_THAT(merge({sorted_run({}), sorted_run({})}, budget, nullptr).pairs, ElementsAre());
}

TEST(Merges, AddUpValuesOfOneKey) {
  const Combiner sum(1);
  const Merged merged = merge({sorted_run({{"a", number(5)}, {"b", number(1)}}),
                               sorted_run({{"a", number(7)}, {"a", number(1)}})},
                              budget, &sum);
  EXPECT_THAT(merged.pairs, ElementsAre(Pair("a", number(13)), Pair("b", number(1))));
}

TEST(Merges, RefuseValuesOfAnotherSize) {
  const Combiner sum(1);
  EXPECT_EQ(
      merge({sorted_run({{"a", number(5)}}), sorted_run({{"a", "12345"}})}, budget, &sum).error,
      "run 1: a value of 5 bytes instead of 8");
}

TEST(Merges, NameTheRunThatIsMalformed) {
  Buffer cut = sorted_run({{"a", "1"}, {"b", "2"}});
  cut.resize(cut.size() - 1);
  EXPECT_THAT(merge({sorted_run({}), cut}, budget, nullptr).error,
              HasSubstr("run 1: the run ends within its end mark"));
}

// Five runs where three can be merged at a time: three become one, which makes three with the rest.
TEST(Merges, TakeSeveralPassesIfThereAreMoreRunsThanBuffers) {
  EXPECT_EQ(runs_at_a_time(budget), 3u);
  std::vector<Buffer> runs;
  for (char key = 'e'; key >= 'a'; --key) runs.push_back(sorted_run({{std::string(1, key), ""}}));
  const Merged merged = merge(runs, budget, nullptr);
  EXPECT_EQ(merged.spills, 1u);
  EXPECT_THAT(merged.pairs, ElementsAre(Pair("a", ""), Pair("b", ""), Pair("c", ""), Pair("d", ""),
                                        Pair("e", "")));
}

TEST(Merges, AreSortedWhateverTheRunsAndBudgets) {
  Random random(31);
  const Combiner sum(1);
  for (int round = 0; round < 100; ++round) {
    std::vector<Buffer> runs;
    test::Pairs all;
    std::map<std::string, std::uint64_t> sums;
    for (std::uint64_t left = random.below(20); left > 0; --left) {
      test::Pairs pairs;
      for (std::uint64_t pair = random.below(30); pair > 0; --pair) {
        const std::uint64_t value = random.below(100);
        pairs.emplace_back(std::string(random.below(12), 'a') + std::string(random.below(2), 'b'),
                           number(value));
        sums[pairs.back().first] += value;
      }
      all.insert(all.end(), pairs.begin(), pairs.end());
      runs.push_back(sorted_run(pairs));
    }
    std::sort(all.begin(), all.end());
    const std::size_t budget_bytes = budget + random.below(1'000'000);
    ASSERT_EQ(merge(runs, budget_bytes, nullptr).pairs, all);
    test::Pairs added;
    for (const auto& [key, value] : sums) added.emplace_back(key, number(value));
    ASSERT_EQ(merge(runs, budget_bytes, &sum).pairs, added);
  }
}

}  // namespace
}  // namespace tracebed::kernels
