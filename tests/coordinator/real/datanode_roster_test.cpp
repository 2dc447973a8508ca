// Long-running datanodes between runs, and in runs with and without storage.
#include "coordinator/real/datanode_roster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mutex>

#include "coordinator/real/agent_roster.h"
#include "coordinator/real/real_fleet.h"
#include "coordinator/real/scripted_datanode.h"
#include "support/temporary_folder.h"

namespace tracebed::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class DatanodeRosterTest : public ::testing::Test {
 protected:
  DatanodeRosterTest() {
    datanode_.send_hello();
    datanode_.expect<wire::DatanodeWelcome>();
  }
  DatanodeMember member() const { return roster_.state().datanodes.at(0); }
  RealFleetOptions options() {
    RealFleetOptions options;
    options.run = "run-7";
    options.epoch = 4;
    options.note_idle_datanode = [this](const wire::DatanodeHello& hello) {
      roster_.note_hello(hello);
    };
    return options;
  }
  static std::vector<Machine> machines() {
    return {{.name = "lab1", .capacity = Resources(4'000, 4'096)}};
  }

  TemporaryFolder folder_;
  AgentRoster roster_{"ipc://" + folder_.file("agents"), std::nullopt, [](const std::string&) {}};
  ScriptedDatanode datanode_{roster_.endpoint(), wire::no_run, "lab1"};
};

TEST_F(DatanodeRosterTest, ADatanodeRegistersBesideItsAgentAndIsAnswered) {
  EXPECT_TRUE(member().is_alive);
  EXPECT_EQ(member().agent, "lab1");
  EXPECT_EQ(member().transfer_port, 9'866);
  EXPECT_THAT(roster_.state().members, IsEmpty()) << "it is no agent";
  datanode_.send(wire::DatanodeBeat{});
  EXPECT_EQ(datanode_.expect<wire::DatanodeOrders>().heartbeat, 2u);
  datanode_.send(wire::DatanodeGoodbye{"its machine restarts", {}});
  EXPECT_TRUE(eventually([&] { return !member().is_alive; }));
}

TEST_F(DatanodeRosterTest, PassesOnWhatADatanodeHasLoggedUnderANameOfItsOwn) {
  std::mutex mutex;
  std::vector<std::string> heard;
  roster_.log_to([&](const std::string& daemon, const wire::LogLines& log) {
    const std::lock_guard lock(mutex);
    for (const wire::LogLine& line : log.lines) heard.push_back(daemon + ": " + line.text);
  });
  datanode_.link().send(wire::LogLines{{{{}, {}, "a word"}}, 0});
  EXPECT_TRUE(eventually([&] {
    const std::lock_guard lock(mutex);
    return !heard.empty();
  }));
  // The lines are a message of its session, in which none is missing.
  datanode_.send(wire::DatanodeBeat{});
  EXPECT_EQ(datanode_.expect<wire::DatanodeOrders>().heartbeat, 3u);
  const std::lock_guard lock(mutex);
  EXPECT_THAT(heard, ::testing::ElementsAre("lab1.datanode: a word"));
}

TEST_F(DatanodeRosterTest, AnotherVersionAndAnotherMachineOfItsNameAreRefused) {
  ScriptedDatanode other(roster_.endpoint(), wire::no_run, "lab1");
  wire::DatanodeHello hello = other.hello();
  hello.host = "elsewhere";
  other.send_hello(hello);
  EXPECT_THAT(other.link().expect<wire::Refuse>().reason, HasSubstr("127.0.1.1"));
  hello.protocol_version += 1;
  other.send_hello(hello);
  EXPECT_THAT(other.link().expect<wire::Refuse>().reason,
              HasSubstr(std::to_string(wire::protocol_version + 1)));
}

TEST_F(DatanodeRosterTest, ARunWithoutStorageLeavesItIdle) {
  {
    AgentRoster::Loan loan(roster_);
    datanode_.link().expect<wire::Shutdown>();
    RealFleet fleet(
        options(), machines(), [](const std::string&) {}, loan.socket());
    datanode_.send_hello();
    Round round;
    EXPECT_TRUE(eventually([&] {
      round.clear();
      fleet.wait_until(fleet.clock().now() + milliseconds(20), round);
      EXPECT_THAT(round.storage, IsEmpty());
      return fleet.counters().messages > 0;
    }));
    EXPECT_TRUE(member().is_alive);
    EXPECT_FALSE(member().has_run);
  }
  datanode_.send_hello();
  datanode_.expect<wire::DatanodeWelcome>();
}

TEST_F(DatanodeRosterTest, ARunWithStorageHasItUntilItEnds) {
  StorageGate gate;
  DatanodeOrderQueue orders;
  {
    AgentRoster::Loan loan(roster_);
    datanode_.link().expect<wire::Shutdown>();
    RealFleetOptions with_storage = options();
    with_storage.storage.emplace();
    with_storage.storage->gate = &gate;
    with_storage.storage->orders = &orders;
    RealFleet fleet(
        with_storage, machines(), [](const std::string&) {}, loan.socket());
    datanode_.send_hello();
    bool is_welcome = false;
    fleet.wait_for_datanodes(timeout, [&] {
      if (is_welcome || fleet.datanodes()->counters().registrations == 0) return;
      is_welcome = true;
      datanode_.link().serve("run-7");
      EXPECT_EQ(datanode_.expect<wire::DatanodeWelcome>().node, NodeId(0u));
      datanode_.send(wire::BlockReportPart{});
      datanode_.send(wire::DatanodeBeat{});
    });
    roster_.note_datanodes(fleet.datanodes()->records());
    EXPECT_TRUE(member().has_run);
    datanode_.expect<wire::ReportAnswer>();
    datanode_.expect<wire::DatanodeOrders>();
    fleet.announce_end("the run has ended");
    datanode_.link().expect<wire::Shutdown>();
    datanode_.send(wire::DatanodeGoodbye{"its run is over", {}});
    // What it says next is the roster's.
    datanode_.link().serve(wire::no_run);
    datanode_.send_hello();
    EXPECT_TRUE(fleet.wait_for_goodbyes(timeout));
  }
  datanode_.expect<wire::DatanodeWelcome>();
  EXPECT_FALSE(member().has_run);
}

}  // namespace
}  // namespace tracebed::test
