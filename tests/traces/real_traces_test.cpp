// Reads the real traces and compares with figures measured independently of this code. They are
// found through TRACEBED_TRACES and are not part of the project.
#include "support/real_traces.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iostream>

#include "traces/generate_rigid.h"
#include "traces/similar/generate_like.h"
#include "traces/trace_info.h"
#include "traces/trace_texts.h"

namespace tracebed {
namespace {

#define REQUIRE_TRACE(path)                                                                      \
  if (!std::filesystem::exists(path))                                                            \
  GTEST_SKIP() << "no trace at " << (path).string() << "; set TRACEBED_TRACES to the folder of " \
               << "real traces"

const DistributionSummary& column(const TraceInfo& info, std::string_view name) {
  for (const DistributionSummary& each : info.columns) {
    if (each.name == name) return each;
  }
  static const DistributionSummary none;
  ADD_FAILURE() << "no column " << name;
  return none;
}

std::uint64_t count(const std::vector<TraceCount>& counts, std::string_view name) {
  for (const TraceCount& each : counts) {
    if (each.name == name) return each.count;
  }
  ADD_FAILURE() << "no count " << name;
  return 0;
}

// Equal to as many significant digits as the published figure has.
void expect_digits(double measured, double published, int digits, std::string_view what) {
  const double unit = std::pow(10, std::floor(std::log10(published)) - digits + 1);
  EXPECT_EQ(std::llround(measured / unit), std::llround(published / unit))
      << what << ": " << measured << " against " << published;
}

struct SwfFigures {
  const char* file;
  std::uint64_t jobs;
  double first_submit, last_submit;
  double run_p50, run_p90, run_max;
  double processors_p50, processors_p99, processors_max;
  std::uint64_t users;
};

class RealSwf : public ::testing::TestWithParam<SwfFigures> {};

TEST_P(RealSwf, MeasuresAsPublished) {
  const SwfFigures& figures = GetParam();
  const std::filesystem::path path = traces_folder() / "swf" / figures.file;
  REQUIRE_TRACE(path);
  const TraceInfo info = measure_trace(path, {});
  EXPECT_EQ(info.rows, figures.jobs);
  EXPECT_EQ(info.first_submit_seconds, figures.first_submit);
  EXPECT_EQ(info.last_submit_seconds, figures.last_submit);
  const DistributionSummary& run = column(info, "run time");
  EXPECT_EQ(run.percentile(50), figures.run_p50);
  EXPECT_EQ(run.percentile(90), figures.run_p90);
  EXPECT_EQ(run.maximum, figures.run_max);
  const DistributionSummary& processors = column(info, "processors");
  EXPECT_EQ(processors.percentile(50), figures.processors_p50);
  EXPECT_EQ(processors.percentile(99), figures.processors_p99);
  EXPECT_EQ(processors.maximum, figures.processors_max);
  EXPECT_EQ(count(info.distinct, "users"), figures.users);
  EXPECT_TRUE(info.bad_rows.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Archive, RealSwf,
    ::testing::Values(
        SwfFigures{"KTH-SP2-1996-2.1-cln.swf", 28'476, 599'850, 29'363'618, 847, 28'690, 226'709, 3,
                   70, 100, 214},
        SwfFigures{"NASA-iPSC-1993-3.1-cln.swf.gz", 18'239, 0, 7'948'936, 86, 1'479, 62'643, 4, 128,
                   128, 69},
        SwfFigures{"LCG.swf.gz", 188'041, 0, 950'392, 255, 15'265, 172'800, 1, 1, 1, 216},
        SwfFigures{"alea-hpc2n.swf", 3'170, 0, 4'950'011, 943, 28'818, 429'927, 16, 98, 128, 17},
        SwfFigures{"lublin_256.swf", 10'000, 5'094, 7'711'701, 137, 15'577, 124'707, 8, 256, 256,
                   0}),
    [](const auto& param) {
      std::string name(param.param.file);
      name = name.substr(0, name.find_first_of("-_."));
      return name;
    });

TEST(RealSwfQuirks, OfKthAreCounted) {
  const auto path = traces_folder() / "swf" / "KTH-SP2-1996-2.1-cln.swf";
  REQUIRE_TRACE(path);
  const TraceInfo info = measure_trace(path, {});
  EXPECT_EQ(count(info.counts, "status 1, completed"), 20'530u);
  EXPECT_EQ(count(info.counts, "status 0, failed"), 7'946u);
  EXPECT_EQ(count(info.counts, "run time above requested time"), 475u);
  EXPECT_EQ(count(info.counts, "processors unknown"), 1u);
  EXPECT_EQ(count(info.counts, "run time 0"), 8u);
  EXPECT_EQ(info.recorded_vcores, 100.0);
}

TEST(RealSwfQuirks, OfNasaAreCounted) {
  const auto path = traces_folder() / "swf" / "NASA-iPSC-1993-3.1-cln.swf.gz";
  REQUIRE_TRACE(path);
  const TraceInfo info = measure_trace(path, {});
  EXPECT_EQ(info.compression, "gzip");
  EXPECT_EQ(count(info.counts, "another status or none"), 18'239u);  // all unknown
  for (const DistributionSummary& each : info.columns) {
    EXPECT_NE(each.name, "wait time");  // unknown in every row
    EXPECT_NE(each.name, "requested time");
  }
}

TEST(RealSwfQuirks, OfLcgAreCounted) {
  const auto path = traces_folder() / "swf" / "LCG.swf.gz";
  REQUIRE_TRACE(path);
  const TraceInfo info = measure_trace(path, {});
  EXPECT_EQ(count(info.distinct, "partitions"), 170u);
  EXPECT_EQ(count(info.counts, "run time 0"), 521u);
  EXPECT_EQ(count(info.counts, "another status or none"), 188'041u);
}

TEST(RealSwfQuirks, OfHpc2nAreCounted) {
  const auto path = traces_folder() / "swf" / "alea-hpc2n.swf";
  REQUIRE_TRACE(path);
  const TraceInfo info = measure_trace(path, {});
  EXPECT_EQ(count(info.counts, "run time unknown"), 25u);
  EXPECT_EQ(count(info.counts, "another status or none"), 25u);
  EXPECT_EQ(count(info.counts, "a fraction"), 946u);
  EXPECT_EQ(count(info.notes, "blank lines"), 1u);
  EXPECT_EQ(count(info.left_out, "swf.unknown_run_time"), 25u);
  EXPECT_EQ(info.jobs, 3'145u);
}

TEST(RealSwim, Facebook2009MeasuresAsPublished) {
  const auto path = traces_folder() / "swim" / "FB-2009_samples_24_times_1hr_0.tsv";
  REQUIRE_TRACE(path);
  const TraceInfo info = measure_trace(path, {});
  EXPECT_EQ(info.rows, 5'894u);
  EXPECT_EQ(info.first_submit_seconds, 49);
  EXPECT_EQ(info.last_submit_seconds, 86'404);
  EXPECT_EQ(count(info.counts, "input 0"), 86u);
  EXPECT_EQ(count(info.counts, "shuffle 0"), 4'448u);
  EXPECT_EQ(count(info.counts, "output 0"), 58u);
  EXPECT_EQ(count(info.counts, "all three 0"), 33u);
  const DistributionSummary& input = column(info, "map input");
  const DistributionSummary& shuffle = column(info, "shuffle");
  const DistributionSummary& output = column(info, "output");
  expect_digits(input.sum, 26.9e12, 3, "input");
  expect_digits(shuffle.sum, 22.2e12, 3, "shuffle");
  expect_digits(output.sum, 6.9e12, 2, "output");
  EXPECT_EQ(input.minimum, 0);
  EXPECT_EQ(input.percentile(1), 0);
  EXPECT_EQ(input.percentile(25), 604);
  expect_digits(input.percentile(50), 1.92e4, 3, "input p50");
  expect_digits(input.percentile(75), 2.47e5, 3, "input p75");
  expect_digits(input.percentile(90), 6.1e8, 2, "input p90");
  expect_digits(input.percentile(99), 8.0e10, 2, "input p99");
  expect_digits(input.maximum, 7.55e12, 3, "input max");
  EXPECT_EQ(shuffle.percentile(75), 0);
  expect_digits(shuffle.percentile(90), 7.2e7, 2, "shuffle p90");
  expect_digits(shuffle.maximum, 8.8e12, 2, "shuffle max");
  expect_digits(output.percentile(50), 7.8e5, 2, "output p50");
  expect_digits(output.percentile(99), 1.6e10, 2, "output p99");
  expect_digits(output.maximum, 4.7e11, 2, "output max");
  EXPECT_TRUE(info.notes.empty());  // every gap is that of the submit times
  EXPECT_TRUE(info.bad_rows.empty());
}

TEST(RealSwim, Facebook2010WithPathsMeasuresAsPublished) {
  const auto path = traces_folder() / "swim" / "FB-2010_samples_24_times_1hr_withInputPaths_0.tsv";
  REQUIRE_TRACE(path);
  const TraceInfo info = measure_trace(path, {});
  EXPECT_EQ(info.rows, 25'428u);
  EXPECT_EQ(info.first_submit_seconds, 1);
  EXPECT_EQ(info.last_submit_seconds, 86'407);
  EXPECT_EQ(count(info.counts, "input 0"), 1'020u);
  EXPECT_EQ(count(info.counts, "shuffle 0"), 8'489u);
  EXPECT_EQ(count(info.counts, "output 0"), 1'173u);
  EXPECT_EQ(count(info.counts, "all three 0"), 199u);
  EXPECT_EQ(count(info.distinct, "input paths"), 17'158u);
  expect_digits(column(info, "map input").sum, 1205.9e12, 5, "input");
  expect_digits(column(info, "shuffle").sum, 413.1e12, 4, "shuffle");
  expect_digits(column(info, "output").sum, 370.7e12, 4, "output");
}

TEST(RealSwim, TheFirstFiftyJobsAreTheHeadOfTheWhole) {
  const auto head = traces_folder() / "swim" / "FB-2009_samples_24_times_1hr_0_first50jobs.tsv";
  const auto whole = traces_folder() / "swim" / "FB-2009_samples_24_times_1hr_0.tsv";
  REQUIRE_TRACE(head);
  REQUIRE_TRACE(whole);
  const auto first = testing::read_trace(testing::file_text(head)).jobs;
  const auto all = testing::read_trace(testing::file_text(whole)).jobs;
  ASSERT_EQ(first.size(), 50u);
  EXPECT_TRUE(std::equal(first.begin(), first.end(), all.begin()));
}

struct RigidSample {
  std::vector<double> gaps, sizes, run_times;
};
RigidSample sample_of(const std::filesystem::path& path) {
  RigidSample sample;
  TraceTime last{};
  for (const Job& job : testing::read_trace(testing::file_text(path)).jobs) {
    sample.gaps.push_back(to_seconds(job.submit - last));
    sample.sizes.push_back(job.stages[0].runs[0].count);
    sample.run_times.push_back(to_seconds(job.stages[0].runs[0].work.duration));
    last = job.submit;
  }
  return sample;
}

// The authors' own program made lublin_256.swf; ours must make the same distributions.
TEST(RealLublin, OurModelHasTheDistributionsOfTheAuthorsProgram) {
  const auto path = traces_folder() / "swf" / "lublin_256.swf";
  REQUIRE_TRACE(path);
  const RigidSample theirs = sample_of(path);
  const TemporaryFolder folder;
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    LublinModel model;
    model.processors = 256;
    model.seed = seed;
    generate_rigid(model, folder.file("ours.swf"));
    const RigidSample ours = sample_of(folder.file("ours.swf"));
    EXPECT_LT(kolmogorov_smirnov(ours.sizes, theirs.sizes), 0.03) << seed;
    EXPECT_LT(kolmogorov_smirnov(ours.run_times, theirs.run_times), 0.03) << seed;
    EXPECT_LT(kolmogorov_smirnov(ours.gaps, theirs.gaps), 0.03) << seed;
  }
}

// With 5,894 jobs on both sides, independent draws of one distribution would differ by 0.025 once
// in twenty times.
TEST(Facebook2009, IsResembledInArrivalsAndSizesWhateverTheSeed) {
  const std::filesystem::path original =
      traces_folder() / "swim" / "FB-2009_samples_24_times_1hr_0.tsv";
  REQUIRE_TRACE(original);
  const TemporaryFolder folder;
  LikeOptions options;
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    options.similar.seed = seed;
    const LikeResult result =
        generate_like(original.string(), folder.file("like.tsv"), {}, options);
    EXPECT_EQ(result.generated.jobs(), 5894u);
    const std::string table = side_by_side("the original", result.original,
                                           fmt::format("seed {}", seed), result.generated);
    std::cout << table;
    for (const WorkloadSample::Which which :
         {WorkloadSample::gap, WorkloadSample::tasks, WorkloadSample::longest_task,
          WorkloadSample::work, WorkloadSample::input, WorkloadSample::shuffle,
          WorkloadSample::output}) {
      EXPECT_LE(kolmogorov_smirnov(result.original[which].values, result.generated[which].values),
                0.05)
          << seed << ": " << result.original[which].name;
    }
  }
}

}  // namespace
}  // namespace tracebed
