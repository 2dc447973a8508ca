#include "core/settings.h"

#include <array>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

constexpr std::array<SettingDescription, 4> described{{
    {"count", "3", "how many, 1 to 10"},
    {"share", "0.25", "a share of the whole"},
    {"order", "first", "first or last"},
    {"delay_ms", "1500", "how long"},
}};

TEST(Settings, HaveTheirDefaultsWhereNothingIsGiven) {
  const SettingValues values;
  SettingReader reader("the thing", described, values);
  EXPECT_EQ(reader.integer("count", 1, 10), 3);
  EXPECT_EQ(reader.fraction("share", 0, 1), 0.25);
  EXPECT_EQ(reader.choice("order", {"first", "last"}), 0u);
  EXPECT_EQ(reader.milliseconds_of("delay_ms", 0, 10'000), milliseconds(1'500));
  EXPECT_TRUE(reader.status().has_value());
}

TEST(Settings, AreReadByName) {
  const SettingValues values{{"count", "10"}, {"order", "last"}, {"share", "1"}};
  SettingReader reader("the thing", described, values);
  EXPECT_EQ(reader.integer("count", 1, 10), 10);
  EXPECT_EQ(reader.choice("order", {"first", "last"}), 1u);
  EXPECT_EQ(reader.fraction("share", 0, 1), 1.0);
  EXPECT_TRUE(reader.status().has_value());
}

std::string complaint_about(const SettingValues& values) {
  SettingReader reader("the thing", described, values);
  reader.integer("count", 1, 10);
  reader.fraction("share", 0, 0.5);
  reader.choice("order", {"first", "last"});
  return reader.status().has_value() ? "" : reader.status().error().message;
}

TEST(Settings, SayWhatWasExpectedAndWhatCame) {
  EXPECT_EQ(complaint_about({{"count", "11"}}),
            "the thing, setting count: expected a whole number from 1 to 10, got \"11\"");
  EXPECT_EQ(complaint_about({{"count", "3x"}}),
            "the thing, setting count: expected a whole number from 1 to 10, got \"3x\"");
  EXPECT_EQ(complaint_about({{"count", ""}}),
            "the thing, setting count: expected a whole number from 1 to 10, got \"\"");
  EXPECT_EQ(complaint_about({{"share", "nan"}}),
            "the thing, setting share: expected a number from 0 to 0.5, got \"nan\"");
  EXPECT_EQ(complaint_about({{"order", "First"}}),
            "the thing, setting order: expected one of first, last, got \"First\"");
}

TEST(Settings, RefuseNamesThatAreNotDescribed) {
  EXPECT_EQ(complaint_about({{"counts", "3"}}),
            "the thing has no setting \"counts\"; it has count, share, order, delay_ms");
}

TEST(Settings, ReportTheFirstOfSeveralErrors) {
  EXPECT_EQ(complaint_about({{"share", "2"}, {"order", "middle"}}),
            "the thing, setting share: expected a number from 0 to 0.5, got \"2\"");
}

}  // namespace
}  // namespace tracebed
