// Writers that are quicker than the reports of the datanodes that they write to.
#include "coordinator/storage/deferred_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/storage/served_namenode.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t block_size = 1'000;

class DeferredCallsTest : public testing::Test {
 protected:
  void SetUp() override {
    served_.pass(3);
    const StorageReply created =
        served_.call("writer", CreateFile{.path = "/file", .block_size = block_size});
    file_ = {"/file", std::get<FileStatus>(created).file_id};
  }
  std::optional<StorageReply> call(StorageOperation operation, DeferredCalls& calls) {
    StorageCalled called{++ticket_, {{.user = "u", .client = "writer"}, std::move(operation)}};
    return calls.call(served_.namenode_, called, served_.now_);
  }
  std::optional<StorageReply> call(StorageOperation operation) {
    return call(std::move(operation), calls_);
  }
  // The next block, written whole: nobody has reported it.
  LocatedBlock written(std::optional<BlockName> previous = std::nullopt) {
    const auto reply = call(AddBlock{.file = file_, .previous = previous, .excluded = {}});
    auto block = std::get<LocatedBlock>(reply.value());
    block.block.length = block_size;
    return block;
  }
  std::vector<AnswerStorageCall> retry() { return calls_.retry(served_.namenode_, served_.now_); }

  test::ServedNamenode served_{3};
  OpenFileName file_;
  DeferredCalls calls_{seconds(30), 100};
  std::uint64_t ticket_ = 0;
};

TEST_F(DeferredCallsTest, CompleteWaitsForTheLastBlocksReport) {
  const LocatedBlock block = written();
  EXPECT_FALSE(call(CompleteFile{file_, block.block}));
  EXPECT_THAT(retry(), IsEmpty());
  served_.finalize(block, block_size);
  EXPECT_THAT(retry(), ElementsAre(AnswerStorageCall{ticket_, Answer{true}}));
  EXPECT_THAT(retry(), IsEmpty()) << "answered once";
  EXPECT_EQ(calls_.next_due(), never);
}

TEST_F(DeferredCallsTest, TheThirdBlockWaitsForTheFirstOnesReport) {
  const LocatedBlock first = written();
  const LocatedBlock second = written(first.block);
  EXPECT_FALSE(call(AddBlock{.file = file_, .previous = second.block, .excluded = {}}));
  served_.finalize(second, block_size);
  EXPECT_THAT(retry(), IsEmpty());
  served_.finalize(first, block_size);
  const auto answers = retry();
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_EQ(std::get<LocatedBlock>(answers[0].reply).offset, 2 * block_size);
}

TEST_F(DeferredCallsTest, AnswersAsHdfsDoesWhenNoReportCame) {
  const LocatedBlock first = written();
  const LocatedBlock second = written(first.block);
  EXPECT_FALSE(call(AddBlock{.file = file_, .previous = second.block, .excluded = {}}));
  served_.pass(12);
  EXPECT_FALSE(call(CompleteFile{file_, second.block}));
  EXPECT_EQ(calls_.next_due(), at_seconds(3 + 30));
  served_.pass(18);
  auto answers = retry();
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_EQ(std::get<StorageFailure>(answers[0].reply).kind,
            StorageFailureKind::not_replicated_yet);
  EXPECT_EQ(calls_.next_due(), at_seconds(15 + 30));
  served_.pass(12);
  EXPECT_THAT(retry(), ElementsAre(AnswerStorageCall{ticket_, Answer{false}}));
}

TEST_F(DeferredCallsTest, AnswersAtOnceWhatHasAnotherReason) {
  const auto missing = call(CompleteFile{{"/other", 0}, std::nullopt});
  EXPECT_TRUE(std::holds_alternative<StorageFailure>(missing.value()));
  EXPECT_TRUE(call(MakeDirectories{.path = "/directory"}));
}

TEST_F(DeferredCallsTest, AnswersAFileThatIsDeletedMeanwhileWithItsFailure) {
  const LocatedBlock block = written();
  EXPECT_FALSE(call(CompleteFile{file_, block.block}));
  served_.call("", DeletePath{.path = "/file", .is_recursive = false});
  const auto answers = retry();
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_TRUE(std::holds_alternative<StorageFailure>(answers[0].reply));
}

TEST_F(DeferredCallsTest, DefersNoMoreThanItMay) {
  const LocatedBlock block = written();
  DeferredCalls few(seconds(30), 2);
  EXPECT_FALSE(call(CompleteFile{file_, block.block}, few));
  EXPECT_FALSE(call(CompleteFile{file_, block.block}, few));
  EXPECT_EQ(call(CompleteFile{file_, block.block}, few), StorageReply(Answer{false}));
  DeferredCalls none(Duration(), 100);
  EXPECT_EQ(call(CompleteFile{file_, block.block}, none), StorageReply(Answer{false}));
}

}  // namespace
}  // namespace tracebed
