// When a datanode counts as stale and dead, by HDFS' own formulas.
#include "coordinator/storage/datanodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/at_seconds.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const NodeId one{0u};
const NodeId other{3u};
const RackId rack{0u};

// dfs.heartbeat.interval, recheck-interval and stale interval in seconds, and what follows of them.
struct IntervalRow {
  int heartbeat, recheck, stale;
  int until_stale, until_dead, scan;
  bool avoids = false;
};

TEST(DatanodeIntervals, AreThoseOfHdfs) {
  for (const IntervalRow& row :
       {IntervalRow{3, 300, 30, 30, 630, 300}, IntervalRow{3, 300, 30, 30, 630, 30, true},
        IntervalRow{3, 300, 5, 9, 630, 9, true}, IntervalRow{1, 45, 30, 30, 100, 45},
        IntervalRow{20, 5, 30, 60, 210, 5, true}}) {
    const DatanodeIntervals intervals{.heartbeat = seconds(row.heartbeat),
                                      .recheck = seconds(row.recheck),
                                      .stale = seconds(row.stale),
                                      .avoids_stale_for_writes = row.avoids};
    EXPECT_EQ(intervals.until_stale(), seconds(row.until_stale));
    EXPECT_EQ(intervals.until_dead(), seconds(row.until_dead));
    EXPECT_EQ(intervals.scan(), seconds(row.scan));
  }
}

class DatanodesOfARun : public testing::Test {
 protected:
  DatanodesOfARun() {
    datanodes_.register_datanode(other, rack, at_seconds(0));
    datanodes_.register_datanode(one, rack, at_seconds(0));
  }
  Liveness liveness(NodeId node, int second) const {
    return datanodes_.liveness(*datanodes_.find(node), at_seconds(second));
  }
  Datanodes datanodes_{DatanodeIntervals(), at_seconds(0)};
};

TEST_F(DatanodesOfARun, AreStaleAfterThirtySecondsAndLiveAgainWithAHeartbeat) {
  EXPECT_EQ(liveness(one, 29), Liveness::live);
  EXPECT_EQ(liveness(one, 30), Liveness::stale);
  EXPECT_TRUE(datanodes_.heartbeat(one, {}, at_seconds(31)));
  EXPECT_EQ(liveness(one, 60), Liveness::live);
}

TEST_F(DatanodesOfARun, AreDeadWhenAScanFindsThem) {
  EXPECT_EQ(datanodes_.next_scan(), at_seconds(300));
  datanodes_.heartbeat(one, {}, at_seconds(270));
  EXPECT_THAT(datanodes_.scan(at_seconds(630)), IsEmpty()) << "not later than 630 s";
  EXPECT_EQ(datanodes_.next_scan(), at_seconds(930));
  EXPECT_EQ(liveness(other, 800), Liveness::stale) << "nobody has looked";
  EXPECT_THAT(datanodes_.scan(at_seconds(900)), ElementsAre(other));
  EXPECT_EQ(liveness(other, 900), Liveness::dead);
  EXPECT_THAT(datanodes_.scan(at_seconds(901)), ElementsAre(one));
  EXPECT_EQ(datanodes_.live(), 0u);
}

TEST_F(DatanodesOfARun, RegisterAgainAfterTheyWereDead) {
  EXPECT_TRUE(datanodes_.declare_dead(other));
  EXPECT_FALSE(datanodes_.declare_dead(other));
  EXPECT_FALSE(datanodes_.heartbeat(other, {}, at_seconds(5)));
  EXPECT_EQ(datanodes_.live(), 1u);
  datanodes_.register_datanode(other, rack, at_seconds(6));
  EXPECT_TRUE(datanodes_.heartbeat(other, {}, at_seconds(7)));
  EXPECT_EQ(datanodes_.live(), 2u);
}

TEST_F(DatanodesOfARun, AreUnknownUntilTheyRegister) {
  EXPECT_EQ(datanodes_.find(NodeId(1u)), nullptr) << "between two that are known";
  EXPECT_EQ(datanodes_.find(NodeId(9u)), nullptr);
  EXPECT_FALSE(datanodes_.heartbeat(NodeId(9u), {}, at_seconds(1)));
}

TEST_F(DatanodesOfARun, KeepTheirAdministrativeStateOverAReturn) {
  datanodes_.set_admin_state(one, AdminState::decommission_in_progress);
  datanodes_.declare_dead(one);
  datanodes_.register_datanode(one, rack, at_seconds(1));
  EXPECT_FALSE(datanodes_.find(one)->is_in_service());
}

TEST_F(DatanodesOfARun, AverageTheTransfersOfThoseInService) {
  datanodes_.heartbeat(one, {.transfers = 4}, at_seconds(1));
  datanodes_.heartbeat(other, {.transfers = 8}, at_seconds(1));
  EXPECT_EQ(datanodes_.average_transfers(), 6);
  datanodes_.set_admin_state(other, AdminState::decommissioned);
  EXPECT_EQ(datanodes_.average_transfers(), 4);
  datanodes_.declare_dead(one);
  EXPECT_EQ(datanodes_.average_transfers(), 0);
}

}  // namespace
}  // namespace tracebed
