#include "command_line/roff.h"

#include <gtest/gtest.h>

namespace tracebed {
namespace {

TEST(Roff, KeepsHyphensBackslashesAndQuotes) {
  EXPECT_EQ(roff_text("--set a\\b"), "\\-\\-set a\\(rsb");
  EXPECT_EQ(roff_text("\"~`^"), "\\(dq\\(ti\\(ga\\(ha");
  EXPECT_EQ(roff_text("…/é"), "…/é");
}

TEST(Roff, TakesNoLineOfAParagraphForARequest) {
  EXPECT_EQ(roff_paragraph(".so /etc/passwd"), "\\&.so /etc/passwd\n");
  EXPECT_EQ(roff_paragraph("'so file"), "\\&'so file\n");
  const std::string first(78, 'x');
  EXPECT_EQ(roff_paragraph(first + " .TH"), first + "\n\\&.TH\n");
}

TEST(Roff, WrapsParagraphsAtSpaces) {
  const std::string word(40, 'w');
  EXPECT_EQ(roff_paragraph(word + " " + word), word + "\n" + word + "\n");
  EXPECT_EQ(roff_paragraph("one\n two"), "one two\n");
  EXPECT_EQ(roff_paragraph(""), "");
}

}  // namespace
}  // namespace tracebed
