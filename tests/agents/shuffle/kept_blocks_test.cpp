// Input that executors keep in the memory of a shuffle server, by its clients.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/shuffle/shuffle_fixture.h"
#include "shuffle_client/kept_block_reader.h"

namespace tracebed {
namespace {

using namespace test;
using shuffle::InputBlock;

constexpr std::uint64_t executor_bytes = 500'000;
constexpr std::uint64_t block_bytes = 200'000;

InputBlock block(std::uint64_t number, std::uint64_t file = 1) {
  return {file, number * block_bytes, block_bytes};
}

class KeptBlocksOfServer : public testing::Test {
 protected:
  explicit KeptBlocksOfServer(SharedLinks* links = nullptr) : shuffle_({}, links, 1'000'000) {}

  // `behind` bytes follow the block. None: it is kept.
  std::optional<FailureKind> keep(const InputBlock& what, std::uint32_t executor = 1,
                                  std::uint64_t behind = 0, std::uint32_t of = job) {
    auto writer = shuffle::MapOutputWriter::open_block(shuffle_.endpoint(), shuffle_.token(of),
                                                       {of, executor, executor_bytes, what},
                                                       TestShuffle::connections());
    if (!writer) return writer.error().kind;
    auto status = writer->write(content(content_of(what), what.offset, what.length + behind));
    if (status) status = writer->close();
    if (!status) return status.error().kind;
    return std::nullopt;
  }
  // None: all of it was taken, and is right.
  std::optional<FailureKind> take(const InputBlock& what, std::uint64_t behind = 0,
                                  std::uint32_t of = job, const std::string& from = "127.0.0.1") {
    auto reader = shuffle::KeptBlockReader::open(shuffle_.endpoint(), shuffle_.token(of),
                                                 {of, what}, TestShuffle::connections(from));
    if (!reader) return reader.error().kind;
    EXPECT_EQ(reader->length(), what.length + behind);
    std::vector<std::byte> taken;
    for (;;) {
      const auto part = reader->next();
      if (!part) return part.error().kind;
      if (part->empty()) break;
      taken.insert(taken.end(), part->begin(), part->end());
    }
    EXPECT_EQ(taken, content(content_of(what), what.offset, what.length + behind));
    return std::nullopt;
  }

  static std::uint32_t content_of(const InputBlock& what) {
    return static_cast<std::uint32_t>(what.file);
  }

