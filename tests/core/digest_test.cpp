#include "core/digest.h"

#include <bit>
#include <cstdint>
#include <gtest/gtest.h>
#include <initializer_list>
#include <set>
#include <string>

namespace tracebed {
namespace {

Digest digest_of(std::initializer_list<std::uint64_t> words) {
  Digest digest;
  for (std::uint64_t word : words) digest.add(word);
  return digest;
}

// The values were computed from the formulas by a second implementation, in another language. They
// stand in recorded runs, so a change of the function makes old recordings unreadable.
TEST(RunDigest, HasKnownValues) {
  EXPECT_EQ(digest_of({}).to_string(), "93ae913561b38fe86ca9905a005efcf0");
  EXPECT_EQ(digest_of({1, 2, 3}).to_string(), "c1af7fab87bfe123a5a7a5eabdf67663");
  EXPECT_EQ(digest_of({3, 2, 1}).to_string(), "35058513bf27239d052f8ba9cb513048");
}

TEST(RunDigest, IsEqualForEqualSequences) {
  EXPECT_EQ(digest_of({5, 6, 7}), digest_of({5, 6, 7}));
  EXPECT_EQ(digest_of({5, 6, 7}).to_string(), digest_of({5, 6, 7}).to_string());
}

TEST(RunDigest, TellsOrderLengthAndContentApart) {
  EXPECT_NE(digest_of({1, 2}), digest_of({2, 1}));
  EXPECT_NE(digest_of({}), digest_of({0}));
  EXPECT_NE(digest_of({0}), digest_of({0, 0}));
  EXPECT_NE(digest_of({1, 2, 3}), digest_of({1, 2, 4}));
}

TEST(RunDigest, NeverForgetsADifferenceWhateverFollows) {
  Digest one = digest_of({1});
  Digest other = digest_of({2});
  for (std::uint64_t word = 0; word < 10'000; ++word) {
    one.add(word);
    other.add(word);
  }
  EXPECT_NE(one, other);
}

TEST(RunDigest, ShowsEverySingleBitOfAWord) {
  std::set<std::string> seen;
  for (int bit = 0; bit < 64; ++bit) seen.insert(digest_of({1ull << bit, 9, 9}).to_string());
  EXPECT_EQ(seen.size(), 64u);
}

TEST(RunDigest, TakesIdsTimesAndSignedNumbersAsTheirWords) {
  Digest digest;
  digest.add(NodeId(3u));
  digest.add(trace_time(250));
  digest.add(std::int64_t{-1});
  EXPECT_EQ(digest, digest_of({3, 250, ~0ull}));
}

}  // namespace
}  // namespace tracebed
