#include "coordinator/real/log_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

using testing::ElementsAre;

wire::LogLines lines(int from, int count) {
  wire::LogLines log;
  for (int i = from; i < from + count; ++i) log.lines.push_back({{}, {}, std::to_string(i)});
  return log;
}

std::vector<std::string> texts(const std::vector<BookedLine>& lines) {
  std::vector<std::string> texts;
  for (const BookedLine& line : lines) texts.push_back(line.daemon + " " + line.line.text);
  return texts;
}

TEST(LogBook, TellsTheLastLinesInTheOrderInWhichTheyCame) {
  LogBook book;
  book.add("a", lines(1, 2));
  book.add("b", lines(3, 1));
  book.add("a", lines(4, 1));
  EXPECT_THAT(texts(book.read("", 0, 100)), ElementsAre("a 1", "a 2", "b 3", "a 4"));
  EXPECT_THAT(texts(book.read("", 0, 2)), ElementsAre("b 3", "a 4"));
  EXPECT_THAT(texts(book.read("a", 0, 2)), ElementsAre("a 2", "a 4"));
  EXPECT_THAT(texts(book.read("a", 2, 100)), ElementsAre("a 4"));
  EXPECT_THAT(texts(book.read("c", 0, 100)), ElementsAre());
  EXPECT_EQ(book.read("", 0, 100).back().number, 4u);
}

TEST(LogBook, SaysHowManyLinesAreLost) {
  LogBook book;
  wire::LogLines log = lines(9, 1);
  log.lost = 8;
  book.add("a", log);
  EXPECT_THAT(texts(book.read("", 0, 9)), ElementsAre("a 8 lines before this one are lost", "a 9"));
}

TEST(LogBook, KeepsOfEachDaemonItsShareAndNoMore) {
  LogBook book;
  book.add("quiet", lines(0, 1));
  for (int i = 0; i < 100; ++i) book.add("loud", lines(100 * i, 100));
  EXPECT_EQ(book.read("loud", 0, 100'000).size(), LogBook::daemon_lines_max);
  EXPECT_EQ(book.read("loud", 0, 100'000).back().line.text, "9999");
  EXPECT_EQ(book.read("quiet", 0, 10).size(), 1u);
  for (int i = 0; i < 5'000; ++i) book.add("agent" + std::to_string(i), lines(0, 50));
  EXPECT_EQ(book.read("agent4999", 0, 100).size(), LogBook::daemon_lines_min);
}

}  // namespace
}  // namespace tracebed
