#include "protocol/hdfs/file_checksum.h"

#include <gtest/gtest.h>
#include <vector>

#include "protocol/hdfs/bytes.h"

namespace tracebed::hdfs {
namespace {

using test::text;
using test::to_hex;
using test::view;

// A digest of a text, whose MD5 `md5sum` computes as well.
std::string md5(std::string_view bytes) {
  Md5Digest digest;
  digest.update(view(bytes));
  return text(digest.finish());
}

BlockChecksum block(std::string_view content, std::uint64_t crcs = 2048) {
  BlockChecksum checksum{crcs, {}};
  Md5Digest digest;
  digest.update(view(content));
  checksum.md5 = digest.finish();
  return checksum;
}

constexpr ChunkChecksums crc32c_of_512{ChecksumType::crc32c, 512};

TEST(FileChecksums, DigestTextsAsRfc1321Does) {
  EXPECT_EQ(to_hex(md5("")), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(to_hex(md5("abc")), "900150983cd24fb0d6963f7d28e17f72");
  Md5Digest parts;
  parts.update(view("a"));
  parts.update(view("bc"));
  EXPECT_EQ(to_hex(text(parts.finish())), "900150983cd24fb0d6963f7d28e17f72");
}

// `head -c 32 /dev/zero | md5sum`
TEST(FileChecksums, AFileWithoutBlocksHasTheOneOfThirtyTwoZeros) {
  const FileChecksum checksum = file_checksum(crc32c_of_512, {});
  EXPECT_EQ(checksum.algorithm(), "MD5-of-0MD5-of-0CRC32");
  EXPECT_EQ(checksum.hexadecimal(),
            "000000000000000000000000"
            "70bc8f4b72a86921468bf8e8441dce51");
}

TEST(FileChecksums, AFileOfOneBlockStatesNoChecksumsPerBlock) {
  const std::vector<BlockChecksum> blocks = {block("a", 3)};
  const FileChecksum checksum = file_checksum(crc32c_of_512, blocks);
  EXPECT_EQ(checksum.algorithm(), "MD5-of-0MD5-of-512CRC32C");
  EXPECT_EQ(checksum.hexadecimal(),
            "00000200"
            "0000000000000000" +
                to_hex(md5(md5("a") + std::string(16, '\0'))));
}

TEST(FileChecksums, AFileOfSeveralBlocksStatesThoseOfTheFirst) {
  const std::vector<BlockChecksum> blocks = {block("a", 0x1'0000'0002), block("b", 7)};
  const FileChecksum checksum = file_checksum({ChecksumType::crc32, 4096}, blocks);
  EXPECT_EQ(checksum.algorithm(), "MD5-of-4294967298MD5-of-4096CRC32");
  EXPECT_EQ(checksum.hexadecimal(),
            "00001000"
            "0000000100000002" +
                to_hex(md5(md5("a") + md5("b"))));
}

// Blocks fill 16 bytes each of a buffer of 32, 64, 128 bytes.
TEST(FileChecksums, BlocksArePaddedToTheNextPowerOfTwo) {
  struct Case {
    std::size_t blocks;
    std::size_t padding;
  };
  for (const Case& each :
       {Case{1, 16}, Case{2, 0}, Case{3, 16}, Case{4, 0}, Case{5, 48}, Case{8, 0}, Case{9, 112}}) {
    std::vector<BlockChecksum> blocks;
    std::string digests;
    for (std::size_t i = 0; i < each.blocks; ++i) {
      const std::string content(i + 1, 'b');
      blocks.push_back(block(content));
      digests += md5(content);
    }
    digests += std::string(each.padding, '\0');
    EXPECT_EQ(text(file_checksum(crc32c_of_512, blocks).md5), md5(digests)) << each.blocks;
  }
}

// Of a file of 14 bytes, as Debian's `hdfs checksum` prints it; that client pads by itself.
TEST(FileChecksums, AreEqualToTheOneThatARealClientComputes) {
  const std::string data = "hello hdfs, 13";
  std::vector<std::byte> crcs(crc32c_of_512.bytes(data.size()));
  write_checksums(crc32c_of_512, view(data), crcs);
  Md5Digest digest;
  digest.update(crcs);
  const std::vector<BlockChecksum> blocks = {{1, digest.finish()}};
  EXPECT_EQ(to_hex(text(file_checksum(crc32c_of_512, blocks).md5)),
            "cdfa33f91a57ae34c56947c1fa516682");
}

}  // namespace
}  // namespace tracebed::hdfs
