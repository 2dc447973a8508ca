// Packed columns that only older logs have.
#include "protocol/piece_rows.h"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "log_generated.h"
#include "protocol/packed_rows.h"

namespace tracebed::log {
namespace {

struct ReadRow {
  std::int64_t ended;
  std::int64_t node_local;
  std::int64_t rack_local;
  std::int64_t off_rack;
};
struct WrittenRow {
  std::int64_t ended;
  std::int64_t bytes;
};

template <class Row>
std::vector<std::uint8_t> packed(const std::vector<Row>& rows) {
  RowPacker<Row> packer;
  for (const Row& row : rows) packer.add(row);
  return {packer.bytes().begin(), packer.bytes().end()};
}

// A piece with these columns and no others, by their places in its table.
using Columns = std::vector<std::pair<flatbuffers::voffset_t, std::vector<std::uint8_t>>>;
Status unpacked(const Columns& columns, PieceRows& rows) {
  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>>> vectors;
  for (const auto& [place, bytes] : columns) vectors.push_back(builder.CreateVector(bytes));
  const flatbuffers::uoffset_t begin = builder.StartTable();
  for (std::size_t i = 0; i < columns.size(); ++i) builder.AddOffset(columns[i].first, vectors[i]);
  builder.Finish(flatbuffers::Offset<fb::Piece>(builder.EndTable(begin)));
  return unpack(*flatbuffers::GetRoot<fb::Piece>(builder.GetBufferPointer()), rows);
}

// The containers that ended first and third have read, the third has fetched, the second has
// written.
TEST(PieceRows, HaveTheAccountsOfLogsUpToVersion16) {
  PieceRows rows;
  const Status status =
      unpacked({{fb::Piece::VT_INPUT_READS, packed<ReadRow>({{0, 1, 2, 3}, {2, 4, 5, 6}})},
                {fb::Piece::VT_SHUFFLE_READS, packed<ReadRow>({{2, 7, 8, 9}})},
                {fb::Piece::VT_OUTPUTS_WRITTEN, packed<WrittenRow>({{1, 10}})}},
               rows);
  ASSERT_TRUE(status) << status.error().message;
  ASSERT_EQ(rows.task_accounts.size(), 3u);
  const std::vector<TaskAccount> expected = {
      {.input = {1, 2, 3}}, {.output = 10}, {.input = {4, 5, 6}, .shuffled = {7, 8, 9}}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(rows.task_accounts[i].ended, static_cast<std::int64_t>(i));
    EXPECT_EQ(rows.task_accounts[i].account, expected[i]) << i;
  }
}

TEST(PieceRows, RefuseOlderAccountsThatAreNotInOrder) {
  for (const auto& reads :
       {std::vector<ReadRow>{{1, 1, 1, 1}, {1, 1, 1, 1}}, std::vector<ReadRow>{{-1, 1, 1, 1}}}) {
    PieceRows rows;
    EXPECT_FALSE(unpacked({{fb::Piece::VT_INPUT_READS, packed(reads)}}, rows));
  }
  PieceRows rows;
  EXPECT_FALSE(unpacked({{fb::Piece::VT_INPUT_READS, {0x11}}}, rows)) << "half a row";
}

// No number of fields is stated, and a log cannot have more fields than there are.
TEST(PieceRows, RefuseAccountsOfUnknownFields) {
  PieceRows rows;
  EXPECT_FALSE(unpacked({{fb::Piece::VT_TASK_ACCOUNTS, packed<WrittenRow>({{0, 1}})}}, rows));
}

}  // namespace
}  // namespace tracebed::log
