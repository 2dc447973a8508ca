// What a datanode finds in its folder after it was killed.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "agents/datanode/replica_names.h"
#include "agents/datanode/store_fixture.h"
#include "core/input_error.h"

namespace tracebed::test {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

class Recovery : public StoreFixture {
 protected:
  Recovery() { start(options(StoreKind::generated)); }
  void restart() { start(options(StoreKind::generated)); }
  void leave_being_written(const Bytes& bytes) { ASSERT_TRUE(writer().append(0, bytes)); }
  static void overwrite(const fs::path& file, std::uint64_t at) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(at));
    const int byte = stream.get();
    stream.seekp(static_cast<std::streamoff>(at));
    stream.put(static_cast<char>(~byte));
  }
};

TEST_F(Recovery, KeepsWhatWasBeingWritten) {
  const Bytes bytes = random_bytes(1'300);
  leave_being_written(bytes);
  restart();
  EXPECT_EQ(info().stage, ReplicaStage::waiting_to_be_recovered);
  EXPECT_EQ(info().acknowledged, 1'300u);
  EXPECT_EQ(read(), bytes);
  EXPECT_EQ(failure_of(store_->resume(block, stamp + 1, 0, 2'000, 2'000)),
            StoreFailure::wrong_stage);
  EXPECT_EQ(failure_of(store_->append(block, stamp + 1, 1'300, 2'000)), StoreFailure::wrong_stage);
  ASSERT_TRUE(store_->close(block, stamp + 1, 1'300));
  EXPECT_EQ(read(), bytes);
}

// Of 1,300 bytes the chunks are 512, 512 and 276; the checksums begin at byte 7.
struct TornWrite {
  std::string what;
  std::optional<std::uint64_t> data_bytes;
  std::optional<std::uint64_t> checksum_file_bytes;
  std::optional<std::uint64_t> wrong_byte;
  std::optional<std::uint64_t> wrong_checksum_byte;
  std::uint64_t kept;
};

TEST_F(Recovery, CutsOffWhatHasNoRightChecksum) {
  const std::vector<TornWrite> table = {
      {"nothing is wrong", {}, {}, {}, {}, 1'300},
      {"data that came before its checksum", 1'536, {}, {}, {}, 1'024},
      {"data of chunks without checksums", 5'000, {}, {}, {}, 1'024},
      {"data up to the end of a chunk", 1'024, {}, {}, {}, 1'024},
      {"data up to the middle of a chunk", 1'000, {}, {}, {}, 512},
      {"no data", 0, {}, {}, {}, 0},
      {"no checksum of the last chunk", {}, 15, {}, {}, 1'024},
      {"half a checksum", {}, 17, {}, {}, 1'024},
      {"no header", {}, 5, {}, {}, 0},
      {"no checksums", {}, 7, {}, {}, 0},
      {"a wrong header", {}, {}, {}, 2, 0},
      {"a wrong byte in the last chunk", {}, {}, 1'299, {}, 1'024},
      {"a wrong checksum of the last chunk", {}, {}, {}, 18, 1'024},
      {"wrong bytes in the two last chunks", 1'200, {}, 600, {}, 512},
  };
  for (const TornWrite& torn : table) {
    const Bytes bytes = random_bytes(1'300);
    leave_being_written(bytes);
    if (torn.data_bytes) fs::resize_file(data_file(), *torn.data_bytes);
    if (torn.checksum_file_bytes) fs::resize_file(checksum_file(), *torn.checksum_file_bytes);
    if (torn.wrong_byte) overwrite(data_file(), *torn.wrong_byte);
    if (torn.wrong_checksum_byte) overwrite(checksum_file(), *torn.wrong_checksum_byte);
    restart();
    EXPECT_EQ(info().length, torn.kept) << torn.what;
    if (torn.kept > 0) {
      EXPECT_EQ(read(),
                Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(torn.kept)))
          << torn.what;
    }
    EXPECT_EQ(fs::file_size(data_file()), torn.kept) << torn.what;
    ASSERT_TRUE(store_->remove(block, stamp));
    EXPECT_FALSE(fs::exists(data_file()) || fs::exists(checksum_file()));
  }
}

TEST_F(Recovery, ReportsAFinalizedReplicaWithoutAllItsChecksums) {
  const std::string place(finalized);
  for (const std::uint64_t bytes : {18u, 20u, 5u}) {
    store(random_bytes(1'300));
    fs::resize_file(checksum_file(place), bytes);
    restart();
    EXPECT_EQ(info().stage, ReplicaStage::finalized);
    EXPECT_TRUE(info().is_corrupt) << bytes;
    ASSERT_TRUE(store_->remove(block, stamp));
  }
}

TEST_F(Recovery, EndsEachMoveThatWasInterrupted) {
  const std::string place(finalized);
  const Bytes bytes = random_bytes(700);
  // Finalized: the checksums were moved, the data was not.
  store(bytes);
  fs::rename(data_file(place), data_file());
  restart();
  EXPECT_EQ(info().stage, ReplicaStage::waiting_to_be_recovered);
  EXPECT_EQ(read(), bytes);
  EXPECT_TRUE(fs::exists(checksum_file()));
  // Taken up: the data was moved, and the checksums have the old generation stamp.
  ASSERT_TRUE(store_->close(block, stamp, 700));
  fs::rename(data_file(place), data_file());
  restart();
  EXPECT_EQ(info().stage, ReplicaStage::waiting_to_be_recovered);
  EXPECT_EQ(info().generation_stamp, stamp);
  EXPECT_EQ(read(), bytes);
}

TEST_F(Recovery, ThrowsAwayOneFileWithoutTheOther) {
  const std::string place(finalized);
  store(random_bytes(700));
  fs::remove(checksum_file(place));
  restart();
  EXPECT_THAT(store_->list(), IsEmpty());
  EXPECT_FALSE(fs::exists(data_file(place)));
  leave_being_written(random_bytes(700));
  fs::remove(data_file());
  restart();
  EXPECT_THAT(store_->list(), IsEmpty());
  EXPECT_FALSE(fs::exists(checksum_file()));
}

TEST_F(Recovery, KeepsTheLatestGenerationStamp) {
  leave_being_written(random_bytes(700));
  fs::copy_file(checksum_file(), checksum_file("rbw", 999));
  fs::copy_file(checksum_file(), checksum_file("rbw", 1'002));
  restart();
  EXPECT_EQ(info().generation_stamp, 1'002u);
  EXPECT_EQ(info().length, 700u);
  EXPECT_FALSE(fs::exists(checksum_file()) || fs::exists(checksum_file("rbw", 999)));
}

TEST_F(Recovery, PrefersTheFinalizedReplica) {
  const std::string place(finalized);
  store(random_bytes(700));
  fs::copy_file(data_file(place), data_file());
  restart();
  EXPECT_EQ(info().stage, ReplicaStage::finalized);
  EXPECT_EQ(read(), random_bytes(700));
  EXPECT_FALSE(fs::exists(data_file()));
}

TEST_F(Recovery, PrefersTheRowToFilesThatWereMadeOfIt) {
  ASSERT_TRUE(store_->add(std::vector<OrderedReplica>{{block + 1, stamp, 100}}));
  leave_being_written(random_bytes(700));
  fs::rename(data_file(), folder_.path() / "data/rbw" / data_file_name(block + 1));
  fs::rename(checksum_file(),
             folder_.path() / "data/rbw" / (data_file_name(block + 1) + "_1002.meta"));
  restart();
  const auto found = store_->find(block + 1);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_generated);
  EXPECT_EQ(store_->list().size(), 1u);
  EXPECT_TRUE(fs::is_empty(folder_.path() / "data/rbw"));
}

TEST_F(Recovery, FollowsNoLinkAndLeavesForeignNamesAlone) {
  folder_.write("secret", std::string(1'000, 's'));
  folder_.write("data/rbw/notes.txt", "n");
  const auto linked = folder_.path() / "data/rbw/blk_5";
  fs::create_symlink("../../secret", linked);
  folder_.write("data/rbw/blk_5_1001.meta", std::string(15, '\0'));
  fs::create_directory_symlink("../..", folder_.path() / "data/finalized/subdir1");
  ASSERT_EQ(mkfifo((folder_.path() / "data/rbw/blk_6").c_str(), 0600), 0);
  restart();
  EXPECT_THAT(store_->list(), IsEmpty());
  EXPECT_TRUE(fs::is_symlink(linked));
  EXPECT_TRUE(fs::exists(folder_.path() / "data/rbw/notes.txt"));
  EXPECT_EQ(fs::file_size(folder_.path() / "secret"), 1'000u);
  // Its place is a link out of the folder.
  EXPECT_FALSE(store_->create(5, stamp, 10));
  auto created = store_->create(std::uint64_t{1} << 16, stamp, 10);
  ASSERT_TRUE(created);
  EXPECT_FALSE(created->finalize());
}

TEST_F(Recovery, OpensNoFileThatWasReplacedByALink) {
  folder_.write("secret", std::string(1'000, 's'));
  store(random_bytes(1'000));
  const fs::path data = data_file(finalized);
  fs::remove(data);
  fs::create_symlink(folder_.path() / "secret", data);
  EXPECT_EQ(failure_of(store_->open(block)), StoreFailure::input_output);
  EXPECT_EQ(failure_of(store_->damage(block, 0, 1'000)), StoreFailure::input_output);
  EXPECT_EQ(contents(folder_.path() / "secret"), std::string(1'000, 's'));
  const fs::path rows = folder_.path() / "data/generated";
  fs::remove(rows);
  fs::create_symlink(folder_.path() / "secret", rows);
  EXPECT_THROW(restart(), EnvironmentError);
  EXPECT_EQ(fs::file_size(folder_.path() / "secret"), 1'000u);
}

TEST_F(Recovery, ReadsRowsUpToTheOneThatACrashCutOff) {
  const std::vector<OrderedReplica> ordered = {{1, stamp, 10}, {2, stamp, 20}, {3, stamp, 30}};
  ASSERT_TRUE(store_->add(ordered));
  const auto file = folder_.path() / "data/generated";
  const auto bytes = fs::file_size(file);
  fs::resize_file(file, bytes - 1);
  restart();
  ASSERT_EQ(store_->list().size(), 2u);
  ASSERT_TRUE(store_->add(std::vector<OrderedReplica>{{4, stamp, 40}}));
  restart();
  EXPECT_EQ(store_->list().size(), 3u);
  overwrite(file, bytes / 3 + 9);  // in the id of the second
  restart();
  EXPECT_EQ(store_->list().size(), 1u);
}

TEST_F(Recovery, WritesRowsAnewWhenMostAreOfReplicasThatAreGone) {
  ASSERT_TRUE(store_->add(std::vector<OrderedReplica>{{1, stamp, 10}}));
  ASSERT_TRUE(store_->damage(1, 2, 3));
  for (int i = 0; i < 600; ++i) {
    ASSERT_TRUE(store_->add(std::vector<OrderedReplica>{{2, stamp, 20}}));
    ASSERT_TRUE(store_->remove(2, stamp));
  }
  const auto file = folder_.path() / "data/generated";
  const auto before = fs::file_size(file);
  restart();
  EXPECT_LT(fs::file_size(file), before / 100);
  restart();
  ASSERT_EQ(store_->list().size(), 1u);
  Bytes bytes(10);
  Bytes none;
  ASSERT_TRUE(store_->open(1)->read(0, bytes, none));
  EXPECT_EQ(BlockContent(1).count_matching(0, bytes), 2u);
}

TEST_F(Recovery, IsOfOneDatanodeAtATime) {
  EXPECT_THROW(ReplicaStore(folder_.path() / "data", StoreOptions()), EnvironmentError);
  EXPECT_THROW(ReplicaStore(folder_.path() / "none/data", StoreOptions()), EnvironmentError);
}

}  // namespace
}  // namespace tracebed::test
