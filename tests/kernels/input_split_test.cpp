#include "kernels/input_split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/random.h"

namespace tracebed::kernels {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Collector final : public RecordVisitor {
 public:
  Status visit(const InputRecord& record) override {
    records.push_back(std::to_string(record.offset) + ":" + std::string(text_of(record.bytes)));
    return success();
  }
  std::vector<std::string> records;
};

struct ReadSplit {
  std::vector<std::string> records;
  std::string error;
  std::uint64_t position = 0;
};

ReadSplit read(RecordFormat format, std::string_view file, InputSplit split,
               std::size_t chunk_bytes) {
  Collector collector;
  SplitReader reader(format, split);
  ReadSplit result;
  while (!reader.is_done() && reader.position() < file.size()) {
    const Status consumed =
        reader.consume(bytes_of(file.substr(reader.position(), chunk_bytes)), collector);
    if (!consumed) return {collector.records, consumed.error().message, reader.position()};
  }
  if (const Status ended = reader.end_of_file(collector); !ended) {
    result.error = ended.error().message;
  }
  result.records = collector.records;
  result.position = reader.position();
  return result;
}

std::vector<std::string> lines(std::string_view file, InputSplit split) {
  return read(line_format, file, split, 3).records;
}

// The lines begin at 0, 3, 6, 7 and 12.
constexpr std::string_view file = "aa\nbb\n\ncccc\ndd";

TEST(SplitReaders, ReadTheLineThatBeginsAtTheEndOfTheirSplit) {
  EXPECT_THAT(lines(file, {0, 3}), ElementsAre("0:aa", "3:bb"));
  EXPECT_THAT(lines(file, {3, 3}), ElementsAre("6:"));
  EXPECT_THAT(lines(file, {6, 8}), ElementsAre("7:cccc", "12:dd"));
}

TEST(SplitReaders, SkipTheLineThatTheSplitBeforeReads) {
  EXPECT_THAT(lines(file, {0, 2}), ElementsAre("0:aa"));
  EXPECT_THAT(lines(file, {2, 2}), ElementsAre("3:bb"));
  EXPECT_THAT(lines(file, {4, 3}), ElementsAre("6:", "7:cccc"));
  EXPECT_THAT(lines(file, {8, 3}), IsEmpty());
  EXPECT_THAT(lines(file, {11, 3}), ElementsAre("12:dd"));
}

TEST(SplitReaders, ReadALastLineWithoutItsEnd) {
  EXPECT_THAT(lines("aa\nb", {0, 4}), ElementsAre("0:aa", "3:b"));
  EXPECT_THAT(lines("aa\n", {0, 3}), ElementsAre("0:aa"));
  EXPECT_THAT(lines("aa", {0, 1}), ElementsAre("0:aa"));
  EXPECT_THAT(lines("aa", {1, 1}), IsEmpty());
}

TEST(SplitReaders, HaveNoRecordsInASplitOfNoBytes) {
  EXPECT_THAT(lines(file, {0, 0}), IsEmpty());
  EXPECT_THAT(read({2}, "abcd", {0, 0}, 1).records, IsEmpty());
}

TEST(SplitReaders, ReadNoFurtherThanTheirLastRecord) {
  EXPECT_EQ(read(line_format, file, {0, 1}, 100).position, 3u);
  EXPECT_EQ(read({4}, "aaaabbbbcccc", {0, 5}, 100).position, 8u);
}

TEST(SplitReaders, ReadRecordsThatBeginInTheirSplit) {
  const std::string_view records = "aaabbbcccddd";
  EXPECT_THAT(read({3}, records, {0, 4}, 2).records, ElementsAre("0:aaa", "3:bbb"));
  EXPECT_THAT(read({3}, records, {4, 2}, 2).records, IsEmpty());
  EXPECT_THAT(read({3}, records, {4, 3}, 2).records, ElementsAre("6:ccc"));
  EXPECT_THAT(read({3}, records, {9, 3}, 2).records, ElementsAre("9:ddd"));
}

TEST(SplitReaders, RefuseARecordThatTheFileCutsShort) {
  EXPECT_EQ(read({3}, "aaabb", {0, 5}, 2).error,
            "input: a record of 2 bytes instead of 3 at byte 3");
}

TEST(SplitReaders, RefuseALineThatIsTooLong) {
  const std::string longest(line_bytes_max, 'x');
  EXPECT_EQ(read(line_format, "a\n" + longest + "\n", {0, 9}, 100).error, "");
  EXPECT_EQ(read(line_format, "a\n" + longest + "x\n", {0, 9}, 100).error,
            "input: a line of more than 8192 bytes at byte 2");
  EXPECT_THAT(read(line_format, longest + "x\n", {0, 9}, 20'000).error, HasSubstr("at byte 0"));
}

class Refusing final : public RecordVisitor {
 public:
  Status visit(const InputRecord&) override { return Error{"no"}; }
};

TEST(SplitReaders, PassOnTheErrorsOfTheirVisitor) {
  Refusing refusing;
  SplitReader reader(line_format, {0, 10});
  const Status consumed = reader.consume(bytes_of("a\n"), refusing);
  ASSERT_FALSE(consumed);
  EXPECT_EQ(consumed.error().message, "no");
}

// Wherever a file is cut, each record belongs to exactly one split.
TEST(SplitReaders, ReadEachRecordOnceWhateverTheSplits) {
  Random random(23);
  for (int round = 0; round < 2'000; ++round) {
    std::string text;
    for (std::uint64_t left = 1 + random.below(60); left > 0; --left) {
      text += random.chance(0.3) ? '\n' : static_cast<char>('a' + random.below(26));
    }
    const bool has_lines = random.chance(0.5);
    const RecordFormat format = has_lines ? line_format : RecordFormat{1 + random.below(7)};
    if (!has_lines) text.resize(text.size() / format.record_bytes * format.record_bytes);
    if (text.empty()) continue;
    const auto expected = read(format, text, {0, text.size()}, text.size()).records;
    std::vector<std::string> found;
    for (std::uint64_t offset = 0; offset < text.size();) {
      const std::uint64_t bytes = 1 + random.below(text.size() - offset);
      const auto part = read(format, text, {offset, bytes}, 1 + random.below(20));
      ASSERT_EQ(part.error, "");
      found.insert(found.end(), part.records.begin(), part.records.end());
      offset += bytes;
    }
    ASSERT_EQ(found, expected) << text;
  }
}

}  // namespace
}  // namespace tracebed::kernels
