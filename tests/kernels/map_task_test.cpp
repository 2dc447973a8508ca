#include "kernels/map_task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/random.h"
#include "kernels/dataset_terasort.h"
#include "kernels/dataset_text.h"
#include "kernels/grep.h"
#include "kernels/local_job.h"
#include "kernels/memory_streams.h"
#include "kernels/run_format.h"
#include "kernels/sort.h"
#include "kernels/terasort.h"
#include "kernels/word_count.h"

namespace tracebed::kernels {
namespace {

using test::MemorySink;
using test::MemorySpills;
using testing::HasSubstr;

std::string refusal(const Kernel& kernel, const MapTaskOptions& options) {
  MemorySpills spills;
  const auto task = MapTask::create(kernel, {0, 10}, options, spills);
  return task ? "" : task.error().message;
}

TEST(MapTasks, RefuseOptionsThatAreOutOfBounds) {
  const WordCount words;
  EXPECT_EQ(refusal(words, {1, budget_bytes_min}), "");
  EXPECT_EQ(refusal(words, {partitions_max, budget_bytes_min}), "");
  EXPECT_EQ(refusal(words, {0, budget_bytes_min}), "a job has 1 to 65536 partitions, not 0");
  EXPECT_EQ(refusal(words, {65'537, budget_bytes_min}),
            "a job has 1 to 65536 partitions, not 65537");
  EXPECT_THAT(refusal(words, {1, 65'535}), HasSubstr("budget is from 65536 to 2147483648 bytes"));
  EXPECT_THAT(refusal(words, {1, budget_bytes_max + 1}), HasSubstr("not 2147483649"));
}

TEST(MapTasks, RefuseMoreRangesThanPartitions) {
  const Sort sort(Sort::sample(bytes_of("\na\nb\nc\n"), 3));
  EXPECT_EQ(refusal(sort, {3, budget_bytes_min}), "");
  EXPECT_EQ(refusal(sort, {2, budget_bytes_min}), "the split points are for 3 partitions, not 2");
}

// A record of 100 bytes takes 16 for its entry and 4 for its lengths: 546 of them fit in 65,536.
TEST(MapTasks, SpillWhenTheirBudgetIsUsedUp) {
  const Terasort terasort{RangePartitioner()};
  Random random(1);
  const test::JobShape shape{.map_budget_bytes = 65'536};
  for (const std::uint64_t records : {546u, 547u, 1'093u}) {
    const Buffer file = test::whole_file(TerasortDataset(3, records));
    const test::MapOutput output = test::run_map(terasort, file, {0, file.size()}, shape, random);
    // What is left at the end is a spill, too, unless it is all.
    EXPECT_EQ(output.spills, records == 546 ? 0u : (records + 545) / 546) << records;
    EXPECT_EQ(output.index.output_bytes(), records * 104 + run_end_bytes);
  }
}

TEST(MapTasks, CountWhatTheyDo) {
  const WordCount words;
  MemorySpills spills;
  const auto task = MapTask::create(words, {0, 8}, {2, budget_bytes_min}, spills);
  ASSERT_TRUE((*task)->consume(bytes_of("a b\na c a\nnot mine\n")).has_value());
  EXPECT_FALSE((*task)->needs_input());
  EXPECT_EQ((*task)->position(), 10u);
  MemorySink output;
  const auto index = (*task)->finish(output);
  ASSERT_TRUE(index.has_value());
  EXPECT_EQ((*task)->counters().input_records, 2u);
  EXPECT_EQ((*task)->counters().emitted_pairs, 5u);
  EXPECT_EQ((*task)->counters().output_bytes, output.written.size());
  // Three words are left, each with 4 bytes of lengths and 8 of its count.
  EXPECT_EQ(output.written.size(), 3 * 13 + 2 * run_end_bytes);
  EXPECT_EQ(index->runs.size(), 2u);
  EXPECT_EQ((*task)->counters().spilled, SpillCounters{});
}

TEST(MapTasks, HaveEmptyPartitionsWithoutInput) {
  const WordCount words;
  MemorySpills spills;
  const auto task = MapTask::create(words, {0, 0}, {3, budget_bytes_min}, spills);
  EXPECT_FALSE((*task)->needs_input());
  MemorySink output;
  const auto index = (*task)->finish(output);
  ASSERT_TRUE(index.has_value());
  EXPECT_EQ(index->output_bytes(), 3 * run_end_bytes);
}

TEST(MapTasks, WriteTheSameOutputWhateverTheirBudgetAndChunks) {
  Random random(77);
  const WordCount words;
  const Buffer file = test::whole_file(TextDataset(4, 200));
  const InputSplit split{1'000, 700'000};
  const auto reference = test::run_map(words, file, split, {.partitions = 5}, random);
  EXPECT_EQ(reference.spills, 0u);
  for (const std::size_t budget : {65'536u, 80'000u, 100'000u}) {
    const auto output = test::run_map(
        words, file, split,
        {.chunk_bytes_max = 1 + random.below(9'000), .partitions = 5, .map_budget_bytes = budget},
        random);
    EXPECT_GT(output.spills, 1u);
    EXPECT_EQ(output.bytes, reference.bytes);
    EXPECT_EQ(output.index, reference.index);
  }
}

class FullStore final : public SpillStore {
 public:
  Status append(std::size_t, Bytes) override { return Error{"the disk is full"}; }
  Status finish(std::size_t) override { return success(); }
  Status read(std::size_t, std::uint64_t, std::span<std::byte>) override {
    return Error{"nothing was written"};
  }
};

TEST(MapTasks, PassOnTheErrorsOfTheirStore) {
  const Terasort terasort{RangePartitioner()};
  const Buffer file = test::whole_file(TerasortDataset(3, 1'000));
  FullStore store;
  const auto task = MapTask::create(terasort, {0, file.size()}, {1, budget_bytes_min}, store);
  const Status consumed = (*task)->consume(file);
  ASSERT_FALSE(consumed);
  EXPECT_EQ(consumed.error().message, "the disk is full");
}

TEST(MapTasks, RefuseAFileThatEndsWithinARecord) {
  const Terasort terasort{RangePartitioner()};
  MemorySpills spills;
  const auto task = MapTask::create(terasort, {0, 150}, {1, budget_bytes_min}, spills);
  ASSERT_TRUE((*task)->consume(Buffer(150)).has_value());
  MemorySink output;
  const auto index = (*task)->finish(output);
  ASSERT_FALSE(index);
  EXPECT_THAT(index.error().message, HasSubstr("a record of 50 bytes instead of 100 at byte 100"));
}

}  // namespace
}  // namespace tracebed::kernels
