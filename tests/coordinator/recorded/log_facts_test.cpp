#include "coordinator/recorded/log_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class StorageFacts : public testing::Test {
 protected:
  StorageFacts() {
    round_.arrivals.push_back(NodeJoined{NodeId(0u), 0});
    round_.machines.push_back({.name = "one", .rack = "/r"});
  }
  void call(StorageOperation operation) {
    round_.add_storage(StorageCalled{7, {{.user = "ann", .client = "c1"}, std::move(operation)}});
  }
  // Without the machine's.
  std::vector<std::string> lines(LogFilter filter = {}) {
    std::vector<std::string> lines;
    LogFacts facts(names_, std::move(filter), [&](const nlohmann::ordered_json& fact) {
      if (fact.at("what") != "node_joined") lines.push_back(to_line(fact).substr(29));
    });
    facts.show_arrivals(round_, nullptr);
    return lines;
  }

  Names names_;
  Round round_;
};

TEST_F(StorageFacts, TellWhatDatanodesReported) {
  round_.add_storage(DatanodeRegistered{NodeId(0u)});
  round_.add_storage(DatanodeHeartbeat{NodeId(0u), {100, 30, 70, 2}});
  round_.add_storage(FullBlockReport{NodeId(0u), {{.block_id = 1}, {.block_id = 2}}});
  round_.add_storage(IncrementalBlockReport{NodeId(0u), {{{.block_id = 1}, true}}});
  round_.add_storage(DatanodeGone{NodeId(3u)});
  EXPECT_THAT(lines(), ElementsAre("datanode_registered node=one",
                                   "datanode_heartbeat  node=one capacity=100 used=30 remaining=70 "
                                   "transfers=2",
                                   "full_block_report   node=one replicas=2",
                                   "incremental_report  node=one changes=1 deleted=1",
                                   "datanode_gone       node=#3"));
}

TEST_F(StorageFacts, TellWhoCalledWhat) {
  call(CreateFile{.path = "/a"});
  call(RenameInto{"/a", "/b"});
  call(AddBlock{.file = {"/a", 16'390}, .previous = {}, .excluded = {}});
  call(RenewLease{});
  call(DecommissionDatanode{NodeId(0u)});
  EXPECT_THAT(
      lines(),
      ElementsAre(
          "storage_called      ticket=7 call=create user=ann client=c1 path=/a",
          "storage_called      ticket=7 call=rename user=ann client=c1 path=/a "
          "destination=/b",
          "storage_called      ticket=7 call=addBlock user=ann client=c1 path=/a file=16390",
          "storage_called      ticket=7 call=renewLease user=ann client=c1",
          "storage_called      node=one ticket=7 call=decommission user=ann client=c1"));
}

TEST_F(StorageFacts, TellOfFilesThatAreThereFromTheStart) {
  round_.add_storage(PreloadedFile{.path = "/in", .size = 5, .block_size = 4});
  EXPECT_THAT(lines(),
              ElementsAre("file_preloaded      path=/in size=5 block_size=4 replication=3"));
}

TEST_F(StorageFacts, AreFoundByTheirNode) {
  round_.add_storage(DatanodeRegistered{NodeId(0u)});
  round_.add_storage(DatanodeRegistered{NodeId(1u)});
  call(RenewLease{});
  EXPECT_THAT(lines({.node = "one"}), ElementsAre("datanode_registered node=one"));
}

TEST_F(StorageFacts, HaveNothingThatATerminalWouldObey) {
  call(MakeDirectories{.path = "/a\x1b[2J\n\xff"});
  ASSERT_EQ(lines().size(), 1u);
  EXPECT_THAT(lines()[0], Not(HasSubstr("\x1b")));
  EXPECT_THAT(lines()[0], Not(HasSubstr("\n")));
  EXPECT_THAT(lines()[0], HasSubstr("path=\"/a\\u001b[2J\\n"));
}

}  // namespace
}  // namespace tracebed
