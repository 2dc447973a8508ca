#include "traces/parts/byte_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "traces/trace_texts.h"

namespace tracebed {
namespace {

using testing::gzip;
using testing::zstd;

struct Everything {
  std::string text;
  std::string defect;
  std::string compression;
};

// Through a small room, so that every source is asked many times.
Everything read_all(std::string_view bytes) {
  const auto source = decompressed(bytes_in_memory(bytes));
  Everything result;
  char room[7];
  while (const std::size_t count = source->read(room)) result.text.append(room, count);
  result.defect = source->defect();
  result.compression = source->compression();
  return result;
}

TEST(ByteSource, GivesPlainBytesAsTheyAre) {
  const Everything all = read_all("plain text\n");
  EXPECT_EQ(all.text, "plain text\n");
  EXPECT_EQ(all.compression, "none");
  EXPECT_EQ(all.defect, "");
}

TEST(ByteSource, EndsAtOnceWhenThereIsNothing) {
  EXPECT_EQ(read_all("").text, "");
  EXPECT_EQ(read_all("").defect, "");
}

TEST(ByteSource, TellsGzipByItsContent) {
  const Everything all = read_all(gzip("some text"));
  EXPECT_EQ(all.text, "some text");
  EXPECT_EQ(all.compression, "gzip");
  EXPECT_EQ(all.defect, "");
}

TEST(ByteSource, TellsZstdByItsContent) {
  const Everything all = read_all(zstd("some text"));
  EXPECT_EQ(all.text, "some text");
  EXPECT_EQ(all.compression, "zstd");
  EXPECT_EQ(all.defect, "");
}

TEST(ByteSource, JoinsGzipMembersAndPassesOverPadding) {
  const std::string bytes = gzip("first ") + gzip("second") + std::string(5, '\0');
  const Everything all = read_all(bytes);
  EXPECT_EQ(all.text, "first second");
  EXPECT_EQ(all.defect, "");
}

TEST(ByteSource, JoinsZstdFrames) {
  const Everything all = read_all(zstd("first ") + zstd("second"));
  EXPECT_EQ(all.text, "first second");
  EXPECT_EQ(all.defect, "");
}

TEST(ByteSource, SaysWhatFollowsGzipData) {
  const Everything all = read_all(gzip("text") + "more");
  EXPECT_EQ(all.text, "text");
  EXPECT_EQ(all.defect, "other bytes follow the end of the gzip data");
}

TEST(ByteSource, SaysThatGzipDataEndsEarly) {
  const std::string whole = gzip(std::string(10'000, 'x') + "end");
  for (const std::size_t cut : {std::size_t{3}, whole.size() / 2, whole.size() - 1}) {
    EXPECT_EQ(read_all(std::string_view(whole).substr(0, cut)).defect,
              "the gzip data ends early: the file is truncated")
        << cut;
  }
}

TEST(ByteSource, SaysThatZstdDataEndsEarly) {
  const std::string whole = zstd(std::string(10'000, 'x') + "end");
  EXPECT_EQ(read_all(std::string_view(whole).substr(0, whole.size() - 1)).defect,
            "the zstd data ends early: the file is truncated");
}

TEST(ByteSource, SaysThatCompressedDataIsDamaged) {
  std::string bytes = gzip("some text that is long enough to be damaged in the middle");
  bytes[bytes.size() / 2] = static_cast<char>(~bytes[bytes.size() / 2]);
  bytes[bytes.size() - 6] = static_cast<char>(~bytes[bytes.size() - 6]);
  EXPECT_THAT(read_all(bytes).defect, ::testing::StartsWith("the gzip data is damaged: "));
  std::string frame = zstd("some text");
  frame[4] = '\xFF';
  EXPECT_THAT(read_all(frame).defect, ::testing::StartsWith("the zstd data is damaged: "));
}

TEST(ByteSource, NamesTheFileThatCannotBeOpened) {
  try {
    open_file("/no/such/trace.swf");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "/no/such/trace.swf: cannot be opened: No such file or directory");
  }
}

TEST(ByteSource, RefusesADirectory) {
  const TemporaryFolder folder;
  EXPECT_THROW(open_file(folder.file("")), InputError);
}

}  // namespace
}  // namespace tracebed
