#include "traces/parts/line_reader.h"

#include <gtest/gtest.h>

#include "traces/trace_texts.h"

namespace tracebed {
namespace {

using Outcome = LineReader::Outcome;

LineReader reader_of(std::string_view text, std::size_t line_bytes_max = 100) {
  return {"t", decompressed(bytes_in_memory(text)), line_bytes_max};
}

std::vector<std::string> lines_of(std::string_view text) {
  LineReader reader = reader_of(text);
  std::vector<std::string> lines;
  std::string_view line;
  while (reader.next(line) == Outcome::line) lines.emplace_back(line);
  return lines;
}

using Lines = std::vector<std::string>;

TEST(LineReader, CutsAtLineEndsAndKeepsEmptyLines) {
  EXPECT_EQ(lines_of("a\n\nb\n"), (Lines{"a", "", "b"}));
}

TEST(LineReader, TakesALastLineWithoutItsEnd) {
  EXPECT_EQ(lines_of("a\nb"), (Lines{"a", "b"}));
}

TEST(LineReader, TakesOneCarriageReturnOffTheEnd) {
  EXPECT_EQ(lines_of("a\r\nb\r\r\nc\rd\r"), (Lines{"a", "b\r", "c\rd"}));
}

TEST(LineReader, PassesOverAByteOrderMark) {
  EXPECT_EQ(lines_of("\xEF\xBB\xBF"
                     "a\n\xEF\xBB\xBF"
                     "b"),
            (Lines{"a",
                   "\xEF\xBB\xBF"
                   "b"}));
}

TEST(LineReader, SkipsALineThatIsTooLongAndGoesOn) {
  const std::string text = "short\n" + std::string(5'000'000, 'x') + "\nafter\n";
  LineReader reader = reader_of(text, 10);
  std::string_view line;
  EXPECT_EQ(reader.next(line), Outcome::line);
  EXPECT_EQ(reader.next(line), Outcome::too_long);
  EXPECT_EQ(reader.line_number(), 2u);
  EXPECT_EQ(reader.next(line), Outcome::line);
  EXPECT_EQ(line, "after");
  EXPECT_EQ(reader.line_number(), 3u);
  EXPECT_EQ(reader.next(line), Outcome::end);
}

TEST(LineReader, RefusesLinesFromOneByteAboveTheLimitOn) {
  for (const std::string end : {"\n", "\r\n", ""}) {
    std::string_view line;
    const std::string above = "12345678901" + end;
    LineReader over = reader_of(above, 10);
    EXPECT_EQ(over.next(line), Outcome::too_long) << end.size();
    EXPECT_EQ(over.next(line), Outcome::end);
  }
  std::string_view line;
  LineReader just = reader_of("1234567890\r\n", 10);
  EXPECT_EQ(just.next(line), Outcome::line);
  EXPECT_EQ(line, "1234567890");
}

TEST(LineReader, FindsLineEndsWhereverTheBufferIsFilledAnew) {
  // Lines of every length around the size of a chunk.
  std::string text;
  Lines expected;
  for (std::size_t i = 0; i < 30'000; ++i) {
    expected.push_back(std::string(i % 97, static_cast<char>('a' + i % 26)));
    text += expected.back() + "\n";
  }
  EXPECT_EQ(lines_of(text), expected);
}

TEST(LineReader, DoesNotDeliverALineThatADefectCutsShort) {
  const std::string whole = testing::gzip("first\nsecond\n");
  const std::string_view cut = std::string_view(whole).substr(0, whole.size() - 10);
  LineReader reader = reader_of(cut);
  std::string_view line;
  Outcome outcome = Outcome::line;
  while ((outcome = reader.next(line)) == Outcome::line)
    EXPECT_TRUE(line == "first" || line == "second");
  EXPECT_EQ(outcome, Outcome::defect);
  EXPECT_EQ(reader.next(line), Outcome::defect);
}

TEST(LineReader, CountsBytesOfTextWithLineEnds) {
  LineReader reader = reader_of("ab\r\ncd\n");
  std::string_view line;
  while (reader.next(line) == Outcome::line) {
  }
  EXPECT_EQ(reader.text_bytes(), 7u);
}

TEST(LineReader, PeeksWithoutConsuming) {
  LineReader reader = reader_of("one\ntwo\n");
  EXPECT_EQ(reader.peek(), "one\ntwo\n");
  std::string_view line;
  EXPECT_EQ(reader.next(line), Outcome::line);
  EXPECT_EQ(line, "one");
}

}  // namespace
}  // namespace tracebed
