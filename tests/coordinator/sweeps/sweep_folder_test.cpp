#include "coordinator/sweeps/sweep_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;

SweepPlan two_points() {
  SweepPlan plan;
  plan.name = "two";
  plan.digest = "d";
  plan.keys = {{"seed", 1, {"1", "2"}}};
  plan.points = {{1, {0}, "", std::nullopt, std::string(64, 'a')},
                 {2, {1}, "", std::nullopt, std::string(64, 'b')}};
  return plan;
}

std::string refusal_of(const SweepFolder& folder, const SweepPlan& plan) {
  try {
    folder.adopt(plan, /*replaces=*/false);
  } catch (const InputError& error) {
    return error.what();
  }
  return "not refused";
}

class SweepFolders : public ::testing::Test {
 protected:
  // As the process of a point leaves it.
  void make(const SweepPoint& point) const {
    const std::filesystem::path work = folder_.work(point.digest);
    std::filesystem::create_directories(work / "out");
    write_file(work / "experiment.toml", "x");
    write_file(work / "log.txt", "");
  }

  TemporaryFolder temporary_;
  SweepFolder folder_{temporary_.path() / "sweep"};
};

TEST_F(SweepFolders, KeepTheirPlan) {
  folder_.adopt(two_points(), /*replaces=*/false);
  const RecordedPlan plan = folder_.plan();
  EXPECT_EQ(plan.name, "two");
  EXPECT_EQ(plan.keys.at(0).values.size(), 2U);
  EXPECT_EQ(plan.points.at(1).values.at(0), 1U);
  EXPECT_EQ(refusal_of(folder_, two_points()), "not refused");
}

TEST_F(SweepFolders, RefuseAnotherPlanAndSayWhatDiffers) {
  folder_.adopt(two_points(), /*replaces=*/false);
  SweepPlan other = two_points();
  other.points[1].digest = std::string(64, 'c');
  EXPECT_THAT(refusal_of(folder_, other), HasSubstr("point 2 (seed=2) has other inputs"));
  other = two_points();
  other.keys[0].values[1] = "3";
  EXPECT_THAT(refusal_of(folder_, other), HasSubstr("expected seed = [1, 2], got seed = [1, 3]"));
  folder_.adopt(other, /*replaces=*/true);
  EXPECT_EQ(folder_.plan().keys[0].values[1], "3");
}

TEST_F(SweepFolders, HaveAPointOnceItWasMovedIntoPlace) {
  const SweepPlan plan = two_points();
  folder_.adopt(plan, /*replaces=*/false);
  make(plan.points[0]);
  EXPECT_FALSE(folder_.finished(plan.points[0].digest));
  EXPECT_TRUE(folder_.was_begun(plan.points[0].digest));
  folder_.move_into_place(plan.points[0], 2.5);
  ASSERT_TRUE(folder_.finished(plan.points[0].digest));
  EXPECT_DOUBLE_EQ(folder_.finished(plan.points[0].digest)->seconds, 2.5);
  EXPECT_FALSE(folder_.finished(plan.points[1].digest));
  // Another process that made the same one is late.
  make(plan.points[0]);
  folder_.move_into_place(plan.points[0], 9);
  EXPECT_DOUBLE_EQ(folder_.finished(plan.points[0].digest)->seconds, 2.5);
}

TEST_F(SweepFolders, RefuseRecordsThatWereChanged) {
  const SweepPlan plan = two_points();
  folder_.adopt(plan, /*replaces=*/false);
  make(plan.points[0]);
  folder_.move_into_place(plan.points[0], 2.5);
  const std::filesystem::path record = folder_.point(plan.points[0].digest) / "point.json";
  std::string text = contents(record);
  text.replace(text.find("2.5"), 3, "3.5");
  write_file(record, text);
  EXPECT_THROW((void)folder_.finished(plan.points[0].digest), InputError);
}

}  // namespace
}  // namespace tracebed
