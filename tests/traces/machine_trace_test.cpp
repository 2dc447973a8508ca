// Files of machines, each on a small fixture of its format's quirks.
#include "traces/machines/machine_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "support/temporary_folder.h"
#include "traces/machines/machine_changes.h"

namespace tracebed {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

MachineTrace read(const std::string& text, const MachineOptions& options = {}) {
  const TemporaryFolder folder;
  return read_machines(folder.write("machines", text).string(), options);
}

std::vector<std::string> told(const MachineTrace& trace) {
  std::vector<std::string> changes;
  for (const MachineChange& change : trace.changes) {
    changes.push_back(trace.machines[change.node.index()].name + (change.up ? "+" : "-") +
                      std::to_string(to_microseconds(change.at)));
  }
  return changes;
}

TEST(MachineTrace, OfGoogleHasComingsGoingsAndChangesOfCapacity) {
  const MachineTrace trace = read(
      "0,5,0,p,0.5,0.25\n"
      "0,6,0,p,1,1\n"
      "700,5,1,p,0.5,0.25\n"
      "800,5,0,p,0.5,0.25\n"
      "900,6,2,p,0.5,1\n"
      "950,6,2,p,0.5,1\n"
      "990,6,2,p,1,1\n"
      "999,7,0,p,,\n");
  EXPECT_EQ(trace.format, "google_machines");
  EXPECT_EQ(trace.rows, 8u);
  ASSERT_EQ(trace.machines.size(), 3u);
  EXPECT_EQ(trace.machines[0].capacity, Resources(8000, 16'384));
  EXPECT_EQ(trace.machines[2].name, "6-2");
  EXPECT_EQ(trace.machines[2].capacity, Resources(8000, 65'536));
  EXPECT_THAT(told(trace),
              ElementsAre("5+0", "6+0", "5-700", "5+800", "6-900", "6-2+900", "6-2-990", "6+990"));
}

TEST(MachineTrace, OfAlibabasServersEndsAtHardErrorsAlone) {
  const MachineTrace trace = read(
      "0,1,add,,64,0.69,1\n"
      "0,2,add,,64,1,1\n"
      "60,1,softerror,agent_check,0,0,0\n"
      "70,2,harderror,machine_fail,0,0,0\n"
      "90,2,add,,64,1,1\n");
  ASSERT_EQ(trace.machines.size(), 2u);
  EXPECT_EQ(trace.machines[0].capacity, Resources(64'000, 180'879));
  EXPECT_THAT(told(trace), ElementsAre("1+0", "2+0", "2-70000000", "2+90000000"));
}

TEST(MachineTrace, OfGpuNodesCountsGpusWhereTheRunDoes) {
  const std::string text = "sn,cpu_milli,memory_mib,gpu,model\na,96000,1024,2,T4\nb,8000,64,0,\n";
  EXPECT_EQ(read(text).machines[0].capacity, Resources(96'000, 1024));
  EXPECT_TRUE(read(text).machines[0].labels.empty());
  MachineOptions options;
  options.trace.dimensions = ResourceDimensions({"gpu_milli"});
  options.trace.rules.pods.models = GpuModels::labels;
  const MachineTrace trace = read(text, options);
  EXPECT_EQ(trace.machines[0].capacity[2], 2000);
  EXPECT_THAT(trace.machines[0].labels, ElementsAre("T4"));
}

TEST(MachineTrace, OfRumenHasRacksAndTheCapacityThatIsGiven) {
  MachineOptions options;
  options.milli_vcores = 4000;
  options.memory_mib = 2048;
  const MachineTrace trace =
      read(R"({"name":"<root>","children":[{"name":"192\\.1\\.2","children":[)"
           R"({"name":"node1\\.a","children":null},{"name":"node2\\.a","children":null}]},)"
           R"({"name":"192\\.1\\.3","children":[{"name":"node3\\.a","children":null}]}]})",
           options);
  EXPECT_EQ(trace.format, "rumen_topology");
  ASSERT_EQ(trace.machines.size(), 3u);
  EXPECT_EQ(trace.machines[0].name, "node1.a");
  EXPECT_EQ(trace.machines[1].rack, "/192.1.2");
  EXPECT_EQ(trace.machines[2].rack, "/192.1.3");
  EXPECT_EQ(trace.machines[2].capacity, Resources(4000, 2048));
}

TEST(MachineTrace, OfTheSimulatorHasLabelsAndPassesOverEmptyNodes) {
  const MachineTrace trace =
      read(R"-({"rack":"rack1","nodes":[{"node":"a","memory-mb":2048,"vcores":6},)-"
           R"-({"node":"b","labels":"x, y(exclusive=false)"},{}]})-"
           "\n"
           R"-({"rack":"rack2","nodes":[{"node":"c","vcores":2}]})-");
  ASSERT_EQ(trace.machines.size(), 3u);
  EXPECT_EQ(trace.machines[0].capacity, Resources(6000, 2048));
  EXPECT_EQ(trace.machines[1].capacity, Resources(10'000, 10'240));
  EXPECT_THAT(trace.machines[1].labels, ElementsAre("x", "y"));
  EXPECT_EQ(trace.machines[2].rack, "/rack2");
  EXPECT_EQ(trace.machines[2].capacity, Resources(2000, 10'240));
}

std::string refusal(const std::string& text, const MachineOptions& options = {}) {
  try {
    read(text, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(MachineTrace, WithABadRowIsRefusedOrCountsIt) {
  const std::string text = "0,5,0,p,0.5,0.25\n0,6,9,p,1,1\n0,7,0,p,1,2\n";
  EXPECT_THAT(refusal(text), HasSubstr("machines:2: column 3 (event type)"));
  MachineOptions options;
  options.trace.skip_bad = true;
  const MachineTrace trace = read(text, options);
  EXPECT_EQ(trace.bad_rows, 2u);
  EXPECT_EQ(trace.machines.size(), 1u);
}

TEST(MachineTrace, OfAnotherContentOrWithTwoOfOneNameIsRefused) {
  EXPECT_THAT(refusal("hello\n"), HasSubstr("expected a machine file"));
  EXPECT_THAT(refusal(R"({"rack":"r","nodes":[{"node":"a"},{"node":"a"}]})"),
              HasSubstr("two of the name 'a'"));
}

TEST(MachineChanges, FromALaterStartKeepWhoIsDownThen) {
  const auto change = [](std::int64_t at, std::uint32_t node, bool up) {
    return MachineChange{trace_time(at), NodeId(node), up};
  };
  // 0 is there from 0; 1 goes for good; 2 goes and comes back later; 3 comes later.
  const auto changes = changes_from({change(0, 0, true), change(1, 1, false), change(2, 2, false),
                                     change(20, 2, true), change(30, 3, true)},
                                    4, trace_time(10));
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_EQ(changes[0].node, NodeId(1u));
  EXPECT_EQ(changes[0].at, trace_time(0));
  EXPECT_FALSE(changes[0].up);
  EXPECT_EQ(changes[1].at, trace_time(10));
  EXPECT_EQ(changes[2].node, NodeId(3u));
  EXPECT_EQ(changes[2].at, trace_time(20));
}

}  // namespace
}  // namespace tracebed
