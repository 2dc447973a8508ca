#include "report/text_table.h"

#include <array>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

TEST(TextTable, AlignsByCharactersNotBytes) {
  TextTable table({"name", "µs", "verdict"}, true);
  table.add_row({"größer", "1", "better"});
  table.add_rule();
  table.add_row({"x", "1,234", "–"});
  EXPECT_EQ(table.to_string(),
            "name       µs  verdict\n"
            "──────────────────────\n"
            "größer      1  better\n"
            "──────────────────────\n"
            "x       1,234  –\n");
}

TEST(TextTable, HasARowInALineWhateverIsInItsCells) {
  TextTable table({"queue\n", "jobs"});
  table.add_row({"a\x1b[2J\nb", "1"});
  EXPECT_EQ(table.to_string(),
            "queue\\n      jobs\n"
            "─────────────────\n"
            "a\\x1B[2J\\nb     1\n");
}

TEST(TextTable, TellsNumbersWithFourDigits) {
  struct Case {
    double value;
    const char* text;
  };
  constexpr std::array cases{
      Case{0, "0"},
      Case{1, "1"},
      Case{12.345, "12.35"},
      Case{-0.98765, "-0.9877"},
      Case{999.96, "1,000"},
      Case{1234.5, "1,234"},
      Case{-1234567, "-1,234,567"},
      Case{123, "123"},
      Case{0.00012345, "0.000123"},
      Case{-1e-9, "0"},
      Case{0.5, "0.5"},
      Case{100'000, "100,000"},
  };
  for (const Case& c : cases) EXPECT_EQ(readable(c.value), c.text) << c.value;
}

TEST(Grouped, PartsThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1'000), "1,000");
  EXPECT_EQ(grouped(18'446'744'073'709'551'615u), "18,446,744,073,709,551,615");
}

}  // namespace
}  // namespace tracebed
