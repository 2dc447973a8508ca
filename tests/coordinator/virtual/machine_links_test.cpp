#include "coordinator/virtual/machine_links.h"

#include <gtest/gtest.h>

#include "support/at_seconds.h"

namespace tracebed {
namespace {

// Two machines in a rack, a third in another.
class MachineLinksTest : public testing::Test {
 protected:
  static std::vector<Machine> machines() {
    std::vector<Machine> all(3);
    all[0].rack = all[1].rack = "/rack0";
    all[2].rack = "/rack1";
    return all;
  }
  static DatanodeOptions rates() {
    DatanodeOptions rates;
    rates.disk_rate = 1'000;
    rates.network_rate = 600;
    rates.rack_rate = 400;
    return rates;
  }
  double rate_of(const MachineLinks::Path& path) { return links_.flows().rate_of(begin(path)); }
  FlowId begin(const MachineLinks::Path& path) {
    return links_.flows().begin(path, {.tag = 0, .bytes = 1'000'000}, at_seconds(0));
  }

  MachineLinks links_{machines(), rates()};
  const NodeId a_{0u}, near_{1u}, far_{2u};
};

TEST_F(MachineLinksTest, PassNoInterfaceOnOneMachine) {
  EXPECT_DOUBLE_EQ(rate_of(links_.read_path(a_, a_)), 1'000);
}

TEST_F(MachineLinksTest, PassInterfacesWithinARack) {
  EXPECT_DOUBLE_EQ(rate_of(links_.read_path(a_, near_)), 600);
}

TEST_F(MachineLinksTest, PassUplinksBetweenRacks) {
  EXPECT_DOUBLE_EQ(rate_of(links_.read_path(a_, far_)), 400);
}

TEST_F(MachineLinksTest, CarryBothDirectionsAtFullRate) {
  const FlowId there = begin(links_.write_path(a_, far_));
  const FlowId back = begin(links_.write_path(far_, near_));
  EXPECT_DOUBLE_EQ(links_.flows().rate_of(there), 400);
  EXPECT_DOUBLE_EQ(links_.flows().rate_of(back), 400);
}

TEST_F(MachineLinksTest, ShareTheDiskAmongReadersAndWriters) {
  const FlowId read = begin(links_.read_path(a_, a_));
  const FlowId write = begin(links_.write_path(a_, a_));
  const FlowId copy = begin(links_.copy_path(a_, far_));
  EXPECT_NEAR(links_.flows().rate_of(read), 1'000.0 / 3, 1e-6);
  EXPECT_NEAR(links_.flows().rate_of(write), 1'000.0 / 3, 1e-6);
  EXPECT_NEAR(links_.flows().rate_of(copy), 1'000.0 / 3, 1e-6);
}

// What waits for the network, and what is to take its time, does not wait for the disk; a local
// read at once does. With a time constant of 10 s the pressure is 1 - e^-0.5 = 0.393 after 5 s of
// that, and e^-1 = 0.368 times as much 10 s after its end.
TEST_F(MachineLinksTest, ReportsHowLongSomethingWaitedForTheDisk) {
  FlowNetwork& flows = links_.flows();
  begin(links_.read_path(a_, near_));
  begin(links_.read_path(a_, far_));
  const MachineLinks::Path local = links_.read_path(a_, a_);
  flows.begin(local, {.bytes = 16'000, .due = at_seconds(164)}, at_seconds(4));
  EXPECT_EQ(links_.io_pressure(a_, at_seconds(9)), 0);
  const FlowId at_once = flows.begin(local, {.bytes = 1'000'000}, at_seconds(9));
  EXPECT_EQ(links_.io_pressure(a_, at_seconds(14)), 393);
  EXPECT_EQ(links_.io_pressure(near_, at_seconds(14)), 0) << "of another machine";
  flows.cancel(at_once, at_seconds(14));
  EXPECT_EQ(links_.io_pressure(a_, at_seconds(24)), 145);
}

TEST_F(MachineLinksTest, ShareAReadersInterfaceAmongItsServers) {
  const FlowId near = begin(links_.read_path(near_, a_));
  const FlowId far = begin(links_.read_path(far_, a_));
  EXPECT_DOUBLE_EQ(links_.flows().rate_of(near), 300);
  EXPECT_DOUBLE_EQ(links_.flows().rate_of(far), 300);
}

}  // namespace
}  // namespace tracebed
