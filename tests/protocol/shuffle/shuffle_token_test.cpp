#include "protocol/shuffle/shuffle_token.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace tracebed::shuffle {
namespace {

Bytes view(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string hex(Bytes bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    text += digits[std::to_integer<std::size_t>(byte >> 4)];
    text += digits[std::to_integer<std::size_t>(byte & std::byte{15})];
  }
  return text;
}

RunKey key_of(std::uint8_t byte) {
  std::array<std::byte, 32> bytes{};
  bytes.fill(std::byte{byte});
  return RunKey(bytes);
}

// RFC 4231, test case 2, with the key filled up by zeros, as HMAC does itself.
TEST(ShuffleToken, CodesAreThoseOfTheStandard) {
  std::array<std::byte, 32> key{};
  key[0] = std::byte{'J'};
  key[1] = std::byte{'e'};
  key[2] = std::byte{'f'};
  key[3] = std::byte{'e'};
  const Code code =
      code_of(JobToken(key), {view("what do ya want "), view(""), view("for nothing?")});
  EXPECT_EQ(hex(code), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

TEST(ShuffleToken, IsTheCodeOfTheJobsNumber) {
  const JobToken token = job_token(key_of(1), 0x01020304);
  const Code code = code_of(JobToken(key_of(1).bytes()), {view("job\4\3\2\1")});
  EXPECT_TRUE(std::ranges::equal(token.bytes(), code));
}

TEST(ShuffleToken, DiffersAmongJobsAndRuns) {
  const std::string one = hex(job_token(key_of(1), 1).bytes());
  EXPECT_NE(one, hex(job_token(key_of(1), 2).bytes()));
  EXPECT_NE(one, hex(job_token(key_of(2), 1).bytes()));
  EXPECT_EQ(one, hex(job_token(key_of(1), 1).bytes()));
}

TEST(ShuffleToken, CodesAreComparedWhole) {
  const Code code = code_of(JobToken(), {});
  for (std::size_t at = 0; at < code.size(); ++at) {
    Code other = code;
    other[at] ^= std::byte{1};
    EXPECT_FALSE(is_equal(code, other)) << at;
  }
  EXPECT_TRUE(is_equal(code, code));
}

}  // namespace
}  // namespace tracebed::shuffle
