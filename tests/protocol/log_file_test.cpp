#include "protocol/log_file.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <span>
#include <sys/resource.h>

#include "core/input_error.h"
#include "protocol/random_rounds.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class LogFile : public ::testing::Test {
 protected:
  // Writes `count` random rounds, a commit after each.
  void write(int count, LogDurability durability, bool finish,
             LogCompression compression = LogCompression::none) {
    LogFileWriter writer(path_, "run-7", names_, durability, compression);
    test::RandomRounds rounds(5, names_);
    Round round;
    for (int i = 0; i < count; ++i) {
      rounds.fill(round);
      writer.append(round);
      writer.commit();
      written_.push_back(test::describe(round));
    }
    if (finish) writer.finish();
  }

  // Reads everything; the rounds must be the first of those written. Returns how many.
  std::size_t read(std::optional<std::string>& loss) {
    Names names;
    LogFileReader reader(path_, names);
    EXPECT_EQ(reader.run(), "run-7");
    std::size_t count = 0;
    for (Round round; reader.next(round); ++count) {
      if (count >= written_.size()) {
        ADD_FAILURE() << "more rounds than were written";
        break;
      }
      EXPECT_EQ(test::describe(round), written_[count]);
    }
    loss = reader.loss();
    return count;
  }
  std::size_t read() {
    std::optional<std::string> loss;
    return read(loss);
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("rounds.log");
  Names names_;
  std::vector<std::string> written_;
};

TEST_F(LogFile, AFinishedLogComesBackWhole) {
  for (const LogCompression compression : {LogCompression::none, LogCompression::zstd}) {
    for (const LogDurability durability :
         {LogDurability::buffered, LogDurability::written, LogDurability::synced}) {
      written_.clear();
      names_ = Names();
      std::filesystem::remove(path_);
      write(50, durability, true, compression);
      std::optional<std::string> loss;
      EXPECT_EQ(read(loss), 50u);
      EXPECT_EQ(loss, std::nullopt);
    }
  }
}

