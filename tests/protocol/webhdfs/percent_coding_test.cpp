#include "protocol/webhdfs/percent_coding.h"

#include <gtest/gtest.h>

namespace tracebed::webhdfs {
namespace {

TEST(PercentCoding, DecodesEscapesOfBothCases) {
  EXPECT_EQ(percent_decoded("/a%20b%2fc%2F%c3%A9", false), "/a b/c/\xc3\xa9");
  EXPECT_EQ(percent_decoded("100%25", false), "100%");
  EXPECT_EQ(percent_decoded("", false), "");
}

TEST(PercentCoding, APlusIsASpaceInQueriesOnly) {
  EXPECT_EQ(percent_decoded("a+b%2B", true), "a b+");
  EXPECT_EQ(percent_decoded("a+b", false), "a+b");
}

TEST(PercentCoding, RefusesEscapesWithoutTwoDigitsAndTheByteZero) {
  for (const char* text : {"%", "%2", "a%", "%g0", "%0g", "%+1", "%-1", "% 1", "%00"}) {
    EXPECT_EQ(percent_decoded(text, false), std::nullopt) << text;
  }
  EXPECT_EQ(percent_decoded(std::string_view("a\0b", 3), false), std::nullopt);
}

TEST(PercentCoding, EncodesAllThatIsNotUnreserved) {
  EXPECT_EQ(percent_encoded("/a b%é?x=1&y"), "/a%20b%25%C3%A9%3Fx%3D1%26y");
  EXPECT_EQ(percent_encoded("AZaz09-._~/"), "AZaz09-._~/");
}

TEST(PercentCoding, EveryByteReturnsAsItWas) {
  std::string bytes;
  for (int i = 1; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_EQ(percent_decoded(percent_encoded(bytes), false), bytes);
  EXPECT_EQ(percent_decoded(percent_encoded(bytes), true), bytes);
}

}  // namespace
}  // namespace tracebed::webhdfs
