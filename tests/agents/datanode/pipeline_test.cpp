// The write pipeline's view of a store: generation stamps, acknowledgements and writers.
#include "agents/datanode/store_fixture.h"

namespace tracebed::test {
namespace {

class Pipeline : public StoreFixture {
 protected:
  Pipeline() { start(options(StoreKind::generated)); }
};

TEST_F(Pipeline, LeavesNoGap) {
  ReplicaWriter written = writer();
  const Bytes bytes = random_bytes(100);
  ASSERT_TRUE(written.append(0, bytes));
  EXPECT_EQ(failure_of(written.append(101, bytes)), StoreFailure::wrong_length);
  EXPECT_TRUE(written.append(20, std::span(bytes).first(50)));  // all of it is there
  EXPECT_EQ(written.length(), 100u);
}

TEST_F(Pipeline, AcknowledgesNoMoreThanThereIsAndNeverLess) {
  ReplicaWriter written = writer();
  ASSERT_TRUE(written.append(0, random_bytes(1'000)));
  EXPECT_EQ(info().acknowledged, 0u);
  written.acknowledge(600);
  written.acknowledge(500);
  EXPECT_EQ(info().acknowledged, 600u);
  written.acknowledge(5'000);
  EXPECT_EQ(info().acknowledged, 1'000u);
}

TEST_F(Pipeline, ReadsWhatWasThereWhenTheReaderWasOpened) {
  const Bytes bytes = random_bytes(3'000);
  ReplicaWriter written = writer();
  ASSERT_TRUE(written.append(0, std::span(bytes).first(700)));
  const auto early = store_->open(block);
  ASSERT_TRUE(written.append(700, std::span(bytes).subspan(700, 100)));
  EXPECT_EQ(read(*early), Bytes(bytes.begin(), bytes.begin() + 700));
  ASSERT_TRUE(written.append(800, std::span(bytes).subspan(800)));
  ASSERT_TRUE(written.finalize());
  EXPECT_EQ(read(*early), Bytes(bytes.begin(), bytes.begin() + 700));
}

TEST_F(Pipeline, GoesOnFromWhatWasAcknowledged) {
  const Bytes bytes = random_bytes(3'000);
  {
    ReplicaWriter broken = writer(3'000);
    ASSERT_TRUE(broken.append(0, std::span(bytes).first(1'900)));
    broken.acknowledge(1'500);
  }
  EXPECT_EQ(failure_of(store_->resume(block, stamp + 1, 1'501, 3'000, 3'000)),
            StoreFailure::wrong_length);
  EXPECT_EQ(failure_of(store_->resume(block, stamp + 1, 0, 1'899, 3'000)),
            StoreFailure::wrong_length);
  EXPECT_EQ(failure_of(store_->resume(block, stamp - 1, 0, 3'000, 3'000)),
            StoreFailure::no_such_replica);
  EXPECT_EQ(failure_of(store_->resume(block + 1, stamp, 0, 3'000, 3'000)),
            StoreFailure::no_such_replica);
  auto resumed = store_->resume(block, stamp + 1, 1'500, 1'900, 3'000);
  ASSERT_TRUE(resumed);
  EXPECT_EQ(resumed->length(), 1'500u);
  EXPECT_EQ(std::filesystem::file_size(data_file()), 1'500u);
  EXPECT_EQ(read(), Bytes(bytes.begin(), bytes.begin() + 1'500));
  EXPECT_EQ(store_->figures().reserved, 1'500u);
  ASSERT_TRUE(resumed->append(1'400, std::span(bytes).subspan(1'400)));
  ASSERT_TRUE(resumed->finalize());
  EXPECT_EQ(read(), bytes);
  EXPECT_EQ(info().generation_stamp, stamp + 1);
  EXPECT_EQ(store_->figures().reserved, 0u);
  EXPECT_EQ(failure_of(store_->resume(block, stamp + 2, 0, 3'000, 3'000)),
            StoreFailure::wrong_stage);
}

TEST_F(Pipeline, WaitsForTheWriterBeforeAndSendsItAway) {
  std::optional<ReplicaWriter> hung(writer());
  ASSERT_TRUE(hung->append(0, random_bytes(100)));
  EXPECT_EQ(failure_of(store_->resume(block, stamp + 1, 0, 100, 100)),
            StoreFailure::writer_is_active);
  EXPECT_EQ(failure_of(hung->append(100, random_bytes(1))), StoreFailure::writer_is_replaced);
  hung.reset();
  EXPECT_TRUE(store_->resume(block, stamp + 1, 0, 100, 100));
}

TEST_F(Pipeline, HasOneWriter) {
  store(random_bytes(100));
  auto appending = store_->append(block, stamp + 1, 100, 200);
  ASSERT_TRUE(appending);
  EXPECT_EQ(failure_of(store_->append(block, stamp + 2, 100, 200)), StoreFailure::wrong_stage);
}

TEST_F(Pipeline, WritesNothingIntoAReplicaThatWasDeleted) {
  ReplicaWriter deleted = writer();
  ASSERT_TRUE(deleted.append(0, random_bytes(700)));
  ASSERT_TRUE(store_->remove(block, stamp));
  ReplicaWriter other = writer();
  EXPECT_EQ(failure_of(deleted.append(700, random_bytes(1))), StoreFailure::writer_is_replaced);
  EXPECT_EQ(failure_of(deleted.finalize()), StoreFailure::writer_is_replaced);
  EXPECT_EQ(failure_of(deleted.append(700, random_bytes(1))), StoreFailure::writer_is_replaced);
  deleted.acknowledge(10);
  EXPECT_EQ(info().length, 0u);
  EXPECT_TRUE(other.append(0, random_bytes(10)));
  EXPECT_TRUE(other.finalize());
}

TEST_F(Pipeline, EndsInARecoveryWithTheLengthOfTheOtherReplicas) {
  const Bytes bytes = random_bytes(1'000);
  { ASSERT_TRUE(writer().append(0, bytes)); }
  ASSERT_TRUE(store_->close(block, stamp + 5, 900));
  EXPECT_EQ(info().stage, ReplicaStage::finalized);
  EXPECT_EQ(info().generation_stamp, stamp + 5);
  EXPECT_EQ(read(), Bytes(bytes.begin(), bytes.begin() + 900));
  EXPECT_EQ(store_->figures().reserved, 0u);
}

TEST_F(Pipeline, KeepsDamageWhenItAppends) {
  ASSERT_TRUE(store_->add(std::vector<OrderedReplica>{{block, stamp, 2'000}}));
  ASSERT_TRUE(store_->damage(block, 100, 1));
  auto appending = store_->append(block, stamp + 1, 2'000, 3'000);
  ASSERT_TRUE(appending);
  ASSERT_TRUE(appending->append(2'000, random_bytes(10)));
  ASSERT_TRUE(appending->finalize());
  Bytes bytes(2'010);
  Bytes checksums(16);
  ASSERT_TRUE(store_->open(block)->read(0, bytes, checksums));
  EXPECT_EQ(hdfs::first_bad_chunk(replica_checksums, bytes, checksums), 0u);
}

TEST_F(Pipeline, ReportsAReplicaThatAReaderFoundCorrupt) {
  store(random_bytes(10));
  EXPECT_FALSE(info().is_corrupt);
  EXPECT_TRUE(store_->mark_corrupt(block));
  EXPECT_TRUE(info().is_corrupt);
  EXPECT_EQ(failure_of(store_->mark_corrupt(block + 1)), StoreFailure::no_such_replica);
}

}  // namespace
}  // namespace tracebed::test
