#include "kernels/page_rank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/adjacency.h"
#include "kernels/local_job.h"
#include "kernels/map_task.h"
#include "kernels/memory_streams.h"

namespace tracebed::kernels {
namespace {

using testing::HasSubstr;

using Edges = std::vector<std::vector<std::uint32_t>>;  // targets by vertex

Buffer file_of(const Edges& edges) {
  Buffer file;
  for (std::uint32_t vertex = 0; vertex < edges.size(); ++vertex) {
    Adjacency adjacency;
    adjacency.vertex = vertex;
    for (const std::uint32_t target : edges[vertex]) {
      adjacency.targets[adjacency.out_degree++] = target;
    }
    append_number(file, adjacency);
  }
  return file;
}

std::vector<std::uint64_t> iterate(const Edges& edges, std::vector<std::uint64_t> ranks) {
  const PageRank kernel(PageRankState{std::move(ranks)});
  Random random(1);
  const auto result = test::run_job(kernel, file_of(edges), {.partitions = 2}, random);
  const std::vector<Bytes> parts(result.parts.begin(), result.parts.end());
  return PageRankState::parse(kernel.next_state(parts).value()).value().ranks;
}

constexpr std::uint64_t percent = rank_total / 100;  // of 2^56: 720,575,940,379,279

// Vertex 0 links to 1 and 2, vertex 1 to 2, vertex 2 to nothing. Of ranks of 40, 20 and 40 %:
// each vertex gets 5 % for the jumps and 0.85 × 40 / 3 = 11.33 % of what vertex 2 has. Besides,
// vertex 1 gets 0.85 × 20 = 17 %, and vertex 2 gets 0.85 × (20 + 20) = 34 %.
TEST(PageRankIterations, PassRanksOnAlongEdges) {
  const auto ranks = iterate({{1, 2}, {2}, {}}, {40 * percent, 20 * percent, 40 * percent});
  const double everyone = 5 + 0.85 * 40 / 3;
  const auto expect_percent = [](std::uint64_t rank, double expected) {
    EXPECT_NEAR(static_cast<double>(rank) / static_cast<double>(percent), expected, 1e-9);
  };
  expect_percent(ranks[0], everyone);
  expect_percent(ranks[1], everyone + 17);
  expect_percent(ranks[2], everyone + 34);
}

// 7 units over 3 edges are 3, 2 and 2, of which 85 % are 2.55, 1.7 and 1.7.
TEST(PageRankIterations, LoseNoUnitAlongEdges) {
  const std::uint64_t jumps = rank_total * 15 / 100 / 4;
  EXPECT_EQ(iterate({{1, 2, 3}, {1}, {2}, {3}}, {7, 0, 0, 0}),
            (std::vector<std::uint64_t>{jumps, jumps + 2, jumps + 1, jumps + 1}));
}

TEST(PageRankIterations, CountEachOfSeveralEqualEdges) {
  const std::uint64_t jumps = rank_total * 15 / 100 / 2;
  EXPECT_EQ(iterate({{1, 1, 0}, {0}}, {3'000, 0}),
            (std::vector<std::uint64_t>{jumps + 850, jumps + 1'700}));
}

TEST(PageRankStates, AreUniformWithNothingLeftOver) {
  const PageRankState state = PageRankState::uniform(3);
  EXPECT_EQ(state.ranks[0], state.ranks[2] + 1);
  EXPECT_EQ(std::accumulate(state.ranks.begin(), state.ranks.end(), std::uint64_t{0}), rank_total);
}

std::string map_error(Edges edges, std::uint32_t vertices, std::uint64_t offset = 0) {
  const PageRank kernel(PageRankState::uniform(vertices));
  test::MemorySpills spills;
  const auto task = MapTask::create(kernel, {offset, 1'000}, {}, spills);
  const Status consumed = (*task)->consume(file_of(edges));
  return consumed ? "" : consumed.error().message;
}

TEST(PageRankMappers, RefuseRecordsThatAreOfAnotherGraph) {
  EXPECT_EQ(map_error({{1}, {0}}, 2), "");
  EXPECT_EQ(map_error({{0}, {2}}, 2), "page rank: the record at byte 64 has an edge to vertex 2");
  EXPECT_EQ(map_error({{0}, {0}, {0}}, 2), "page rank: the record at byte 128 is of vertex 2");
  EXPECT_EQ(map_error({{0}}, 2, 64), "page rank: the record at byte 64 is of vertex 0");
}

std::string next_state_error(const std::vector<VertexRank>& records) {
  Buffer part;
  for (const VertexRank& record : records) record.append_to(part);
  const std::vector<Bytes> parts = {part};
  const auto next = PageRank(PageRankState::uniform(2)).next_state(parts);
  return next ? "" : next.error().message;
}

TEST(PageRankStates, AreNotMadeOfMalformedParts) {
  EXPECT_EQ(next_state_error({{1, 5}, {0, 5}}), "");
  EXPECT_THAT(next_state_error({{1, 5}}), HasSubstr("the parts have 1 vertices of 2"));
  EXPECT_THAT(next_state_error({{1, 5}, {1, 5}}), HasSubstr("vertex 1 is unknown or occurs twice"));
  EXPECT_THAT(next_state_error({{2, 5}}), HasSubstr("vertex 2 is unknown"));
  EXPECT_THAT(next_state_error({{0, rank_total}, {1, 1}}),
              HasSubstr("the ranks up to vertex 1 are more than 1"));
  EXPECT_THAT(next_state_error({{0, ~std::uint64_t{0}}, {1, 1}}), HasSubstr("more than 1"));
}

TEST(PageRankReducers, RefuseSumsThatNoGraphHas) {
  const PageRank kernel(PageRankState::uniform(2));
  const auto error = [&](std::uint32_t number, std::uint64_t sum) {
    const std::uint32_t key = swap_bytes(number);
    Buffer output;
    const Status reduced = kernel.reducer()->reduce(std::as_bytes(std::span(&key, 1)),
                                                    std::as_bytes(std::span(&sum, 1)), output);
    return reduced ? "" : reduced.error().message;
  };
  EXPECT_EQ(error(0, rank_total), "");
  EXPECT_THAT(error(0, rank_total + 1), HasSubstr("page rank: a rank of"));
  EXPECT_THAT(error(3, 0), HasSubstr("for key 3"));
  EXPECT_THAT(error(1, 0), HasSubstr("no map output has the rank of dangling vertices"));
}

}  // namespace
}  // namespace tracebed::kernels
