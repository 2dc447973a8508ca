#include "core/block_content.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/random.h"

namespace tracebed {
namespace {

std::vector<std::byte> slice(std::uint64_t block_id, std::uint64_t offset, std::size_t count) {
  std::vector<std::byte> bytes(count);
  BlockContent(block_id).fill(offset, bytes);
  return bytes;
}

std::string digits(const std::vector<std::byte>& bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    text += "0123456789abcdef"[std::to_integer<int>(byte) >> 4];
    text += "0123456789abcdef"[std::to_integer<int>(byte) & 15];
  }
  return text;
}

constexpr std::uint64_t first_id = 1'073'741'825;  // the first that HDFS gives

struct Slice {
  std::uint64_t block_id;
  std::uint64_t offset;
  std::string digits;
};

// By a program in another language that works out each byte by itself.
TEST(BlockContents, AreTheseBytes) {
  const std::vector<Slice> slices = {
      {0, 0, "0000000000000000"},
      {1, 0, "7d3a360f090eb47a"},
      {first_id, 0, "bcf2186cf84c3445f04cf013daf1fb8c"},
      {first_id, 13, "f1fb8ce27fa2"},
      {first_id, (1u << 27) - 3, "77ead6"},
  };
  for (const auto& [block_id, offset, expected] : slices) {
    EXPECT_EQ(digits(slice(block_id, offset, expected.size() / 2)), expected)
        << block_id << " from " << offset;
  }
}

TEST(BlockContents, AgreeWhereTwoSlicesOverlap) {
  Random random(17);
  const std::vector<std::byte> whole = slice(first_id, 0, 10'000);
  for (int i = 0; i < 2'000; ++i) {
    const std::uint64_t begin = random.below(whole.size() + 1);
    const std::uint64_t end = begin + random.below(whole.size() - begin + 1);
    const auto from = whole.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = whole.begin() + static_cast<std::ptrdiff_t>(end);
    ASSERT_EQ(slice(first_id, begin, end - begin), std::vector<std::byte>(from, to))
        << begin << " to " << end;
  }
}

TEST(BlockContents, WriteNothingBeyondTheirSlice) {
  for (std::size_t offset = 0; offset < 9; ++offset) {
    for (std::size_t count = 0; count < 18; ++count) {
      std::vector<std::byte> bytes(count + 2, std::byte{0xa5});
      BlockContent(first_id).fill(offset, std::span(bytes).subspan(1, count));
      EXPECT_EQ(bytes.front(), std::byte{0xa5});
      EXPECT_EQ(bytes.back(), std::byte{0xa5});
    }
  }
}

TEST(BlockContents, DifferInEachWordFromOneBlockToTheNext) {
  for (std::uint64_t index = 0; index < 10'000; ++index) {
    ASSERT_NE(BlockContent(first_id).word(index), BlockContent(first_id + 1).word(index));
    ASSERT_NE(BlockContent(first_id).word(index), BlockContent(first_id).word(index + 1));
  }
}

TEST(BlockContents, MatchUpToTheFirstWrongByte) {
  Random random(3);
  const std::vector<std::byte> right = slice(first_id, 5, 9'000);
  EXPECT_EQ(BlockContent(first_id).count_matching(5, right), right.size());
  EXPECT_EQ(BlockContent(first_id).count_matching(5, {}), 0u);
  EXPECT_LT(BlockContent(first_id).count_matching(5 + 256, right), 4u);
  for (int i = 0; i < 500; ++i) {
    std::vector<std::byte> wrong = right;
    const std::size_t first = random.below(wrong.size());
    const std::size_t second = random.below(wrong.size());
    wrong[first] ^= std::byte{1};
    if (second != first) wrong[second] ^= std::byte{128};
    ASSERT_EQ(BlockContent(first_id).count_matching(5, wrong), std::min(first, second));
  }
}

}  // namespace
}  // namespace tracebed