  TestShuffle shuffle_;
};

TEST_F(KeptBlocksOfServer, AreTakenAsTheyWereKept) {
  EXPECT_EQ(take(block(0)), FailureKind::unknown_output);
  EXPECT_EQ(keep(block(0)), std::nullopt);
  EXPECT_EQ(keep(block(1), 1, 128), std::nullopt);
  EXPECT_EQ(take(block(0)), std::nullopt);
  EXPECT_EQ(take(block(0)), std::nullopt) << "as often as one likes";
  EXPECT_EQ(take(block(1), 128), std::nullopt);
  EXPECT_EQ(take({1, 0, block_bytes + 1}), FailureKind::unknown_output) << "another block";
}

TEST_F(KeptBlocksOfServer, AreThoseOfTheirJobAlone) {
  ASSERT_EQ(keep(block(0)), std::nullopt);
  EXPECT_EQ(take(block(0), 0, job + 1), FailureKind::unknown_output);
  const auto stolen = shuffle::KeptBlockReader::open(shuffle_.endpoint(), shuffle_.token(job + 1),
                                                     {job, block(0)}, TestShuffle::connections());
  ASSERT_FALSE(stolen);
  EXPECT_EQ(stolen.error().kind, FailureKind::denied);
}

// 500 kB hold two blocks of 200 kB. A third is not kept, unless it is of another file.
TEST_F(KeptBlocksOfServer, AreNoMoreThanTheirExecutorMayKeep) {
  ASSERT_EQ(keep(block(0)), std::nullopt);
  ASSERT_EQ(keep(block(1)), std::nullopt);
  EXPECT_EQ(keep(block(2)), FailureKind::no_space);
  EXPECT_EQ(keep(block(2), 2), std::nullopt) << "of another executor";
  ASSERT_EQ(take(block(0)), std::nullopt);
  EXPECT_EQ(keep(block(0, 9)), std::nullopt);
  EXPECT_EQ(take(block(1)), FailureKind::unknown_output) << "it was used longest ago";
  EXPECT_EQ(take(block(0)), std::nullopt);
  EXPECT_EQ(take(block(0, 9)), std::nullopt);
  EXPECT_EQ(keep({1, 0, executor_bytes + 1}, 3), FailureKind::no_space);
}

TEST_F(KeptBlocksOfServer, AreKeptAgainInPlaceOfThemselves) {
  ASSERT_EQ(keep(block(0)), std::nullopt);
  ASSERT_EQ(keep(block(1)), std::nullopt);
  EXPECT_EQ(keep(block(0), 1, 5), std::nullopt);
  EXPECT_EQ(take(block(0), 5), std::nullopt);
  EXPECT_EQ(take(block(1)), std::nullopt);
}

TEST_F(KeptBlocksOfServer, AreNoMoreThanTheMachineHasRoomFor) {
  for (std::uint32_t executor = 1; executor <= 4; ++executor) {
    ASSERT_EQ(keep(block(executor), executor), std::nullopt);
  }
  EXPECT_EQ(keep(block(5), 5), FailureKind::no_space);
  shuffle_->remove_job(job);
  EXPECT_EQ(keep(block(5), 5, 0, job + 1), std::nullopt);
}

// Whose bytes would not be bounded by what was asked for.
TEST_F(KeptBlocksOfServer, AreNotLongerThanTheirRecordsCanBe) {
  EXPECT_EQ(keep(block(0), 1, shuffle::bytes_behind_block_max), std::nullopt);
  EXPECT_NE(keep(block(1), 1, shuffle::bytes_behind_block_max + 1), std::nullopt);
  EXPECT_EQ(take(block(1)), FailureKind::unknown_output);
  EXPECT_EQ(shuffle_->figures().malformed, 1u);
}

// Through a disk they would be there after days.
TEST_F(KeptBlocksOfServer, PassNoDisk) {
  shuffle_->set_rates(1, std::nullopt, std::chrono::hours(24));
  EXPECT_EQ(keep(block(0)), std::nullopt);
  EXPECT_EQ(take(block(0)), std::nullopt);
}

// 400 KB at 1 MB/s, a tenth of a second of which may be credit, as may a chunk.
TEST_F(KeptBlocksOfServer, PassTheNetworkToOtherMachines) {
  const InputBlock large{1, 0, 400'000};
  shuffle_->set_rates(std::nullopt, 1'000'000, {});
  ASSERT_EQ(keep(large), std::nullopt);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(take(large, 0, job, "127.0.0.9"), std::nullopt);
  EXPECT_GT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(150));
  // Within the machine it would be after days.
  shuffle_->set_rates(std::nullopt, 1, {});
  EXPECT_EQ(take(large), std::nullopt);
}

// Made before the server, which ends before them.
struct OwnLinks {
  OwnLinks() { SharedLinks::create(file, places, std::nullopt); }

  TemporaryFolder folder;
  std::filesystem::path file = folder.path() / "links";
  std::vector<SharedLinks::Place> places{{"127.0.0.1", "/r1"}, {"127.0.0.9", "/r1"}};
};
struct LinksOfServer : OwnLinks {
  SharedLinks links{file};
};
class KeptBlocksOnSharedLinks : protected LinksOfServer, public KeptBlocksOfServer {
 protected:
  KeptBlocksOnSharedLinks() : KeptBlocksOfServer(&links) {}
};

TEST_F(KeptBlocksOnSharedLinks, PassNoDisk) {
  SharedLinks others(file);
  others.set_disk_rate("127.0.0.1", 1, std::chrono::hours(24));
  EXPECT_EQ(keep(block(0)), std::nullopt);
  EXPECT_EQ(take(block(0)), std::nullopt);
  EXPECT_EQ(take(block(0), 0, job, "127.0.0.9"), std::nullopt);
}

TEST_F(KeptBlocksOfServer, AreRemovedWithTheirJob) {
  ASSERT_EQ(keep(block(0)), std::nullopt);
  ASSERT_EQ(keep(block(0), 1, 0, job + 1), std::nullopt);
  shuffle_->remove_job(job);
  EXPECT_EQ(take(block(0)), FailureKind::unknown_output);
  EXPECT_EQ(keep(block(0)), FailureKind::unknown_output);
  EXPECT_EQ(take(block(0), 0, job + 1), std::nullopt);
}

TEST_F(KeptBlocksOfServer, AreLostWithTheServer) {
  ASSERT_EQ(keep(block(0)), std::nullopt);
  shuffle_.restart();
  EXPECT_EQ(take(block(0)), FailureKind::unknown_output);
  EXPECT_EQ(keep(block(0)), std::nullopt);
}

TEST_F(KeptBlocksOfServer, AreNoneWhereTheMachineKeepsNone) {
  shuffle_.options().kept_bytes_max = 0;
  shuffle_.restart();
  EXPECT_EQ(keep(block(0)), FailureKind::no_space);
}

}  // namespace
}  // namespace tracebed
