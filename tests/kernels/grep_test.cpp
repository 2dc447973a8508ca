#include "kernels/grep.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "kernels/local_job.h"

namespace tracebed::kernels {
namespace {

struct SearchedText {
  std::string text;
  std::string pattern;
  std::string output;
};

TEST(Greps, FindTheseLines) {
  for (const auto& [text, pattern, output] :
       std::vector<SearchedText>{{"one two\nthree\n\ntwo\n", "two", "0\tone two\n15\ttwo\n"},
                                 {"aaa\naa\na", "aa", "0\taaa\n4\taa\n"},
                                 {"a.c\nabc\n", "a.c", "0\ta.c\n"},
                                 {"one\ntwo\n", "e\tt", ""}}) {
    Random random(1);
    const auto grep = Grep::parse(bytes_of(pattern));
    ASSERT_TRUE(grep.has_value());
    const auto result = test::run_job(**grep, bytes_of(text), {}, random);
    EXPECT_EQ(text_of(result.parts[0]), output) << pattern;
  }
}

// As strings of bytes, 256 would be before 1 in the order of little-endian numbers.
TEST(Greps, AreInTheOrderOfTheInput) {
  std::string text;
  std::string output;
  for (int line = 0; line < 300; ++line) {
    output += std::to_string(text.size()) + "\tx\n";
    text += "x\n";
  }
  Random random(1);
  const auto grep = Grep::parse(bytes_of("x"));
  EXPECT_EQ(text_of(test::run_job(**grep, bytes_of(text), {}, random).parts[0]), output);
}

}  // namespace
}  // namespace tracebed::kernels
