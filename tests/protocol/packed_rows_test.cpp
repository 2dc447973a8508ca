#include "protocol/packed_rows.h"

#include <array>
#include <gtest/gtest.h>
#include <limits>

namespace tracebed::log {
namespace {

struct Pair {
  std::int64_t first = 0;
  std::int64_t second = 0;
  bool operator==(const Pair&) const = default;
};

std::vector<std::uint8_t> packed(const std::vector<Pair>& rows) {
  RowPacker<Pair> packer;
  for (const Pair& row : rows) packer.add(row);
  return {packer.bytes().begin(), packer.bytes().end()};
}

using Bytes = std::vector<std::uint8_t>;

// By hand: the differences are 1, -1 | 127, -128 | 128, 0, and their signs move into the lowest
// bit.
TEST(PackedRows, ADifferenceTakesAsManyBytesAsItHas) {
  const Bytes bytes = packed({{1, -1}, {128, -129}, {256, -129}});
  EXPECT_EQ(bytes, (Bytes{0x11, 2, 1, 0x11, 254, 255, 0x02, 0, 1}));
}

TEST(PackedRows, EveryNumberComesBack) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::vector<Pair> rows = {{0, 0},       {most, least}, {least, most}, {-1, 1},
                                  {least, 127}, {least, 128},  {most, most},  {0, -1}};
  std::vector<Pair> read;
  ASSERT_TRUE(unpack_rows(std::span<const std::uint8_t>(packed(rows)), read));
  EXPECT_EQ(read, rows);
}

TEST(PackedRows, AClearedPackerForgetsWhatStoodAbove) {
  RowPacker<Pair> packer;
  packer.add({5, 5});
  packer.clear();
  EXPECT_TRUE(packer.is_empty());
  packer.add({1, 2});
  EXPECT_EQ(Bytes(packer.bytes().begin(), packer.bytes().end()), (Bytes{0x11, 2, 4}));
}

TEST(PackedRows, WhatIsNotWholeRowsOfNumbersIsRefused) {
  const Bytes header_alone = {0x01};
  const Bytes half_a_number = {0x02, 7};
  const Bytes nine_bytes = {0x09, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  for (const Bytes& bytes : {header_alone, half_a_number, nine_bytes}) {
    std::vector<Pair> rows;
    EXPECT_FALSE(unpack_rows(std::span<const std::uint8_t>(bytes), rows));
  }
}

// Those of a log from before the last field was added.
TEST(PackedRows, RowsOfFewerFieldsHaveZerosInTheOthers) {
  using Five = std::array<std::int64_t, 5>;
  const Bytes bytes = packed({{300, -1}, {-7, 9}});
  std::vector<Five> rows;
  ASSERT_TRUE(unpack_shorter_rows(std::span<const std::uint8_t>(bytes), rows, std::size_t{2}));
  EXPECT_EQ(rows, (std::vector<Five>{{300, -1, 0, 0, 0}, {-7, 9, 0, 0, 0}}));
}

}  // namespace
}  // namespace tracebed::log
