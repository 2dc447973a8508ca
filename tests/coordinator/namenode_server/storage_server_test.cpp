#include "coordinator/namenode_server/storage_server.h"

#include <gmock/gmock.h>
#include <mutex>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/TSocket.h>

#include "coordinator/namenode_server/run_thread.h"
#include "coordinator/storage/block_locations.h"

namespace tracebed {
namespace {

using apache::thrift::protocol::TBinaryProtocol;
using apache::thrift::transport::TFramedTransport;
using apache::thrift::transport::TSocket;
using test::RunThread;
using testing::ElementsAre;
using testing::SizeIs;

// Keeps the orders, and answers as it was told.
class KeptOrders final : public DatanodeAdministration {
 public:
  void order(NodeId node, const DatanodeOrder& order, Done done) override {
    const std::lock_guard lock(mutex_);
    nodes_.push_back(node.value());
    orders_.push_back(order);
    done(outcome_);
  }

  void set_outcome(Status outcome) {
    const std::lock_guard lock(mutex_);
    outcome_ = std::move(outcome);
  }
  std::vector<unsigned> nodes() const {
    const std::lock_guard lock(mutex_);
    return nodes_;
  }
  std::vector<DatanodeOrder> orders() const {
    const std::lock_guard lock(mutex_);
    return orders_;
  }

 private:
  mutable std::mutex mutex_;  // guards what follows
  std::vector<unsigned> nodes_;
  std::vector<DatanodeOrder> orders_;
  Status outcome_ = success();
};

class Client {
 public:
  explicit Client(std::uint16_t port)
      : transport_(
            std::make_shared<TFramedTransport>(std::make_shared<TSocket>("127.0.0.1", port))),
        service_(std::make_shared<TBinaryProtocol>(transport_)) {
    transport_->open();
  }
  storage::StorageClient* operator->() { return &service_; }

