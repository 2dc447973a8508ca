#include "protocol/hdfs/chunk_checksums.h"

#include <array>
#include <gtest/gtest.h>
#include <vector>

#include "core/random.h"
#include "protocol/hdfs/bytes.h"
#include "protocol/hdfs/portable_crc.h"

namespace tracebed::hdfs {
namespace {

using test::text;
using test::to_hex;
using test::view;

std::string checksums_of(const ChunkChecksums& checksums, std::string_view data) {
  std::vector<std::byte> out(checksums.bytes(data.size()));
  write_checksums(checksums, view(data), out);
  return text(out);
}

// The check values of both polynomials, and RFC 3720's of 32 zeros (appendix B.4).
TEST(ChunkChecksums, AreThoseOfTheStandards) {
  EXPECT_EQ(crc32(view("123456789")), 0xcbf43926u);
  EXPECT_EQ(crc32c(view("123456789")), 0xe3069283u);
  EXPECT_EQ(crc32c(view(std::string(32, '\0'))), 0x8a9136aau);
  EXPECT_EQ(crc32(view("")), 0u);
  EXPECT_EQ(crc32c(view("")), 0u);
}

// Bit by bit, from the reversed polynomials.
std::uint32_t slow_crc(std::uint32_t polynomial, std::string_view data) {
  std::uint32_t crc = 0xffffffff;
  for (const char c : data) {
    crc ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ ((crc & 1) != 0 ? polynomial : 0);
  }
  return ~crc;
}

TEST(ChunkChecksums, AreEqualToASlowComputationForAllShortLengths) {
  Random random(512);
  std::string data;
  for (int size = 0; size < 700; ++size) {
    EXPECT_EQ(crc32(view(data)), slow_crc(0xedb88320, data)) << size;
    EXPECT_EQ(crc32c(view(data)), slow_crc(0x82f63b78, data)) << size;
    EXPECT_EQ(portable_crc32(view(data)), slow_crc(0xedb88320, data)) << size;
    EXPECT_EQ(portable_crc32c(view(data)), slow_crc(0x82f63b78, data)) << size;
    EXPECT_EQ(table_crc32c(view(data)), slow_crc(0x82f63b78, data)) << size;
    data += static_cast<char>(random.below(256));
  }
}

TEST(ChunkChecksums, ContinueWhereATextWasInterrupted) {
  const std::string data = "123456789123456789";
  for (std::size_t at = 0; at <= data.size(); ++at) {
    const auto begin = view(data).first(at);
    const auto end = view(data).subspan(at);
    EXPECT_EQ(continued_crc32c(crc32c(begin), end), crc32c(view(data))) << at;
    EXPECT_EQ(portable_crc32c(end, portable_crc32c(begin)), crc32c(view(data))) << at;
    EXPECT_EQ(table_crc32c(end, table_crc32c(begin)), crc32c(view(data))) << at;
  }
}

TEST(ChunkChecksums, EachChunkHasFourBytesWithTheHighestFirst) {
  const ChunkChecksums checksums{ChecksumType::crc32, 9};
  EXPECT_EQ(to_hex(checksums_of(checksums, "123456789123456789")), "cbf43926cbf43926");
  EXPECT_EQ(to_hex(checksums_of({ChecksumType::crc32c, 9}, "123456789")), "e3069283");
}

TEST(ChunkChecksums, TheLastChunkMayBeShorter) {
  const ChunkChecksums checksums{ChecksumType::crc32, 512};
  EXPECT_EQ(checksums.chunks(0), 0u);
  EXPECT_EQ(checksums.chunks(1), 1u);
  EXPECT_EQ(checksums.chunks(512), 1u);
  EXPECT_EQ(checksums.chunks(513), 2u);
  const std::string data = std::string(512, 'x') + "123456789";
  EXPECT_EQ(to_hex(checksums_of(checksums, data)).substr(8), "cbf43926");
}

TEST(ChunkChecksums, NameTheFirstBadChunk) {
  for (const ChecksumType type : {ChecksumType::crc32, ChecksumType::crc32c}) {
    const ChunkChecksums checksums{type, 100};
    std::string data(250, 'd');
    const std::string expected = checksums_of(checksums, data);
    EXPECT_EQ(first_bad_chunk(checksums, view(data), view(expected)), std::nullopt);
    data[249] = 'x';
    EXPECT_EQ(first_bad_chunk(checksums, view(data), view(expected)), 2u);
    data[199] = 'x';
    EXPECT_EQ(first_bad_chunk(checksums, view(data), view(expected)), 1u);
    data[0] = 'x';
    EXPECT_EQ(first_bad_chunk(checksums, view(data), view(expected)), 0u);
  }
}

TEST(ChunkChecksums, DataWithoutChecksumsHasNothingToCompare) {
  const ChunkChecksums none{ChecksumType::none, 512};
  EXPECT_EQ(none.bytes(5000), 0u);
  EXPECT_EQ(first_bad_chunk(none, view("data"), {}), std::nullopt);
}

TEST(ChunkChecksums, OnlyThoseOfHdfsExist) {
  EXPECT_EQ(chunk_checksums(2, 512), (ChunkChecksums{ChecksumType::crc32c, 512}));
  EXPECT_EQ(chunk_checksums(0, 1), (ChunkChecksums{ChecksumType::none, 1}));
  EXPECT_EQ(chunk_checksums(3, 512), std::nullopt);
  EXPECT_EQ(chunk_checksums(1, 0), std::nullopt);
  EXPECT_EQ(chunk_checksums(1, (1 << 20) + 1), std::nullopt);
}

TEST(ChunkChecksumsDeathTest, EveryChunkNeedsOne) {
  std::array<std::byte, 4> out{};
  EXPECT_DEATH(write_checksums({}, view(std::string(513, 'x')), out), "every chunk has a checksum");
}

}  // namespace
}  // namespace tracebed::hdfs