TEST_F(LogFile, ACompressedLogIsSmaller) {
  write(3'000, LogDurability::buffered, true);
  const std::uintmax_t plain = std::filesystem::file_size(path_);
  std::filesystem::remove(path_);
  written_.clear();
  names_ = Names();
  write(3'000, LogDurability::buffered, true, LogCompression::zstd);
  EXPECT_LT(std::filesystem::file_size(path_), plain * 2 / 3) << "although the rounds are random";
  EXPECT_EQ(read(), 3'000u);
}

// What is too short to be compressed, or to gain by it, stands as it is.
TEST_F(LogFile, ShortPiecesAreNotCompressed) {
  const auto written = [&](LogCompression compression) {
    std::filesystem::remove(path_);
    LogFileWriter writer(path_, "run-7", names_, LogDurability::written, compression);
    for (int i = 0; i < 3; ++i) {
      Round round;
      round.now = trace_time(i);
      writer.append(round);
      writer.commit();
    }
    writer.finish();
    return contents(path_);
  };
  EXPECT_EQ(written(LogCompression::zstd), written(LogCompression::none));
}

TEST_F(LogFile, ALogOfARunThatWasGivenUpKeepsItsRoundsAndSaysThatTheEndIsMissing) {
  write(300, LogDurability::buffered, false);
  std::optional<std::string> loss;
  EXPECT_EQ(read(loss), 300u);
  ASSERT_TRUE(loss);
  EXPECT_EQ(*loss, "the log is good for 300 rounds; after them, the run's end was not written");
}

TEST_F(LogFile, WhatWasCommittedIsInTheFileWhileTheRunGoesOn) {
  LogFileWriter writer(path_, "run-7", names_, LogDurability::written);
  Round round;
  for (int i = 0; i < 3; ++i) {
    round.now = trace_time(i);
    writer.append(round);
    writer.commit();
    written_.push_back(test::describe(round));
    EXPECT_EQ(read(), static_cast<std::size_t>(i) + 1);
  }
}

TEST_F(LogFile, EveryTruncationLeavesTheWholePiecesAndIsReported) {
  for (const LogCompression compression : {LogCompression::none, LogCompression::zstd}) {
    std::filesystem::remove(path_);
    written_.clear();
    names_ = Names();
    write(12, LogDurability::written, true, compression);
    const std::string whole = contents(path_);
    std::size_t last_count = 0;
    for (std::size_t size = 16 + 5 + 4; size < whole.size(); ++size) {
      write_file(path_, whole.substr(0, size));
      std::optional<std::string> loss;
      const std::size_t count = read(loss);
      ASSERT_TRUE(loss) << size;
      EXPECT_GE(count, last_count);
      last_count = count;
    }
    EXPECT_EQ(last_count, 12u);
  }
}

TEST_F(LogFile, ATailOfZerosIsALossNotDamage) {
  write(10, LogDurability::written, false);
  write_file(path_, contents(path_) + std::string(5'000, '\0'));
  std::optional<std::string> loss;
  EXPECT_EQ(read(loss), 10u);
  EXPECT_THAT(loss.value_or(""), HasSubstr("only zeros stand at byte"));
}

TEST_F(LogFile, ALastPieceThatDidNotReachTheDiskWholeIsALoss) {
  write(10, LogDurability::written, false);
  std::string bytes = contents(path_);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write_file(path_, bytes);
  std::optional<std::string> loss;
  EXPECT_EQ(read(loss), 9u);
  EXPECT_THAT(loss.value_or(""), HasSubstr("was not written whole at byte"));
}

TEST_F(LogFile, AChangeBeforeTheLastPieceIsRefused) {
  for (const LogCompression compression : {LogCompression::none, LogCompression::zstd}) {
    std::filesystem::remove(path_);
    written_.clear();
    names_ = Names();
    write(40, LogDurability::written, true, compression);
    const std::string whole = contents(path_);
    Random random(1);
    for (int i = 0; i < 300; ++i) {
      std::string bytes = whole;
      // The last piece, an empty one with the end mark, is less than 300 bytes long.
      const std::size_t at = random.below(bytes.size() - 300);
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
      write_file(path_, bytes);
      EXPECT_THROW(read(), InputError) << at;
    }
  }
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

TEST(CompressedPiece, IsRefusedIfItIsNotWhatItStates) {
  const std::string piece(100'000, 'a');
  PieceCompressor compressor;
  const auto compressed = compressor.compress(bytes_of(piece));
  std::string frame(reinterpret_cast<const char*>(compressed.data()), compressed.size());
  PieceDecompressor decompressor;
  std::vector<std::byte> again;
  ASSERT_TRUE(decompressor.decompress(bytes_of(frame), again));
  EXPECT_TRUE(std::ranges::equal(again, bytes_of(piece)));

  const auto refusal = [&](const std::string& wrong) {
    const Status status = decompressor.decompress(bytes_of(wrong), again);
    return status ? "taken" : status.error().message;
  };
  EXPECT_THAT(refusal("no frame"), HasSubstr("that states the size of its contents"));
  EXPECT_THAT(refusal(""), HasSubstr("that states the size of its contents"));
  EXPECT_THAT(refusal(frame.substr(0, frame.size() - 1)), HasSubstr("the zstd frame is damaged"));
  // Frames of this length have their contents' size in four bytes behind magic and descriptor.
  std::string huge = frame;
  huge.replace(5, 4, "\xff\xff\xff\x7f");
  EXPECT_THAT(refusal(huge), HasSubstr("at most 67108864 bytes"));
  std::string longer = frame;
  longer[5] = static_cast<char>(longer[5] + 1);
  EXPECT_NE(refusal(longer), "taken");
}

TEST_F(LogFile, AForeignFileIsRefusedWithItsName) {
  write_file(path_, "job_id,submit\n1,2\n");
  EXPECT_THAT([&] { read(); },
              ThrowsMessage<InputError>(HasSubstr("rounds.log: expected a log of Tracebed")));
  write_file(path_, "");
  EXPECT_THROW(read(), InputError);
}

TEST_F(LogFile, AnotherFormatVersionIsRefusedByNumber) {
  write(1, LogDurability::written, true);
  std::string bytes = contents(path_);
  for (const char version : {char{8}, char{18}}) {
    bytes[8] = version;
    write_file(path_, bytes);
    const std::string got = "got " + std::to_string(int{version});
    EXPECT_THAT([&] { read(); },
                ThrowsMessage<InputError>(HasSubstr("expected format version 9 to 17, " + got)));
  }
}

TEST_F(LogFile, AMissingFileAndAnExistingOneAreNamed) {
  EXPECT_THAT([&] { read(); }, ThrowsMessage<EnvironmentError>(HasSubstr("rounds.log")));
  write_file(path_, "kept");
  EXPECT_THROW(LogFileWriter(path_, "r", names_, LogDurability::buffered), EnvironmentError);
  EXPECT_EQ(contents(path_), "kept");
}

// A file size limit makes writing fail as a full disk does.
TEST_F(LogFile, AFullDiskIsReportedByTheCommit) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  LogFileWriter writer(path_, "r", names_, LogDurability::written);
  const rlimit tight{.rlim_cur = 100, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &tight);
  writer.append(Round());
  EXPECT_THAT([&] { writer.commit(); },
              ThrowsMessage<EnvironmentError>(HasSubstr("cannot be written: File too large")));
  setrlimit(RLIMIT_FSIZE, &before);
}

}  // namespace
}  // namespace tracebed
