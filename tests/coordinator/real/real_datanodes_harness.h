// A RealFleet with scripted agents and datanodes, for tests of its storage.
#pragma once

#include <deque>
#include <gmock/gmock.h>
#include <vector>

#include "coordinator/real/real_datanodes.h"
#include "coordinator/real/real_fleet_harness.h"
#include "coordinator/real/scripted_datanode.h"

namespace tracebed::test {

inline const ReportedReplica replica_5{5, 1'001, 100, ReportedState::finalized};
inline constexpr DatanodeUsage usage{1'000, 300, 700, 2};

class RealDatanodesTest : public RealFleetTest {
 protected:
  RealDatanodesTest() {
    options_.storage.emplace();
    options_.storage->gate = &gate_;
    options_.storage->orders = &orders_;
    options_.storage->datanodes.heartbeat = seconds(30);  // half a second at this time scale
    options_.storage->namenode = "127.0.0.1:8020";
  }

  ScriptedDatanode& add_datanode(std::size_t number) {
    ScriptedDatanode& datanode =
        datanodes_.emplace_back(fleet_->endpoint(), options_.run, "node-" + std::to_string(number),
                                fleet_->links().at(number));
    datanode.link().start_sessions_at(500'000 * (number + 1));
    datanode.link().know_epoch(options_.epoch);
    return datanode;
  }
  // Agents and their datanodes have registered.
  void open_with_datanodes(std::size_t count) {
    open(count);
    for (std::size_t i = 0; i < count; ++i) add_agent(i).send_hello();
    fleet_->wait_for_agents(timeout, look_at_nothing);
    for (ScriptedAgent& agent : agents_) agent.expect<wire::Welcome>();
    for (std::size_t i = 0; i < count; ++i) {
      ScriptedDatanode& datanode = add_datanode(i);
      datanode.send_hello();
      datanode.send(wire::BlockReportPart{0, true, {replica_5}});
      datanode.send(wire::DatanodeBeat{usage, {}});
    }
    fleet_->wait_for_datanodes(timeout, look_at_nothing);
    for (ScriptedDatanode& datanode : datanodes_) {
      welcomes_.push_back(datanode.expect<wire::DatanodeWelcome>());
      datanode.expect<wire::ReportAnswer>();
      datanode.expect<wire::DatanodeOrders>();
    }
  }
  // And the run has begun; what the namenode had to answer of the first round is answered.
  void start_with_datanodes(std::size_t count) {
    open_with_datanodes(count);
    wait();
    for (std::size_t i = 0; i < count; ++i) {
      execute(
          {AnswerDatanode{NodeId(i), HeartbeatReply{}}, AnswerDatanode{NodeId(i), ReportReply{}}});
      datanodes_[i].expect<wire::DatanodeOrders>();
      datanodes_[i].expect<wire::ReportAnswer>();
    }
    fleet_->begin_jobs();
  }
  // Waits for rounds until there are inputs of the namenode.
  std::vector<StorageInput> wait_for_inputs() {
    for (int i = 0; i < 100; ++i) {
      wait();
      if (!round_.storage.empty()) return round_.storage;
    }
    return {};
  }

  StorageGate gate_;
  DatanodeOrderQueue orders_;
  std::deque<ScriptedDatanode> datanodes_;
  std::vector<wire::DatanodeWelcome> welcomes_;
};

}  // namespace tracebed::test
