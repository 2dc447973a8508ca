// What Java options say of a heap, and what that does to a task. Figures are worked by hand.
#include "applications/map_reduce/java_heap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

using testing::HasSubstr;

TEST(JavaHeap, IsTheLastOneThatTheOptionsState) {
  struct Case {
    const char* options;
    std::optional<std::int64_t> mib;
  };
  for (const Case& test : std::vector<Case>{{"", std::nullopt},
                                            {"-server -XX:+UseG1GC", std::nullopt},
                                            {"-Dfile=-Xmx512m", std::nullopt},
                                            {"-Xmx500m", 500},
                                            {"-Xmx500M", 500},
                                            {"-Xmx2g", 2048},
                                            {"-Xmx2G", 2048},
                                            {"-Xmx1048576k", 1024},
                                            {"-Xmx1536K", 1},        // 1.5 MiB, cut
                                            {"-Xmx536870912", 512},  // bytes
                                            {"-Xms1g -Xmx500m\n -Xmx200m -server", 200},
                                            {" -Xmx1g\t", 1024}}) {
    const auto heap = maximum_heap_mib(test.options);
    ASSERT_TRUE(heap) << test.options;
    EXPECT_EQ(*heap, test.mib) << test.options;
  }
}

TEST(JavaHeap, IsRefusedAsAJvmWould) {
  for (const char* options :
       {"-Xmx", "-Xmx 512m", "-Xmx512mb", "-Xmx0m", "-Xmx-1m", "-Xmx1.5g", "-Xmx512", "-Xmxm",
        "-Xmx9999999999999g", "-Xmx99999999999999999999m", "-Xmx500m -Xmxlarge"}) {
    const auto heap = maximum_heap_mib(options);
    ASSERT_FALSE(heap) << options;
    EXPECT_THAT(heap.error().message, HasSubstr("-Xmx with at least 1m"));
  }
}

// 1024 × 0.8 = 819.2, 512 × 0.8 = 409.6, 1000 × 0.75 = 750; 820 / 0.8 = 1025, 1638 / 0.8 = 2047.5.
TEST(JavaHeap, AndMemoryFollowFromEachOtherByTheRatio) {
  EXPECT_EQ(heap_of_memory(1024, 0.8F), 820);
  EXPECT_EQ(heap_of_memory(512, 0.8F), 410);
  EXPECT_EQ(heap_of_memory(1000, 0.75F), 750);
  EXPECT_EQ(heap_of_memory(0, 0.8F), 0);
  EXPECT_EQ(memory_for_heap(820, 0.8F), 1025);
  EXPECT_EQ(memory_for_heap(1638, 0.8F), 2048);
  EXPECT_EQ(memory_for_heap(750, 0.75F), 1000);
}

TEST(JavaHeap, IsEnoughForSoMuchMemoryAndNoMore) {
  EXPECT_EQ(memory_within_heap(400, 0.8F), 500);
  EXPECT_EQ(memory_within_heap(820, 0.8F), 1025);
  EXPECT_EQ(memory_within_heap(1638, 0.8F), 2047) << "of 2048 MiB 1639 are heap";
  EXPECT_EQ(memory_within_heap(1, 1), 1);
}

// Of 640 MiB 512 are heap; 500 MiB of it are full when 625 MiB are touched.
// Proves: A6.1.heap-is-enough
TEST(JavaHeap, IsExhaustedByWorkWhosePartIsLarger) {
  TaskWork work{{.memory_mib = 640}};
  cut_to_heap({}, work);
  EXPECT_EQ(work, TaskWork{{.memory_mib = 640}}) << "no limit";
  cut_to_heap({512, 0.8F}, work);
  EXPECT_EQ(work, TaskWork{{.memory_mib = 640}});
  cut_to_heap({500, 0.8F}, work);
  EXPECT_TRUE(work.exhausts_heap);
  EXPECT_EQ(work.memory_mib, 625);
}

// Of 640 MiB 512 are heap: 3 times 171 MiB are enough, and 4 times 170 MiB are needed. The task
// moves 70 bytes; for each time more 35 are written and read again.
TEST(JavaHeap, ThatIsTooSmallIsMadeUpForByTheDisk) {
  const auto spilled = [](std::int64_t heap_mib) {
    TaskWork work{{.memory_mib = 640, .input_bytes = 40, .shuffle_bytes = 20, .output_bytes = 10}};
    cut_to_heap({heap_mib, 0.8F, true}, work);
    EXPECT_FALSE(work.exhausts_heap);
    return work.spilled_length;
  };
  EXPECT_EQ(spilled(512), 0);
  EXPECT_EQ(spilled(511), 35);
  EXPECT_EQ(spilled(256), 35);
  EXPECT_EQ(spilled(171), 70);
  EXPECT_EQ(spilled(170), 105);
  TaskWork huge{{.memory_mib = std::int64_t{1} << 40, .input_bytes = task_amount_max}};
  cut_to_heap({1, 0.8F, true}, huge);
  EXPECT_EQ(huge.spilled_length, task_amount_max);
  EXPECT_EQ(huge.memory_mib, 1);
}

TEST(JavaHeap, ThatFollowsFromAContainerIsEnoughForWhatFitsThere) {
  for (const std::int64_t memory : {1, 2, 3, 100, 512, 1000, 1024, 1536, 4095, 1 << 24}) {
    TaskWork work{{.memory_mib = memory}};
    cut_to_heap({heap_of_memory(memory, 0.8F), 0.8F}, work);
    EXPECT_FALSE(work.exhausts_heap) << memory;
  }
}

}  // namespace
}  // namespace tracebed
