#include "agents/datanode/replica_store.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include "agents/datanode/store_fixture.h"
#include "kernels/kernel_input.h"

namespace tracebed::test {
namespace {

using testing::ElementsAre;

// What holds for both kinds.
class Stores : public StoreFixture, public testing::WithParamInterface<StoreKind> {
 protected:
  Stores() { start(options(GetParam())); }
};
INSTANTIATE_TEST_SUITE_P(Kinds, Stores, testing::Values(StoreKind::generated, StoreKind::disk),
                         [](const auto& kind) {
                           return kind.param == StoreKind::disk ? "Disk" : "Generated";
                         });

TEST_P(Stores, HaveTheGeneratedContentOfWhatTheNamenodeOrders) {
  const std::vector<OrderedReplica> ordered = {
      {block, stamp, 3'000'001}, {block + 1, stamp, 0}, {block + (1 << 16), stamp + 1, 512}};
  ASSERT_TRUE(store_->add(ordered));
  EXPECT_EQ(read(), generated_bytes(block, 3'000'001));
  EXPECT_EQ(read(*store_->open(block + 1)), Bytes());
  const std::vector<ReplicaInfo> before = store_->list();
  ASSERT_EQ(before.size(), 3u);
  EXPECT_EQ(before[2].block_id, block + (1 << 16));
  EXPECT_EQ(before[2].generation_stamp, stamp + 1);
  EXPECT_EQ(before[2].acknowledged, 512u);
  EXPECT_EQ(store_->figures().used, 3'000'513u);
  start(options(GetParam()));
  EXPECT_EQ(store_->list(), before);
  EXPECT_EQ(store_->figures().used, 3'000'513u);
  EXPECT_EQ(read(), generated_bytes(block, 3'000'001));
}

TEST_P(Stores, HaveTheDataOfAKernelWhereTheNamenodeOrdersIt) {
  const BlockDataset dataset{static_cast<std::uint8_t>(KernelKind::word_count), 21, 1'048'576};
  ASSERT_TRUE(store_->add(
      std::vector<OrderedReplica>{{block, stamp, 300'001, dataset}, {block + 1, stamp, 1'000}}));
  const auto data = kernels::make_input({KernelKind::word_count, 21}, 2'000'000);
  Bytes expected(300'001);
  (*data)->fill(dataset.offset, expected);
  EXPECT_EQ(read(), expected);
  EXPECT_EQ(read(*store_->open(block + 1)), generated_bytes(block + 1, 1'000));
  start(options(GetParam()));
  EXPECT_EQ(read(), expected);
  // Made into a file to append to it, it stays what it is.
  auto appended = store_->append(block, stamp + 1, 300'001, 300'002);
  ASSERT_TRUE(appended);
  ASSERT_TRUE(appended->append(300'001, Bytes(1)));
  ASSERT_TRUE(appended->finalize());
  expected.push_back(std::byte{0});
  EXPECT_EQ(read(), expected);
  start(options(GetParam()));
  EXPECT_EQ(read(), expected);
}

TEST_P(Stores, KeepWhatClientsWriteHoweverItIsCut) {
  Random random(5);
  for (int turn = 0; turn < 60; ++turn) {
    const Bytes bytes = random_bytes(random.below(5'000), random.next());
    ReplicaWriter written = writer();
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t count = std::min<std::size_t>(1 + random.below(900), bytes.size() - at);
      // Now and then with bytes that were sent before.
      const std::size_t again = random.chance(0.3) ? random.below(at + 1) : 0;
      const auto part = std::span(bytes).subspan(at - again, again + count);
      ASSERT_TRUE(written.append(at - again, part));
      at += count;
      ASSERT_EQ(read(), Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(at)));
    }
    EXPECT_EQ(info().stage, ReplicaStage::being_written);
    ASSERT_TRUE(written.finalize());
    EXPECT_EQ(info().stage, ReplicaStage::finalized);
    EXPECT_FALSE(info().is_generated);
    EXPECT_EQ(info().acknowledged, bytes.size());
    ASSERT_EQ(read(), bytes);
    start(options(GetParam()));
    ASSERT_EQ(read(), bytes);
    ASSERT_TRUE(store_->remove(block, stamp));
  }
  EXPECT_EQ(store_->figures().used, 0u);
  EXPECT_EQ(store_->figures().reserved, 0u);
}

TEST_P(Stores, ReadAnyChunksAlone) {
  ASSERT_TRUE(store_->add(std::vector<OrderedReplica>{{block, stamp, 2'000}}));
  const auto reader = store_->open(block);
  Bytes bytes(976);
  Bytes checksums(8);
  ASSERT_TRUE(reader->read(1'024, bytes, checksums));
  EXPECT_EQ(BlockContent(block).count_matching(1'024, bytes), bytes.size());
  EXPECT_EQ(hdfs::first_bad_chunk(replica_checksums, bytes, checksums), std::nullopt);
  Bytes none;
  EXPECT_TRUE(reader->read(1'024, bytes, none));
}

TEST_P(Stores, AreReadWhileTheReplicaIsDeleted) {
  ASSERT_TRUE(store_->add(std::vector<OrderedReplica>{{block, stamp, 10'000}}));
  const auto reader = store_->open(block);
  EXPECT_EQ(failure_of(store_->remove(block, stamp - 1)), StoreFailure::no_such_replica);
  EXPECT_TRUE(store_->remove(block, stamp + 1));
  EXPECT_EQ(failure_of(store_->open(block)), StoreFailure::no_such_replica);
  EXPECT_EQ(read(*reader), generated_bytes(block, 10'000));
  start(options(GetParam()));
  EXPECT_THAT(store_->list(), ElementsAre());
}

TEST_P(Stores, GiveDamagedBytesTheChecksumsOfTheRightOnes) {
  ASSERT_TRUE(store_->add(std::vector<OrderedReplica>{{block, stamp, 2'000}}));
  ASSERT_TRUE(store_->damage(block, 1'900, 100));
  ASSERT_TRUE(store_->damage(block, 600, 1));
  for (int turn = 0; turn < 2; ++turn) {
    Bytes expected = generated_bytes(block, 2'000);
    for (std::size_t i = 1'900; i < 2'000; ++i) expected[i] = ~expected[i];
    expected[600] = ~expected[600];
    Bytes bytes(2'000);
    Bytes checksums(16);
    ASSERT_TRUE(store_->open(block)->read(0, bytes, checksums));
    EXPECT_EQ(bytes, expected);
    EXPECT_EQ(hdfs::first_bad_chunk(replica_checksums, bytes, checksums), 1u);
    start(options(GetParam()));
  }
  ASSERT_TRUE(store_->damage(block, 600, 1));
  ASSERT_TRUE(store_->damage(block, 1'900, 100));
  EXPECT_EQ(read(), generated_bytes(block, 2'000));
  for (const auto& [offset, count] :
       {std::pair(2'000, 1), std::pair(0, 0), std::pair(0, 2'001), std::pair(-1, 1)}) {
    EXPECT_EQ(failure_of(store_->damage(block, static_cast<std::uint64_t>(offset),
                                        static_cast<std::uint64_t>(count))),
              StoreFailure::wrong_length);
  }
}

TEST_P(Stores, AppendToWhatTheNamenodeOrdered) {
  for (const std::uint64_t length : {0u, 700u, 1'024u}) {
    ASSERT_TRUE(store_->add(std::vector<OrderedReplica>{{block, stamp, length}}));
    EXPECT_EQ(failure_of(store_->append(block, stamp + 1, length + 1, 5'000)),
              StoreFailure::wrong_length);
    EXPECT_EQ(failure_of(store_->append(block, stamp - 1, length, 5'000)),
              StoreFailure::no_such_replica);
    auto appending = store_->append(block, stamp + 1, length, 5'000);
    ASSERT_TRUE(appending) << appending.error().message;
    const Bytes more = random_bytes(900);
    ASSERT_TRUE(appending->append(length, more));
    ASSERT_TRUE(appending->finalize());
    Bytes expected = generated_bytes(block, static_cast<std::size_t>(length));
    expected.insert(expected.end(), more.begin(), more.end());
    EXPECT_EQ(read(), expected);
    start(options(GetParam()));
    EXPECT_EQ(read(), expected);
    EXPECT_EQ(info().generation_stamp, stamp + 1);
    ASSERT_TRUE(store_->remove(block, stamp + 1));
  }
}

TEST_P(Stores, RecoverABlockAtTheLengthOfAllItsReplicas) {
  ASSERT_TRUE(store_->add(std::vector<OrderedReplica>{{block, stamp, 2'000}}));
  EXPECT_EQ(failure_of(store_->close(block, stamp + 1, 2'001)), StoreFailure::wrong_length);
  EXPECT_EQ(failure_of(store_->close(block, stamp - 1, 10)), StoreFailure::no_such_replica);
  ASSERT_TRUE(store_->close(block, stamp + 1, 700));
  start(options(GetParam()));
  EXPECT_EQ(read(), generated_bytes(block, 700));
  EXPECT_EQ(info().generation_stamp, stamp + 1);
  EXPECT_EQ(store_->figures().used, 700u);
}

TEST_P(Stores, RefuseWhatIsThereAlready) {
  const std::vector<OrderedReplica> ordered = {{block, stamp, 10}, {block, stamp, 10}};
  EXPECT_EQ(failure_of(store_->add(ordered)), StoreFailure::replica_exists);
  EXPECT_EQ(store_->list().size(), 1u);
  EXPECT_EQ(failure_of(store_->create(block, stamp, 10)), StoreFailure::replica_exists);
}

TEST_P(Stores, AreFullAtTheirCapacity) {
  start(options(GetParam(), 1'000));
  const std::vector<OrderedReplica> ordered = {{block + 1, stamp, 600}, {block + 2, stamp, 401}};
  EXPECT_EQ(failure_of(store_->add(ordered)), StoreFailure::disk_full);
  EXPECT_EQ(store_->list().size(), 1u);
  EXPECT_EQ(failure_of(store_->create(block, stamp, 401)), StoreFailure::disk_full);
  EXPECT_EQ(failure_of(store_->create(block, stamp, ~std::uint64_t{0})), StoreFailure::disk_full);
  {
    ReplicaWriter written = writer(300);
    EXPECT_EQ(store_->figures().reserved, 300u);
    EXPECT_EQ(failure_of(store_->add(std::vector<OrderedReplica>{{block + 2, stamp, 101}})),
              StoreFailure::disk_full);
    const Bytes bytes = random_bytes(401);
    EXPECT_EQ(failure_of(written.append(0, bytes)), StoreFailure::disk_full);
    EXPECT_TRUE(written.append(0, std::span(bytes).first(390)));
    EXPECT_EQ(store_->figures().reserved, 0u);
    EXPECT_TRUE(written.append(390, std::span(bytes).subspan(390, 10)));
    EXPECT_EQ(store_->figures().used, 1'000u);
    EXPECT_TRUE(written.finalize());
  }
  EXPECT_TRUE(store_->remove(block, stamp));
  EXPECT_EQ(store_->figures().used, 600u);
  start(options(GetParam(), 500));  // less than there is
  EXPECT_EQ(failure_of(store_->create(block, stamp, 1)), StoreFailure::disk_full);
}

TEST_P(Stores, AreSynchronizedWhereTheyAreToBe) {
  StoreOptions synced = options(GetParam());
  synced.durability = Durability::synced;
  start(synced);
  store(random_bytes(1'000));
  EXPECT_TRUE(store_->close(block, stamp + 1, 600));
  EXPECT_EQ(read(), Bytes(random_bytes(600)));
}

// A file system that is full in the middle of a write: here by the process's limit, which the
// kernel checks in the same place.
TEST_P(Stores, KeepNothingOfAWriteThatFindsNoRoom) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit narrow{4'000, before.rlim_max};
  const Bytes bytes = random_bytes(10'000);
  ReplicaWriter written = writer();
  ASSERT_TRUE(written.append(0, std::span(bytes).first(700)));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &narrow), 0);
  const auto failure = failure_of(written.append(700, std::span(bytes).subspan(700)));
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(failure, StoreFailure::disk_full);
  EXPECT_EQ(std::filesystem::file_size(data_file()), 700u);
  EXPECT_EQ(read(), Bytes(bytes.begin(), bytes.begin() + 700));
  ASSERT_TRUE(written.append(700, std::span(bytes).subspan(700)));
  ASSERT_TRUE(written.finalize());
  EXPECT_EQ(read(), bytes);
}

}  // namespace
}  // namespace tracebed::test
