#include "report/comparability.h"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "report/sample_runs.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;

RunFolder run(const std::string& folder, const std::string& label, const std::string& world,
              std::uint32_t repetition) {
  SampleCluster cluster;
  cluster.label = label;
  cluster.world = world;
  cluster.repetition = repetition;
  RunFolder made;
  made.folder = folder;
  made.description = sample_description(cluster);
  return made;
}

std::vector<RunFolder> two_runs() {
  std::vector<RunFolder> runs;
  runs.push_back(run("runs/a", "fifo", "virtual", 1));
  runs.push_back(run("runs/b", "fifo", "virtual", 2));
  return runs;
}

std::string complaint_about(const std::vector<RunFolder>& runs) {
  try {
    group_comparable(runs);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Comparability, GroupsRepetitionsOfASchedulerInAWorld) {
  std::vector<RunFolder> runs;
  runs.push_back(run("a", "fifo", "virtual", 2));
  runs.push_back(run("b", "fair", "virtual", 1));
  runs.push_back(run("c", "fifo", "virtual", 1));
  runs.push_back(run("d", "fifo", "local", 1));
  const std::vector<RunGroup> groups = group_comparable(runs);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].label, "fifo");
  EXPECT_THAT(groups[0].runs, ::testing::ElementsAre(2, 0)) << "by repetition";
  EXPECT_EQ(groups[1].label, "fair");
  EXPECT_EQ(groups[2].world, "local");
}

TEST(Comparability, NamesWhatDiffers) {
  struct Case {
    std::function<void(RunDescription&)> change;
    const char* complaint;
  };
  const std::vector<Case> cases{
      {[](RunDescription& d) { d.trace.digest = "ff"; },
       "runs/a and runs/b cannot be compared, because they differ in: trace digest "
       "(00112233445566778899aabbccddeeff and ff)"},
      {[](RunDescription& d) {
         d.scale = {{"cpu", "2"}, {"memory", "8"}};
       },
       "scale of cpu (1 and 2)"},
      {[](RunDescription& d) { d.rules.clear(); }, "rule users (as given and not set)"},
      {[](RunDescription& d) { d.rules.emplace_back("queues", "one"); },
       "rule queues (not set and one)"},
      {[](RunDescription& d) {
         d.trace_selection = {{"jobs_max", "7"}};
       },
       "trace selection jobs_max (400 and 7)"},
      {[](RunDescription& d) { d.machines.pop_back(); }, "number of machines (4 and 3)"},
      {[](RunDescription& d) { d.machines[2].capacity = Resources(1000, 1); },
       "machine 2 (node2 with 4000 milli-vcores and 16384 MiB in /rack-a, and node2 with 1000 "
       "milli-vcores and 1 MiB in /rack-a)"},
      {[](RunDescription& d) { d.changes.clear(); }, "when machines leave and come back"},
      {[](RunDescription& d) { d.changes.front().up = !d.changes.front().up; },
       "when machines leave and come back"},
      {[](RunDescription& d) { d.isolation = "none"; },
       "ran in the virtual world under different conditions: isolation (modelled and none)"},
      {[](RunDescription& d) { d.time_scale = 2; }, "time scale (1 and 2)"},
  };
  for (const Case& c : cases) {
    std::vector<RunFolder> runs = two_runs();
    c.change(runs[1].description);
    EXPECT_THAT(complaint_about(runs), HasSubstr(c.complaint));
  }
}

TEST(Comparability, RunsOfOneLabelWithDifferentSettingsStandApart) {
  std::vector<RunFolder> runs = two_runs();
  runs.push_back(run("runs/c", "fifo", "virtual", 3));
  runs.push_back(run("runs/d", "fifo", "local", 1));
  runs.push_back(run("runs/e", "fifo", "local", 2));
  runs[1].description.scheduler_settings = {{"delay", "40"}};
  runs[4].description.scheduler_settings = {{"delay", "40"}};
  const std::vector<RunGroup> groups = group_comparable(runs);
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[0].label, "fifo");
  EXPECT_EQ(groups[0].apart, "");
  EXPECT_THAT(groups[0].runs, ::testing::ElementsAre(0, 2));
  EXPECT_EQ(groups[1].label, "fifo (2)");
  EXPECT_EQ(groups[1].apart,
            "runs/a and runs/b are both labelled fifo but differ in: setting delay (not set and "
            "40)");
  EXPECT_EQ(groups[2].label, "fifo");
  EXPECT_EQ(groups[2].apart, "");
  EXPECT_EQ(groups[3].label, "fifo (2)") << "the settings that have this label elsewhere";

  runs = two_runs();
  runs[1].description.scheduler_name = "fair";
  EXPECT_THAT(group_comparable(runs).at(1).apart, HasSubstr("scheduler (fifo and fair)"));
}

TEST(Comparability, RunsThatDecidedDifferentlyWithOneSeedStandApart) {
  std::vector<RunFolder> runs = two_runs();
  runs[0].end.digest = "aa";
  runs[1].end.digest = "bb";
  runs[0].description.seed = 1;
  runs[1].description.seed = 2;
  EXPECT_EQ(group_comparable(runs).size(), 1u) << "repetitions";
  runs[1].description.seed = 1;
  runs[1].description.software_version = "9.9";
  const std::vector<RunGroup> groups = group_comparable(runs);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[1].label, "fifo (2)");
  EXPECT_THAT(groups[1].apart, HasSubstr("decisions with the same settings and seed (digests aa "
                                         "and bb; Tracebed "));
  runs[1].end.digest = "aa";
  EXPECT_EQ(group_comparable(runs).size(), 1u);
  // Machines are never the same twice.
  for (RunFolder& run : runs) run.description.world = "local";
  runs[1].end.digest = "bb";
  EXPECT_EQ(group_comparable(runs).size(), 1u);
}

TEST(Comparability, ManyDifferencesAreAllNamed) {
  std::vector<RunFolder> runs = two_runs();
  runs[1].description.trace.bytes = 5;
  runs[1].description.masters = {{"slow_start", "1"}};
  const std::string complaint = complaint_about(runs);
  EXPECT_THAT(complaint, HasSubstr("trace size in bytes (12345 and 5); "));
  EXPECT_THAT(complaint, HasSubstr("master setting slow_start (not set and 1)"));
}

TEST(Comparability, WorldsMayDifferInTheirConditionsAndMachineNames) {
  std::vector<RunFolder> runs = two_runs();
  runs[1].description.world = "local";
  runs[1].description.isolation = "cgroup-v1";
  runs[1].description.time_scale = 60;
  runs[1].description.machines[0].name = "agent-1";
  EXPECT_EQ(complaint_about(runs), "");
}

}  // namespace
}  // namespace tracebed
