#include "kernels/sort.h"

#include <gtest/gtest.h>
#include <string>

#include "kernels/local_job.h"
#include "kernels/terasort.h"

namespace tracebed::kernels {
namespace {

TEST(Sorts, OrderLinesAsBytesAndKeepEqualOnes) {
  Random random(1);
  const auto result =
      test::run_job(Sort(RangePartitioner()), bytes_of("b\na\n\xff\nab\n\nb\nB"), {}, random);
  EXPECT_EQ(text_of(result.parts[0]), "\nB\na\nab\nb\nb\n\xff\n");
}

TEST(Sorts, PutRangesOfLinesInTheirParts) {
  Random random(1);
  // The first and the last line of a sample may be cut, and do not count.
  const Sort sort(Sort::sample(bytes_of("zz\nd\nb\na\nc\nz"), 2));
  const auto result = test::run_job(sort, bytes_of("d\nc\nb\na\ne\n"), {.partitions = 2}, random);
  EXPECT_EQ(text_of(result.parts[0]), "a\nb\n");
  EXPECT_EQ(text_of(result.parts[1]), "c\nd\ne\n");
}

std::string record(const std::string& key, char filler) {
  return key + std::string(terasort_record_bytes - key.size(), filler);
}

TEST(Terasorts, OrderRecordsByTheirKeys) {
  const std::string first = record(std::string("\0\1aaaaaaaa", 10), 'z');
  const std::string second = record("aaaaaaaaaa", 'x');
  const std::string third = record("aaaaaaaaab", 'w');
  const std::string fourth = record(
      "\xff\xff"
      "aaaaaaaa",
      'a');
  Random random(1);
  const std::string file = fourth + third + second + first;
  const auto result =
      test::run_job(Terasort(RangePartitioner()), bytes_of(file), {.split_bytes = 150}, random);
  EXPECT_EQ(text_of(result.parts[0]), first + second + third + fourth);
}

TEST(Terasorts, OrderRecordsWithEqualKeysByWhatFollows) {
  std::string file;
  std::string sorted;
  for (const char filler : {'d', 'b', 'e', 'a', 'c', 'b'}) file += record("aaaaaaaaaa", filler);
  for (const char filler : {'a', 'b', 'b', 'c', 'd', 'e'}) sorted += record("aaaaaaaaaa", filler);
  Random random(1);
  for (const std::uint64_t split_bytes : {100u, 250u, 600u}) {
    const auto result = test::run_job(Terasort(RangePartitioner()), bytes_of(file),
                                      {.split_bytes = split_bytes}, random);
    EXPECT_EQ(text_of(result.parts[0]), sorted);
  }
}

TEST(Terasorts, SampleTheirKeys) {
  const std::string sample = record("cccccccccc", 'x') + record("aaaaaaaaaa", 'x');
  const RangePartitioner ranges = Terasort::sample(bytes_of(sample + "a part"), 2);
  EXPECT_EQ(ranges.partitions(), 2u);
  EXPECT_EQ(ranges.partition(bytes_of("cccccccccb")), 0u);
  EXPECT_EQ(ranges.partition(bytes_of("cccccccccc")), 1u);
}

}  // namespace
}  // namespace tracebed::kernels
