#include "traces/parts/bad_rows.h"

#include <gtest/gtest.h>

#include "core/input_error.h"
#include "system/utf8.h"

namespace tracebed {
namespace {

TEST(BadRows, StopAtTheFirstWithTheWholeStory) {
  BadRows rows("trace.swf", false);
  try {
    rows.add(BadRow::number, 12, "column 4 (run time)", "a number", shown("x"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "trace.swf:12: column 4 (run time): expected a number, got 'x'");
  }
}

TEST(BadRows, AreCountedByReasonWhenSkipped) {
  BadRows rows("t", true);
  rows.add(BadRow::number, 3, "column 1", "a number", "'x'");
  rows.add(BadRow::number, 5, "column 2", "a number", "'y'");
  rows.add(BadRow::columns, 9, "row", "18 columns", "17 columns");
  EXPECT_EQ(rows.total(), 3u);
  EXPECT_EQ(rows.reason(BadRow::number).rows, 2u);
  EXPECT_EQ(rows.reason(BadRow::number).first_line, 3u);
  EXPECT_EQ(rows.reason(BadRow::columns).first_message,
            "t:9: row: expected 18 columns, got 17 columns");
  EXPECT_EQ(rows.reason(BadRow::order).rows, 0u);
}

TEST(BadRows, AreListedUpToABoundButTheFirstOfEachReasonAlways) {
  BadRows rows("t", true);
  for (std::uint64_t line = 1; line <= 2 * BadRows::messages_max; ++line) {
    rows.add(BadRow::number, line, "column 1", "a number", "'x'");
  }
  rows.add(BadRow::columns, 9999, "row", "2 columns", "1 column");
  ASSERT_EQ(rows.messages().size(), BadRows::messages_max);
  EXPECT_EQ(rows.messages()[1], "t:2: column 1: expected a number, got 'x'");
  EXPECT_EQ(rows.total(), 2 * BadRows::messages_max + 1);
  EXPECT_EQ(rows.reason(BadRow::columns).first_line, 9999u);
}

TEST(BadRows, QuoteWhatCameWithoutTrustingIt) {
  EXPECT_EQ(shown("plain"), "'plain'");
  EXPECT_EQ(shown(std::string_view("a\0\x1B[31m\xFF", 8)), "'a\\x00\\x1B[31m\\xFF'");
  EXPECT_EQ(shown("\x7F\xC3\xA5"), "'\\x7F\\xC3\\xA5'");
  EXPECT_EQ(shown(std::string(100, 'x')), "'" + std::string(60, 'x') + "' … (100 bytes)");
}

TEST(Utf8, TellsWellFormedTextFromOther) {
  for (const char* text : {"", "plain", "\xC3\xA5", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) {
    EXPECT_TRUE(is_utf8(text)) << shown(text);
  }
  // A stray continuation, a cut sequence, overlong forms, a surrogate, beyond the last code point.
  for (const char* text : {"\x80", "\xC3", "\xC3(", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80",
                           "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xFF"}) {
    EXPECT_FALSE(is_utf8(text)) << shown(text);
  }
}

}  // namespace
}  // namespace tracebed
