// What of a [relocation] table is refused, and how a run record keeps it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/resolving/experiment_fault.h"
#include "coordinator/resolving/relocation_settings.h"
#include "coordinator/resolving/resolved_experiment.h"

namespace tracebed {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string relocation_fault(const std::string& line,
                             const std::string& root = "world = \"virtual\"") {
  return experiment_fault(root, "[relocation]\n" + line);
}

TEST(RelocationChoice, NamesTheLineOfAWrongSetting) {
  EXPECT_EQ(relocation_fault("speed = true"), "none");
  EXPECT_THAT(relocation_fault("speed = 3"), StartsWith(":11: relocation.speed"));
  EXPECT_THAT(relocation_fault("sped = true"), HasSubstr("relocation.sped"));
  EXPECT_THAT(relocation_fault("speed = true\nio_hot = 0.05"),
              StartsWith(":12: relocation.io_hot"));
  EXPECT_THAT(relocation_fault("speed = true\nio_calm = 0.5\nio_hot = 0.45"),
              StartsWith(":12: relocation.io_calm"));
}

TEST(RelocationChoice, RefusesWhatItWouldWaitForInVain) {
  EXPECT_THAT(relocation_fault("io = true"), HasSubstr("nothing waits for a disk there"));
  EXPECT_THAT(relocation_fault("io = true\n[storage]\ndisk_rate = \"unlimited\""),
              HasSubstr("nothing waits for a disk there"));
  EXPECT_THAT(relocation_fault("io = true\n[storage]\n[virtual]\nmodel = \"ideal\""),
              HasSubstr("nothing waits for a disk there"));
  EXPECT_EQ(relocation_fault("io = true\n[storage]"), "none");
  EXPECT_EQ(relocation_fault("io = true", "world = \"local\""), "none");
  EXPECT_THAT(relocation_fault("locality = true", "world = \"virtual\"\nam = \"container\""),
              HasSubstr("masters hosted by the coordinator"));
}

TEST(RelocationRecord, GivesBackWhatWasChosenBesideTheMasters) {
  NamedTexts recorded{
      {"slow_start", "0.5"}, {"relocation.locality", "true"}, {"relocation.at_once", "9"}};
  const std::vector<Setting> taken = take_relocation(recorded, "run.json");
  const auto options = *read_relocation(to_values(taken));
  ASSERT_TRUE(options.has_value());
  EXPECT_TRUE(options->for_locality);
  EXPECT_EQ(options->at_once, 9u);
  EXPECT_EQ(taken.front().where, "run.json: relocation.locality");
  EXPECT_EQ(recorded, (NamedTexts{{"slow_start", "0.5"}}));
}

TEST(RelocationSettings, AreOffUnlessAReasonIsSwitchedOn) {
  EXPECT_FALSE(read_relocation({})->has_value());
  const auto options = *read_relocation({{"relocation.speed", "true"},
                                         {"relocation.speed_gain", "1.5"},
                                         {"relocation.io_hot", "0.25"}});
  ASSERT_TRUE(options.has_value());
  EXPECT_TRUE(options->for_speed);
  EXPECT_FALSE(options->for_io);
  EXPECT_EQ(options->speed_gain, 1'500u);
  EXPECT_EQ(options->io_hot, 250);
}

TEST(RelocationSettings, ThatMeanNothingAreRefused) {
  EXPECT_THAT(read_relocation({{"relocation.io_calm", "0.4"}}).error().message,
              HasSubstr("expected less than relocation.io_hot"));
  EXPECT_FALSE(read_relocation({{"relocation.speed", "yes"}}));
  EXPECT_FALSE(read_relocation({{"relocation.spede", "true"}}));
}

}  // namespace
}  // namespace tracebed
