// Whole jobs: their output is right, and depends on nothing but the input and the partitions.
#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "core/random.h"
#include "kernels/check_grep.h"
#include "kernels/check_k_means.h"
#include "kernels/check_page_rank.h"
#include "kernels/check_sort.h"
#include "kernels/check_word_count.h"
#include "kernels/dataset_terasort.h"
#include "kernels/local_job.h"
#include "kernels/make_kernel.h"
#include "kernels/sort.h"
#include "kernels/terasort.h"

namespace tracebed::kernels {
namespace {

using test::JobResult;
using test::JobShape;
using test::run_job;
using test::whole_file;

std::string failure_of(OutputCheck& check, const std::vector<Buffer>& parts) {
  for (const Buffer& part : parts) {
    for (std::size_t at = 0; at < part.size(); at += 1'000) {
      const Bytes chunk = Bytes(part).subspan(at, std::min<std::size_t>(1'000, part.size() - at));
      if (const Status consumed = check.consume(chunk); !consumed) {
        return consumed.error().message;
      }
    }
    if (const Status ended = check.end_part(); !ended) return ended.error().message;
  }
  const Status finished = check.finish();
  return finished ? "" : finished.error().message;
}

std::unique_ptr<Kernel> kernel(KernelKind kind, Bytes state) {
  return std::move(make_kernel(kind, state)).value();
}

JobShape drawn_shape(Random& random, std::uint64_t bytes, std::uint32_t partitions) {
  JobShape shape;
  shape.split_bytes = bytes / 20 + 1 + random.below(bytes);
  shape.chunk_bytes_max = 1 + random.below(20'000);
  shape.partitions = partitions;
  shape.map_budget_bytes = 65'536 + random.below(400'000);
  shape.reduce_budget_bytes = 65'536 + random.below(400'000);
  return shape;
}

// Draws splits, chunks, budgets and the order of map outputs a few times: all give the same parts.
// Returns these.
std::vector<Buffer> parts_of(const Kernel& kernel, Bytes file, std::uint32_t partitions,
                             Random& random) {
  JobShape one;
  one.split_bytes = file.size();
  one.partitions = partitions;
  const JobResult reference = run_job(kernel, file, one, random);
  EXPECT_EQ(reference.map_spills + reference.reduce_spills, 0u);
  for (int round = 0; round < 6; ++round) {
    const JobResult result =
        run_job(kernel, file, drawn_shape(random, file.size(), partitions), random);
    EXPECT_EQ(result.parts, reference.parts);
  }
  return reference.parts;
}

TEST(Jobs, CountWords) {
  Random random(1);
  const TextDataset input(21, 100);
  const Buffer file = whole_file(input);
  for (const std::uint32_t partitions : {1u, 3u, 17u}) {
    WordCountCheck check(input);
    EXPECT_EQ(
        failure_of(check, parts_of(*kernel(KernelKind::word_count, {}), file, partitions, random)),
        "");
  }
}

TEST(Jobs, FindLines) {
  Random random(2);
  const TextDataset input(22, 100);
  const Buffer file = whole_file(input);
  for (const std::string pattern : {"bel", "xabir ", "...", "nowhere"}) {
    GrepCheck check(input, pattern);
    EXPECT_EQ(
        failure_of(check, parts_of(*kernel(KernelKind::grep, bytes_of(pattern)), file, 4, random)),
        "");
  }
}

TEST(Jobs, SortLines) {
  Random random(3);
  const TextDataset input(23, 100);
  const Buffer file = whole_file(input);
  for (const std::uint32_t partitions : {1u, 7u}) {
    const Sort sort(Sort::sample(Bytes(file).first(50'000), partitions));
    SortCheck check(input, line_format);
    EXPECT_EQ(failure_of(check, parts_of(sort, file, partitions, random)), "");
  }
}

TEST(Jobs, SortRecords) {
  Random random(4);
  const TerasortDataset input(24, 5'000);
  const Buffer file = whole_file(input);
  for (const std::uint32_t partitions : {1u, 9u}) {
    const Terasort sort(Terasort::sample(Bytes(file).first(50'000), partitions));
    SortCheck check(input, {terasort_record_bytes});
    EXPECT_EQ(failure_of(check, parts_of(sort, file, partitions, random)), "");
  }
}

// Small budgets spill on both sides, which the other tests do by chance.
TEST(Jobs, SpillAndMergeInSeveralPasses) {
  Random random(5);
  const TerasortDataset input(25, 20'000);
  const Terasort sort{RangePartitioner()};
  const JobResult result = run_job(
      sort, whole_file(input),
      {.split_bytes = 200'000, .map_budget_bytes = 65'536, .reduce_budget_bytes = 65'536}, random);
  EXPECT_GT(result.map_spills, 10u * 4);
  EXPECT_GT(result.reduce_spills, 3u);
  SortCheck check(input, {terasort_record_bytes});
  EXPECT_EQ(failure_of(check, result.parts), "");
}

TEST(Jobs, IterateKMeansUntilItConverges) {
  Random random(6);
  const PointDataset input(26, 4'000);
  const Buffer file = whole_file(input);
  Buffer state = KMeansState::from_sample(Bytes(file).first(200 * point_bytes), 16).encode();
  std::optional<std::uint64_t> inertia;
  for (int iteration = 0; iteration < 8; ++iteration) {
    const auto before = KMeansState::parse(state).value();
    const auto iterating = kernel(KernelKind::k_means, state);
    const std::vector<Buffer> parts = parts_of(*iterating, file, 3, random);
    KMeansCheck check(input, before);
    ASSERT_EQ(failure_of(check, parts), "");
    KMeansInvariants invariants(input.units(), before.centres.size(), inertia);
    ASSERT_EQ(failure_of(invariants, parts), "");
    inertia = invariants.inertia();
    state = iterating->next_state(std::vector<Bytes>(parts.begin(), parts.end())).value();
  }
}

TEST(Jobs, IteratePageRank) {
  Random random(7);
  const GraphDataset input(27, 3'000);
  const Buffer file = whole_file(input);
  Buffer state = PageRankState::uniform(3'000).encode();
  for (int iteration = 0; iteration < 5; ++iteration) {
    const auto before = PageRankState::parse(state).value();
    const auto iterating = kernel(KernelKind::page_rank, state);
    const std::vector<Buffer> parts = parts_of(*iterating, file, 5, random);
    PageRankCheck check(input, before);
    ASSERT_EQ(failure_of(check, parts), "");
    PageRankInvariants invariants(before);
    ASSERT_EQ(failure_of(invariants, parts), "");
    state = iterating->next_state(std::vector<Bytes>(parts.begin(), parts.end())).value();
  }
}

}  // namespace
}  // namespace tracebed::kernels
