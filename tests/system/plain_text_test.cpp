#include "system/plain_text.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

#include "core/random.h"
#include "system/utf8.h"

namespace tracebed {
namespace {

TEST(PlainText, IsTextAsItWas) {
  for (const std::string text :
       {"", "a queue", "a\\b \"c\" ~", "größer → 東京 👍", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(plain_line(text), text);
    EXPECT_EQ(plain_lines(text), text);
  }
}

TEST(PlainText, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(plain_line("\x1b[2J\x1b]0;title\a"), "\\x1B[2J\\x1B]0;title\\x07");
  EXPECT_EQ(plain_line("a\r\nb\tc"), "a\\r\\nb\\tc");
  EXPECT_EQ(plain_lines("a\r\nb\tc"), "a\\r\nb\\tc");
  EXPECT_EQ(plain_line(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(plain_line("a\x7f"), "a\\u007F");
  EXPECT_EQ(plain_line("\xC2\x9B"
                       "31m"),
            "\\u009B31m");
}

TEST(PlainText, OfAMessageKeepsTheLinesOfItsList) {
  EXPECT_EQ(plain_paragraph("expected one of\n  a\n  b"), "expected one of\n  a\n  b");
  EXPECT_EQ(plain_paragraph("no queue a\nroot: done\n"), "no queue a\\nroot: done\\n");
  EXPECT_EQ(plain_paragraph("a\n\n b\x1b"), "a\\n\\n b\\x1B");
}

TEST(PlainText, ShowsWhatWouldReorderOrEndALine) {
  EXPECT_EQ(plain_line("a\xE2\x80\xAE"
                       "b"),
            "a\\u202Eb");
  EXPECT_EQ(plain_line("\xE2\x81\xA6\xE2\x80\xA8\xE2\x80\x8F\xD8\x9C"),
            "\\u2066\\u2028\\u200F\\u061C");
}

TEST(PlainText, ShowsBytesThatAreNoUtf8) {
  EXPECT_EQ(plain_line("\xff"
                       "a\xC3"),
            "\\xFFa\\xC3");
  EXPECT_EQ(plain_line("\x9b"
                       "31m"),
            "\\x9B31m");
  EXPECT_EQ(plain_line("\xC3\xA4\xC3"), "\xC3\xA4\\xC3");
}

// Whatever comes in: UTF-8 without a control character goes out, and that is not changed again.
TEST(PlainText, IsPlainWhateverItWasMadeOf) {
  Random random = Random::stream(1, "texts");
  const std::string_view pieces[] = {"a",  "\n",       "\x1b",         "\xC2\x9B", "\xE2\x80\xAE",
                                     "\\", "\xC3\xA4", "\xF0\x9F\x91", "\xff",     "\x7f"};
  for (int i = 0; i < 10'000; ++i) {
    std::string text;
    for (std::uint64_t n = random.below(12); n > 0; --n) {
      if (random.below(3) == 0) {
        text += static_cast<char>(random.below(256));
      } else {
        text += pieces[random.below(std::size(pieces))];
      }
    }
    const std::string line = plain_line(text);
    ASSERT_TRUE(is_utf8(line));
    for (const char letter : line) {
      const auto byte = static_cast<unsigned char>(letter);
      ASSERT_TRUE(byte >= 0x20 && byte != 0x7F) << line;
    }
    ASSERT_EQ(line.find("\xC2\x9B"), std::string::npos);
    ASSERT_EQ(plain_line(line), line);
    std::string lines = plain_lines(text);
    ASSERT_EQ(std::count(lines.begin(), lines.end(), '\n'),
              std::count(text.begin(), text.end(), '\n'));
  }
}

}  // namespace
}  // namespace tracebed