 private:
  std::shared_ptr<TFramedTransport> transport_;
  storage::StorageClient service_;
};

// The exception's class of a call that fails; empty if it succeeds.
template <class Call>
std::string failure_of(const Call& call) {
  try {
    call();
  } catch (const storage::StorageException& thrown) {
    return thrown.exception_class;
  }
  return "";
}

class StorageServerTest : public testing::Test {
 protected:
  RunThread run_{6};
  KeptOrders orders_;
  StorageServer server_{run_.gate(), orders_, {}};
  Client client_{server_.port()};
};

TEST_F(StorageServerTest, TheBlocksOfAFileAreListedWithAllReplicas) {
  run_.preload("/data", 2500);
  std::vector<storage::LocatedBlock> blocks;
  client_->list_blocks(blocks, "/data", 0);
  ASSERT_THAT(blocks, SizeIs(3));
  EXPECT_EQ(blocks[2].block.num_bytes, 452);
  EXPECT_EQ(blocks[2].offset, 2048);
  EXPECT_TRUE(blocks[2].is_complete);
  ASSERT_THAT(blocks[0].replicas, SizeIs(3));
  run_.within([&](test::ServedNamenode& served) {
    const auto located = block_locations(served.namenode_.state(), "/data", 0, 1, {}, served.now_);
    const LocatedBlock& first = located->blocks.at(0);
    served.call("", ReportBadBlocks{{{first.block, {first.nodes[0]}}}});
  });
  client_->list_blocks(blocks, "/data", 0);
  EXPECT_EQ(
      std::count_if(blocks[0].replicas.begin(), blocks[0].replicas.end(),
                    [](const auto& each) { return each.state == storage::ReplicaState::CORRUPT; }),
      1);
  client_->list_blocks(blocks, "/data", 2048);
  EXPECT_THAT(blocks, SizeIs(1));
  EXPECT_EQ(failure_of([&] { client_->list_blocks(blocks, "/none", 0); }),
            "java.io.FileNotFoundException");
}

TEST_F(StorageServerTest, DatanodesAreListedInPages) {
  run_.within([](test::ServedNamenode& served) { served.stop(NodeId(2u)); });
  std::vector<storage::DatanodeInfo> datanodes;
  client_->list_datanodes(datanodes, "");
  ASSERT_THAT(datanodes, SizeIs(6));
  EXPECT_EQ(datanodes[0].name, "127.0.1.1:9866");
  EXPECT_EQ(datanodes[0].network_location, "/rack0");
  EXPECT_EQ(datanodes[0].capacity, 1'000'000'000);
  EXPECT_EQ(datanodes[2].liveness, storage::Liveness::DEAD);
  client_->list_datanodes(datanodes, datanodes[3].name);
  ASSERT_THAT(datanodes, SizeIs(2));
  EXPECT_EQ(datanodes[0].name, "127.0.1.5:9870");
}

TEST_F(StorageServerTest, OrdersReachTheDatanode) {
  storage::DatanodeRates rates;
  rates.__set_disk_bytes_per_second(1000);
  rates.seek_microseconds = 5000;
  client_->set_rates("127.0.1.2:9867", rates);
  client_->corrupt_replica("127.0.1.3", 1073741825, 7, 2);
  client_->stop_datanode("127.0.1.6");
  EXPECT_THAT(orders_.nodes(), ElementsAre(1, 2, 5));
  EXPECT_THAT(
      orders_.orders(),
      ElementsAre(DatanodeOrder(SetDatanodeRates{1000, std::nullopt, std::chrono::milliseconds(5)}),
                  DatanodeOrder(CorruptReplica{1073741825, 7, 2}), DatanodeOrder(StopDatanode{})));
  orders_.set_outcome(Error{"it is not connected"});
  EXPECT_EQ(failure_of([&] { client_->stop_datanode("127.0.1.1"); }), "java.io.IOException");
}

TEST_F(StorageServerTest, BadOrdersReachNobody) {
  constexpr const char* illegal = "java.lang.IllegalArgumentException";
  storage::DatanodeRates rates;
  EXPECT_EQ(failure_of([&] { client_->set_rates("127.0.1.9", rates); }), illegal);
  rates.__set_network_bytes_per_second(0);
  EXPECT_EQ(failure_of([&] { client_->set_rates("127.0.1.1", rates); }), illegal);
  EXPECT_EQ(failure_of([&] { client_->corrupt_replica("127.0.1.1", -1, 0, 1); }), illegal);
  EXPECT_EQ(failure_of([&] { client_->corrupt_replica("127.0.1.1", 1, 0, 0); }), illegal);
  EXPECT_THAT(orders_.orders(), SizeIs(0));
}

TEST_F(StorageServerTest, ADatanodeIsDecommissionedAndRecommissioned) {
  std::vector<storage::DatanodeInfo> datanodes;
  run_.preload("/data", 2500);
  client_->decommission("127.0.1.1");
  client_->list_datanodes(datanodes, "");
  EXPECT_NE(datanodes[0].admin_state, storage::AdminState::NORMAL);
  client_->recommission("127.0.1.1:9866");
  client_->list_datanodes(datanodes, "");
  EXPECT_EQ(datanodes[0].admin_state, storage::AdminState::NORMAL);
}

TEST_F(StorageServerTest, SafeModeIsEnteredAndLeft) {
  EXPECT_FALSE(client_->set_safe_mode(storage::SafeModeAction::GET));
  EXPECT_TRUE(client_->set_safe_mode(storage::SafeModeAction::ENTER));
  EXPECT_TRUE(client_->set_safe_mode(storage::SafeModeAction::GET));
  EXPECT_FALSE(client_->set_safe_mode(storage::SafeModeAction::LEAVE));
}

TEST_F(StorageServerTest, CallsFailWhenNoRunIsOpen) {
  run_.end_run();
  constexpr const char* retriable = "org.apache.hadoop.ipc.RetriableException";
  std::vector<storage::DatanodeInfo> datanodes;
  EXPECT_EQ(failure_of([&] { client_->list_datanodes(datanodes, ""); }), retriable);
  EXPECT_EQ(failure_of([&] { client_->stop_datanode("127.0.1.1"); }), retriable);
  EXPECT_EQ(failure_of([&] { client_->set_safe_mode(storage::SafeModeAction::ENTER); }), retriable);
}

TEST_F(StorageServerTest, WithATokenNobodyElseIsServed) {
  const std::string token(40, 'x');
  StorageServer guarded(run_.gate(), orders_, {.tokens = token});
  Client client(guarded.port());
  EXPECT_THROW(client->stop_datanode("127.0.1.1"), apache::thrift::TApplicationException);
  EXPECT_THROW(client->authenticate("wrong"), storage::NotAuthorised);
  EXPECT_EQ(guarded.refused(), 2u);
  EXPECT_THAT(orders_.orders(), SizeIs(0));
  client->authenticate(token);
  client->stop_datanode("127.0.1.1");
  EXPECT_THAT(orders_.orders(), SizeIs(1));
}

}  // namespace
}  // namespace tracebed
