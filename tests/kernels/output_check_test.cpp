// Checks of output find what is wrong with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "core/random.h"
#include "kernels/check_grep.h"
#include "kernels/check_k_means.h"
#include "kernels/check_page_rank.h"
#include "kernels/check_sort.h"
#include "kernels/check_word_count.h"
#include "kernels/dataset_terasort.h"
#include "kernels/k_means.h"
#include "kernels/local_job.h"
#include "kernels/make_kernel.h"
#include "kernels/page_rank.h"

namespace tracebed::kernels {
namespace {

using testing::HasSubstr;

std::string verdict(OutputCheck& check, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    if (const Status consumed = check.consume(bytes_of(part)); !consumed) {
      return consumed.error().message;
    }
    if (const Status ended = check.end_part(); !ended) return ended.error().message;
  }
  const Status finished = check.finish();
  return finished ? "right" : finished.error().message;
}

std::string output_of(const Kernel& kernel, const Dataset& input) {
  Random random(1);
  const auto result = test::run_job(kernel, test::whole_file(input), {}, random);
  return std::string(text_of(result.parts[0]));
}

TEST(WordCountChecks, FindWrongCountsAndWords) {
  const TextDataset input(1, 2);
  const auto kernel = std::move(make_kernel(KernelKind::word_count, {})).value();
  const std::string right = output_of(*kernel, input);
  const auto verdict_on = [&](const std::vector<std::string>& parts) {
    WordCountCheck check(input);
    return verdict(check, parts);
  };
  const std::size_t line = right.find('\n', right.size() / 2) + 1;
  const std::size_t line_end = right.find('\n', line) + 1;
  EXPECT_EQ(verdict_on({right}), "right");
  EXPECT_EQ(verdict_on({right.substr(line), right.substr(0, line)}), "right");
  EXPECT_THAT(verdict_on({right + "zzz\t1\n"}), HasSubstr("part 0: zzz is no word of the input"));
  EXPECT_THAT(verdict_on({right, right.substr(line)}), HasSubstr("part 1: "));
  EXPECT_THAT(verdict_on({right.substr(line) + right.substr(0, line)}), HasSubstr(" is behind "));
  EXPECT_THAT(verdict_on({right.substr(0, line), right.substr(line_end)}),
              HasSubstr("no part has the word"));
  EXPECT_THAT(verdict_on({std::string(right).insert(line_end - 1, "1")}),
              HasSubstr("times instead of"));
  EXPECT_THAT(verdict_on({std::string(right).insert(line_end - 1, "x")}),
              HasSubstr("no word and count"));
}

TEST(GrepChecks, FindLinesThatAreMissingOrWrong) {
  const TextDataset input(1, 4);
  const auto kernel = std::move(make_kernel(KernelKind::grep, bytes_of("bel"))).value();
  const std::string right = output_of(*kernel, input);
  const auto verdict_on = [&](const std::vector<std::string>& parts) {
    GrepCheck check(input, "bel");
    return verdict(check, parts);
  };
  const std::size_t line = right.find('\n', right.size() / 2) + 1;
  const std::size_t line_end = right.find('\n', line) + 1;
  const std::size_t tab = right.find('\t', line);
  EXPECT_EQ(verdict_on({right}), "right");
  EXPECT_EQ(verdict_on({right.substr(line), right.substr(0, line)}), "right");
  EXPECT_THAT(verdict_on({right.substr(line) + right.substr(0, line)}), HasSubstr(" is behind "));
  EXPECT_THAT(verdict_on({right.substr(0, line) + right.substr(line_end)}),
              HasSubstr("with the text"));
  EXPECT_THAT(verdict_on({right, right.substr(line)}), HasSubstr("with the text"));
  EXPECT_THAT(verdict_on({std::string(right).erase(line_end - 2, 1)}),
              HasSubstr("is not the input's"));
  EXPECT_THAT(verdict_on({std::string(right).insert(tab, "9")}), HasSubstr("is not the input's"));
  EXPECT_THAT(verdict_on({"x\t"}), HasSubstr("no offset and line"));
}

TEST(SortChecks, FindRecordsThatAreOutOfOrderOrOthers) {
  const TerasortDataset input(1, 50);
  const auto kernel = std::move(make_kernel(KernelKind::terasort, {})).value();
  const std::string right = output_of(*kernel, input);
  const auto verdict_on = [&](const std::vector<std::string>& parts) {
    SortCheck check(input, {terasort_record_bytes});
    return verdict(check, parts);
  };
  const std::string first = right.substr(0, 1'000);
  const std::string second = right.substr(1'000);
  EXPECT_EQ(verdict_on({right}), "right");
  EXPECT_EQ(verdict_on({first, "", second}), "right");
  EXPECT_THAT(verdict_on({second, first}), HasSubstr("part 1: the record at byte 0 belongs"));
  EXPECT_THAT(verdict_on({second + first}), HasSubstr("part 0: the record at byte 4000 belongs"));
  EXPECT_THAT(verdict_on({first}), HasSubstr("10 records instead of 50"));
  EXPECT_THAT(verdict_on({first + first.substr(900) + second.substr(100)}),
              HasSubstr("not the input's"));
  EXPECT_THAT(verdict_on({right.substr(0, right.size() - 1)}), HasSubstr("a record of 99 bytes"));
  EXPECT_THAT(verdict_on({std::string(right).replace(99, 1, "x")}), HasSubstr("not the input's"));
}

TEST(KMeansChecks, FindClustersThatAreWrong) {
  const PointDataset input(1, 500);
  const KMeansState before = KMeansState::from_sample(test::whole_file(input), 5);
  const std::string right = output_of(KMeans(before), input);
  constexpr std::size_t record = KMeansCluster::encoded_bytes;
  const auto verdict_on = [&](const std::string& part) {
    KMeansCheck check(input, before);
    return verdict(check, {part});
  };
  const auto invariants_of = [&](const std::string& part, std::uint64_t inertia_before) {
    KMeansInvariants check(input.units(), 5, inertia_before);
    return verdict(check, {part});
  };
  const std::uint64_t plenty = ~std::uint64_t{0};
  EXPECT_EQ(verdict_on(right), "right");
  EXPECT_EQ(invariants_of(right, plenty), "right");
  EXPECT_THAT(verdict_on(right.substr(record)), HasSubstr("no part has cluster 0"));
  EXPECT_THAT(invariants_of(right.substr(record), plenty), HasSubstr("lack"));
  EXPECT_THAT(verdict_on(right + right.substr(0, record)), HasSubstr("cluster 0 occurs twice"));
  EXPECT_THAT(invariants_of(right + right.substr(0, record), plenty), HasSubstr("occurs twice"));
  EXPECT_THAT(invariants_of(right, 1'000), HasSubstr("has grown from 1000"));
  // Number, points, inertia, and the first coordinate's less and more significant byte.
  for (const std::size_t at : {0u, 4u, 12u, 20u, 21u}) {
    std::string wrong = right;
    wrong[at] = static_cast<char>(wrong[at] ^ 0x10);
    EXPECT_NE(verdict_on(wrong), "right") << at;
  }
}

TEST(PageRankChecks, FindRanksThatAreWrong) {
  const GraphDataset input(1, 300);
  const PageRankState before = PageRankState::uniform(300);
  const std::string right = output_of(PageRank(before), input);
  const auto verdict_on = [&](const std::string& part) {
    PageRankCheck check(input, before);
    return verdict(check, {part});
  };
  const auto invariants_of = [&](const std::string& part) {
    PageRankInvariants check(before);
    return verdict(check, {part});
  };
  EXPECT_EQ(verdict_on(right), "right");
  EXPECT_EQ(invariants_of(right), "right");
  EXPECT_THAT(verdict_on(right.substr(12)), HasSubstr("no part has vertex 0"));
  EXPECT_THAT(invariants_of(right.substr(12)), HasSubstr("299 vertices of 300"));
  EXPECT_THAT(verdict_on(right + right.substr(0, 12)), HasSubstr("part 0: vertex 0"));
  EXPECT_THAT(invariants_of(right + right.substr(0, 12)), HasSubstr("occurs twice"));
  std::string wrong = right;
  wrong[8] = static_cast<char>(wrong[8] ^ 1);  // by 2^32 of 2^56
  EXPECT_THAT(verdict_on(wrong), HasSubstr("vertex 0 has rank"));
  EXPECT_THAT(invariants_of(wrong), HasSubstr("together"));
}

}  // namespace
}  // namespace tracebed::kernels
