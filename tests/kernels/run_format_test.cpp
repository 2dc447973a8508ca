#include "kernels/run_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/random.h"
#include "kernels/map_output_index.h"
#include "kernels/memory_streams.h"
#include "kernels/written_run.h"

namespace tracebed::kernels {
namespace {

using test::MemorySource;
using test::Pairs;
using test::written_run;
using testing::ElementsAreArray;
using testing::HasSubstr;

Result<Pairs> read(Bytes run, std::size_t read_bytes_max) {
  RunReader reader(std::make_unique<MemorySource>("map output 3", run, read_bytes_max),
                   run_buffer_bytes_min);
  Pairs pairs;
  while (true) {
    if (const Status advanced = reader.advance(); !advanced) return advanced.error();
    if (!reader.has_pair()) return pairs;
    pairs.emplace_back(text_of(reader.key()), text_of(reader.value()));
  }
}

// Two pairs, "a" with "12" and "b" with "", and the end.
const std::string two_pairs = std::string("\1\0\2\0a12", 7) + std::string("\1\0\0\0b", 5) +
                              std::string("\xff\xff\xff\xff\2\0\0\0\0\0\0\0", 12);

TEST(Runs, HaveTheseBytes) {
  EXPECT_EQ(text_of(written_run({{"a", "12"}, {"b", ""}})), two_pairs);
}

TEST(Runs, AreReadAsTheyWereWritten) {
  Random random(8);
  Pairs pairs;
  for (char first = 'a'; first <= 'z'; ++first) {
    pairs.emplace_back(std::string(1, first) + std::string(random.below(8'000), 'k'),
                       std::string(random.below(200), 'v'));
  }
  pairs.emplace_back("zz" + std::string(pair_bytes_max - 2, 'z'), "");
  const Buffer run = written_run(pairs);
  for (const std::size_t read_bytes : {1u, 7u, 4'000u, 1'000'000u}) {
    const auto found = read(run, read_bytes);
    ASSERT_TRUE(found.has_value()) << found.error().message;
    EXPECT_THAT(*found, ElementsAreArray(pairs));
  }
}

struct BadRun {
  std::string bytes;
  std::string message;
};

TEST(Runs, AreRefusedWhereTheyAreMalformed) {
  const auto patched = [](std::size_t at, std::string_view bytes) {
    return std::string(two_pairs).replace(at, bytes.size(), bytes);
  };
  for (const auto& [bytes, message] :
       std::vector<BadRun>{{"", "map output 3: the run ends without an end mark at byte 0"},
                           {two_pairs.substr(0, 3), "ends without an end mark at byte 0"},
                           {two_pairs.substr(0, 6), "ends within a pair at byte 0"},
                           {two_pairs.substr(0, 12), "ends without an end mark at byte 12"},
                           {two_pairs.substr(0, 20), "ends within its end mark at byte 12"},
                           {two_pairs + "x", "bytes behind the run's end at byte 24"},
                           {patched(16, "\1"), "an end mark for 1 pairs instead of 2 at byte 12"},
                           {patched(11, "A"), "a pair that belongs before the last one at byte 7"},
                           {patched(0, "\xff\xfe"), "a pair of 65281 bytes at byte 0"},
                           {patched(2, "\xff\xff"), "a pair of 65536 bytes at byte 0"}}) {
    const auto found = read(bytes_of(bytes), 5);
    ASSERT_FALSE(found.has_value()) << message;
    EXPECT_THAT(found.error().message, HasSubstr(message));
  }
}

TEST(Runs, AreInTheOrderOfValuesWhereKeysAreEqual) {
  EXPECT_TRUE(read(written_run({{"a", "1"}, {"a", "1"}, {"a", "2"}}), 9).has_value());
  const auto found = read(written_run({{"a", "2"}, {"a", "1"}}), 9);
  ASSERT_FALSE(found.has_value());
  EXPECT_THAT(found.error().message, HasSubstr("belongs before"));
}

class BrokenSource final : public ByteSource {
 public:
  std::string name() const override { return "map output 3"; }
  Result<std::size_t> read(std::span<std::byte>) override { return Error{"the host is silent"}; }
};

TEST(Runs, PassOnTheErrorsOfTheirSource) {
  RunReader reader(std::make_unique<BrokenSource>(), run_buffer_bytes_min);
  const Status advanced = reader.advance();
  ASSERT_FALSE(advanced);
  EXPECT_EQ(advanced.error().message, "the host is silent");
}

TEST(MapOutputIndices, AreParsedAsTheyWereEncoded) {
  const MapOutputIndex index{{{0, 12}, {12, 40}, {52, 13}}};
  const auto parsed = MapOutputIndex::parse(index.encode(), 3, 65);
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(*parsed, index);
  EXPECT_EQ(parsed->output_bytes(), 65u);
}

struct BadIndex {
  std::vector<std::uint64_t> sizes;
  std::uint32_t partitions;
  std::string message;
};

TEST(MapOutputIndices, AreRefusedWhereTheyAreMalformed) {
  for (const auto& [sizes, partitions, message] :
       std::vector<BadIndex>{{{12}, 2, "8 bytes instead of 16"},
                             {{12, 12, 12}, 2, "24 bytes instead of 16"},
                             {{11, 53}, 2, "partition 0 has 11 bytes at byte 0 of 64"},
                             {{20, 45}, 2, "partition 1 has 45 bytes at byte 20 of 64"},
                             {{20, ~std::uint64_t{0} - 10}, 2, "partition 1 has"},
                             {{20, 43}, 2, "partitions of 63 bytes instead of 64"}}) {
    Buffer encoded;
    for (const std::uint64_t size : sizes) append_number(encoded, size);
    const auto parsed = MapOutputIndex::parse(encoded, partitions, 64);
    ASSERT_FALSE(parsed.has_value()) << message;
    EXPECT_THAT(parsed.error().message, HasSubstr(message));
  }
}

}  // namespace
}  // namespace tracebed::kernels
