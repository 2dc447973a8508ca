#include "system/quantities.h"

#include <gtest/gtest.h>

namespace tracebed {
namespace {

TEST(Quantities, ReadsDurationsExactly) {
  EXPECT_EQ(*parse_duration("250ms"), milliseconds(250));
  EXPECT_EQ(*parse_duration("3s"), seconds(3));
  EXPECT_EQ(*parse_duration("1h"), seconds(3600));
  EXPECT_EQ(*parse_duration("1.5 m"), seconds(90));
  EXPECT_EQ(*parse_duration("0.000001s"), microseconds(1));
  EXPECT_EQ(*parse_duration("0s"), Duration());
  EXPECT_EQ(*parse_duration("2d"), seconds(172'800));
}

TEST(Quantities, RefusesWhatIsNoDuration) {
  for (const char* text : {"", "s", "5", "-1s", "+1s", "1.s", ".5s", "1e3s", "5 parsecs", "5  s",
                           "5s ", " 5s", "0.0000001s", "100001d", "99999999999999999s", "1..2s"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
}

TEST(Quantities, SaysWhatIsWrongWithADuration) {
  EXPECT_EQ(parse_duration("5").error().message, "its unit is missing");
  EXPECT_EQ(parse_duration("5 parsecs").error().message, "\"parsecs\" is no known unit");
  EXPECT_EQ(parse_duration("0.1us").error().message, "it is finer than the smallest unit");
  EXPECT_EQ(parse_duration("100001d").error().message, "it is too large");
}

TEST(Quantities, TellsBinaryFromDecimalSizes) {
  EXPECT_EQ(*parse_size("128 MiB"), 134'217'728);
  EXPECT_EQ(*parse_size("128MB"), 128'000'000);
  EXPECT_EQ(*parse_size("1.5 GiB"), 1'610'612'736);
  EXPECT_EQ(*parse_size("7 B"), 7);
  EXPECT_EQ(*parse_size("1 TiB"), std::int64_t{1} << 40);
  EXPECT_FALSE(parse_size("2097153 TiB"));  // 2^21 + 1 of them: above 2^60
  EXPECT_FALSE(parse_size("128 M"));
  EXPECT_FALSE(parse_size("0.5 B"));
}

TEST(Quantities, AreWrittenInTheLargestWholeUnit) {
  EXPECT_EQ(duration_text(seconds(90)), "90s");
  EXPECT_EQ(duration_text(seconds(7200)), "2h");
  EXPECT_EQ(duration_text(Duration()), "0us");
  EXPECT_EQ(size_text(std::int64_t{8} << 30), "8 GiB");
  EXPECT_EQ(size_text(1'000), "1000 B");
}

TEST(Quantities, AreShownAsAClockShowsThem) {
  EXPECT_EQ(clock_text(Duration()), "0:00");
  EXPECT_EQ(clock_text(microseconds(7'250'999)), "0:07.250");
  EXPECT_EQ(clock_text(seconds(59 * 60 + 59)), "59:59");
  EXPECT_EQ(clock_text(seconds(3'600)), "1:00:00");
  EXPECT_EQ(clock_text(seconds(100 * 3'600 + 62)), "100:01:02");
}

}  // namespace
}  // namespace tracebed
