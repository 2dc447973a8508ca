// What transfers between datanodes and recoveries of blocks need of a store.
#include "agents/datanode/store_fixture.h"

namespace tracebed::test {
namespace {

class ReplicaTransfers : public StoreFixture {
 protected:
  ReplicaTransfers() { start(options(StoreKind::generated)); }

  Bytes checksums_of(std::span<const std::byte> bytes) const {
    Bytes checksums(replica_checksums.bytes(bytes.size()));
    hdfs::write_checksums(replica_checksums, bytes, checksums);
    return checksums;
  }
};

TEST_F(ReplicaTransfers, MakeAReplicaThatNobodySeesUntilItIsWhole) {
  auto temporary = store_->create_temporary(block, stamp, 1'000);
  ASSERT_TRUE(temporary);
  ASSERT_TRUE(temporary->append(0, random_bytes(1'000)));
  EXPECT_EQ(info().stage, ReplicaStage::temporary);
  EXPECT_EQ(failure_of(store_->open(block)), StoreFailure::no_such_replica);
  EXPECT_EQ(failure_of(store_->create(block, stamp, 1'000)), StoreFailure::replica_exists);
  ASSERT_TRUE(temporary->finalize());
  EXPECT_EQ(info().stage, ReplicaStage::finalized);
  EXPECT_EQ(read(), random_bytes(1'000));
}

TEST_F(ReplicaTransfers, MakeAReplicaThatAPipelineResumes) {
  const Bytes bytes = random_bytes(1'000);
  auto temporary = store_->create_temporary(block, stamp, 1'000);
  ASSERT_TRUE(temporary->append(0, std::span(bytes).first(700)));
  ASSERT_TRUE(temporary->convert());
  EXPECT_EQ(info().acknowledged, 700u);
  auto resumed = store_->resume(block, stamp + 1, 700, 700, 1'000);
  ASSERT_TRUE(resumed);
  ASSERT_TRUE(resumed->append(700, std::span(bytes).subspan(700)));
  ASSERT_TRUE(resumed->finalize());
  EXPECT_EQ(read(), bytes);
}

TEST_F(ReplicaTransfers, BelongToNoRecoveryBeforeTheyAreWhole) {
  { ASSERT_TRUE(store_->create_temporary(block, stamp, 1'000)); }
  EXPECT_EQ(failure_of(store_->begin_recovery(block, stamp, stamp + 1)),
            StoreFailure::no_such_replica);
  EXPECT_EQ(failure_of(store_->close(block, stamp + 1, 0)), StoreFailure::wrong_stage);
}

TEST_F(ReplicaTransfers, StoreChecksumsAsTheyCome) {
  const Bytes bytes = random_bytes(1'500);
  Bytes wrong = checksums_of(bytes);
  wrong[4] = ~wrong[4];
  ReplicaWriter written = writer();
  ASSERT_TRUE(written.append(0, bytes, wrong));
  ASSERT_TRUE(written.finalize());
  Bytes found(1'500);
  Bytes checksums(12);
  ASSERT_TRUE(store_->open(block)->read(0, found, checksums));
  EXPECT_EQ(found, bytes);
  EXPECT_EQ(checksums, wrong);
}

TEST_F(ReplicaTransfers, TakeChunksOnceMoreWithTheirChecksums) {
  const Bytes bytes = random_bytes(2'000);
  ReplicaWriter written = writer();
  ASSERT_TRUE(written.append(0, std::span(bytes).first(1'100),
                             checksums_of(std::span(bytes).first(1'100))));
  EXPECT_EQ(read(), Bytes(bytes.begin(), bytes.begin() + 1'100));
  // From the chunk that was begun, and from one before.
  const auto from_512 = std::span(bytes).subspan(512, 1'000);
  ASSERT_TRUE(written.append(512, from_512, checksums_of(from_512)));
  EXPECT_EQ(written.length(), 1'512u);
  EXPECT_EQ(read(), Bytes(bytes.begin(), bytes.begin() + 1'512));
  ASSERT_TRUE(written.append(1'024, std::span(bytes).subspan(1'024),
                             checksums_of(std::span(bytes).subspan(1'024))));
  ASSERT_TRUE(written.finalize());
  EXPECT_EQ(read(), bytes);
}

class Recoveries : public StoreFixture {
 protected:
  Recoveries() {
    start(options(StoreKind::generated));
    EXPECT_TRUE(writer().append(0, random_bytes(1'000)));
  }
};

TEST_F(Recoveries, HaveTheReplicaUntilTheyEnd) {
  const auto begun = store_->begin_recovery(block, stamp, stamp + 5);
  ASSERT_TRUE(begun);
  EXPECT_EQ(begun->stage, ReplicaStage::being_written);
  EXPECT_EQ(begun->length, 1'000u);
  EXPECT_EQ(failure_of(store_->resume(block, stamp + 9, 0, 1'000, 1'000)),
            StoreFailure::under_recovery);
  EXPECT_EQ(failure_of(store_->close(block, stamp + 9, 1'000)), StoreFailure::under_recovery);
  ASSERT_TRUE(store_->end_recovery(block, stamp + 5, 900));
  EXPECT_EQ(info().generation_stamp, stamp + 5);
  EXPECT_EQ(read(), random_bytes(900));
  EXPECT_TRUE(store_->append(block, stamp + 6, 900, 1'000));
}

TEST_F(Recoveries, GiveWayToLaterOnesAlone) {
  ASSERT_TRUE(store_->begin_recovery(block, stamp, stamp + 5));
  EXPECT_EQ(failure_of(store_->begin_recovery(block, stamp, stamp + 5)),
            StoreFailure::under_recovery);
  EXPECT_EQ(failure_of(store_->begin_recovery(block, stamp, stamp + 4)),
            StoreFailure::under_recovery);
  ASSERT_TRUE(store_->begin_recovery(block, stamp, stamp + 6));
  EXPECT_EQ(failure_of(store_->end_recovery(block, stamp + 5, 1'000)),
            StoreFailure::under_recovery);
  EXPECT_TRUE(store_->end_recovery(block, stamp + 6, 1'000));
}

TEST_F(Recoveries, NeedTheReplicaOfTheBlock) {
  EXPECT_EQ(failure_of(store_->begin_recovery(block + 1, stamp, stamp + 5)),
            StoreFailure::no_such_replica);
  EXPECT_EQ(failure_of(store_->begin_recovery(block, stamp + 1, stamp + 5)),
            StoreFailure::no_such_replica);
  EXPECT_EQ(failure_of(store_->begin_recovery(block, stamp, stamp)), StoreFailure::under_recovery);
  EXPECT_EQ(failure_of(store_->end_recovery(block, 0, 1'000)), StoreFailure::under_recovery);
}

}  // namespace
}  // namespace tracebed::test
