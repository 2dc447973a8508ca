#include "traces/similar/generate_like.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

#include "core/input_error.h"
#include "traces/binary/binary_writer.h"
#include "traces/convert/swim_writer.h"
#include "traces/similar/smoothed_values.h"
#include "traces/trace_texts.h"

namespace tracebed {
namespace {

using testing::file_text;
using testing::read_trace;
using testing::ReadTrace;

SmoothedValues smoothed(std::initializer_list<std::int64_t> values) {
  SmoothedValues result;
  for (const std::int64_t value : values) result.add(value);
  result.sort();
  return result;
}

TEST(SmoothedValues, LieBetweenThoseSeen) {
  const SmoothedValues values = smoothed({0, 1080, 1000, 1000, 1000, 5'000});
  EXPECT_EQ(values.near(1000, 0.99, 0.25), 1019);  // 1000^0.75 × 1080^0.25 = 1019.4
  EXPECT_EQ(values.near(1000, 0.5, 0.25), 1000);   // between two equal ones
  EXPECT_EQ(values.near(1080, 0, -0.25), 1059);    // 1080^0.75 × 1000^0.25 = 1059.4
  EXPECT_EQ(values.near(1080, 0, 0.4), 1188);      // by a tenth at most
  EXPECT_EQ(values.near(5'000, 0, -0.4), 4'500);
  EXPECT_EQ(values.near(5'000, 0, 0.4), 5'000);  // nothing above the largest
  EXPECT_EQ(values.near(0, 0, 0.4), 0);          // what is zero stays so
  EXPECT_EQ(values.near(1000, 0, -0.4), 1000);   // and nothing else becomes it
}

TEST(SmoothedValues, StayWholeWhereAllAre) {
  EXPECT_EQ(smoothed({10'000'000, 16'000'000}).near(16'000'000, 0, -0.1), 15'000'000);  // 15.27
  EXPECT_EQ(smoothed({10'000, 16'000}).near(16'000, 0, -0.1), 15'000);
  EXPECT_EQ(smoothed({10'000, 16'001}).near(16'001, 0, -0.1), 15'266);
}

TEST(KolmogorovSmirnov, IsTheLargestDifferenceOfShares) {
  EXPECT_EQ(kolmogorov_smirnov<int>({4, 3, 2, 1}, {3, 4, 5, 6}), 0.5);
  EXPECT_NEAR(kolmogorov_smirnov<int>({1, 1, 2}, {1, 2, 2}), 1.0 / 3, 1e-12);
  EXPECT_EQ(kolmogorov_smirnov<int>({1, 2}, {2, 1, 1, 2}), 0);
  EXPECT_EQ(kolmogorov_smirnov<int>({1}, {}), 1);
  EXPECT_EQ(kolmogorov_smirnov<int>({}, {}), 0);
}

TEST(RankCorrelation, IsThatOfMeanRanks) {
  EXPECT_NEAR(rank_correlation({1, 5, 100}, {2, 3, 4}), 1, 1e-12);
  EXPECT_NEAR(rank_correlation({1, 5, 100}, {4, 3, 2}), -1, 1e-12);
  // Ranks 0.5, 0.5, 2 and 0, 1, 2: 1.5 / sqrt(1.5 × 2)
  EXPECT_NEAR(rank_correlation({7, 7, 9}, {1, 2, 3}), 0.8660254, 1e-6);
  EXPECT_EQ(rank_correlation({7, 7}, {1, 2}), 0);
}

// Three days with a job a minute from 8:00 to 10:00 after the first: user 1's small, user 2's
// large, in turns of ten.
std::string three_days() {
  std::string text = "1 0 -1 50 1 -1 -1 1 -1 -1 1 1 -1 -1 1 -1 -1 -1\n";
  int job = 1;
  for (int day = 0; day < 3; ++day) {
    for (int minute = 0; minute < 180; ++minute) {
      const bool is_large = minute / 10 % 2 == 1;
      ++job;
      text += fmt::format("{} {} -1 {} {} -1 -1 {} -1 -1 1 {} -1 -1 1 -1 -1 -1\n", job,
                          day * 86'400 + 8 * 3600 + minute * 60,
                          is_large ? 10'000 + 7 * job : 100 + 3 * (job % 31), is_large ? 64 : 1,
                          is_large ? 64 : 1, is_large ? 2 : 1);
    }
  }
  return text;
}

class GenerateLike : public ::testing::Test {
 protected:
  LikeResult generate(const SimilarOptions& similar, const std::string& output = "like.swf") {
    folder_.write("original.swf", three_days());
    LikeOptions options;
    options.similar = similar;
    return generate_like(folder_.file("original.swf"), folder_.file(output), {}, options);
  }
  ReadTrace generated() { return read_trace(file_text(folder_.file("like.swf"))); }

  TemporaryFolder folder_;
};

TEST_F(GenerateLike, KeepsTheDaysPatternAndWhatGoesTogetherInAJob) {
  SimilarOptions options;
  options.jobs = 2000;
  const LikeResult result = generate(options);
  EXPECT_EQ(result.format, "swf");
  EXPECT_TRUE(result.lost.empty());
  EXPECT_EQ(result.period, std::chrono::hours(24));
  const ReadTrace trace = generated();
  ASSERT_EQ(trace.jobs.size(), 2000u);
  std::set<std::int64_t> run_times;
  std::size_t follows_same_user = 0;
  std::size_t at_midnight = 0;
  for (std::size_t i = 0; i < trace.jobs.size(); ++i) {
    const Job& job = trace.jobs[i];
    const std::int64_t hour = to_microseconds(job.submit) / 3'600'000'000 % 24;
    EXPECT_TRUE(hour == 0 || (hour >= 8 && hour < 11)) << hour;
    at_midnight += hour == 0 ? 1u : 0u;
    const bool is_large = trace.names.users.name(job.user) == "user2";
    EXPECT_EQ(job.stages[0].runs[0].count, is_large ? 64u : 1u);
    EXPECT_EQ(job.stages[0].runs[0].work.duration >= seconds(1'000), is_large);
    run_times.insert(job.stages[0].runs[0].work.duration.count());
    if (i > 0) follows_same_user += job.user == trace.jobs[i - 1].user ? 1u : 0u;
  }
  EXPECT_LT(at_midnight, 15u);  // one in each of the 11 days or so
  // In the original nine of ten jobs follow one of the same user, and four of five stay next to
  // their neighbour: 0.8 × 0.9 + 0.2 × 0.5.
  EXPECT_NEAR(static_cast<double>(follows_same_user) / 2000, 0.82, 0.04);
  std::set<std::int64_t> original_run_times;
  for (const Job& job : read_trace(three_days()).jobs) {
    original_run_times.insert(job.stages[0].runs[0].work.duration.count());
  }
  std::size_t others = 0;
  for (const std::int64_t time : run_times) others += original_run_times.count(time) == 0 ? 1u : 0u;
  EXPECT_GT(others, run_times.size() / 3);
}

TEST_F(GenerateLike, EndsWithTheSpan) {
  SimilarOptions options;
  options.span = std::chrono::hours(24 * 10);
  const LikeResult result = generate(options);
  EXPECT_NEAR(static_cast<double>(result.generated.jobs()), 1800, 120);
  EXPECT_LE(result.generated.span(), std::chrono::hours(24 * 10));
}

TEST_F(GenerateLike, MakesTheSameBytesOfTheSameSeed) {
  const auto text = [&](std::uint64_t seed) {
    SimilarOptions options;
    options.jobs = 50;
    options.seed = seed;
    generate(options);
    const std::string whole = file_text(folder_.file("like.swf"));
    return whole.substr(whole.find("\n1 "));  // the seed stands above
  };
  const std::string first = text(1);
  EXPECT_EQ(text(1), first);
  EXPECT_NE(text(2), first);
}

TEST_F(GenerateLike, StretchesOfOneJobForgetTheirNeighbours) {
  SimilarOptions options;
  options.jobs = 4000;
  options.stretch_jobs = 1;
  generate(options);
  const ReadTrace trace = generated();
  std::size_t follows_same_user = 0;
  for (std::size_t i = 1; i < trace.jobs.size(); ++i) {
    follows_same_user += trace.jobs[i].user == trace.jobs[i - 1].user ? 1u : 0u;
  }
  EXPECT_NEAR(static_cast<double>(follows_same_user) / 4000, 0.5, 0.04);
}

TEST_F(GenerateLike, RefusesWhatItCannotDo) {
  SimilarOptions options;
  options.stretch_jobs = 0.5;
  EXPECT_THROW(generate(options), InputError);
  options.stretch_jobs = 5;
  options.jobs = 0;
  EXPECT_THROW(generate(options), InputError);
  options.jobs = std::nullopt;
  options.span = Duration{};
  EXPECT_THROW(generate(options), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder_.file("like.swf")));

  folder_.write("one.swf", three_days().substr(0, three_days().find('\n') + 1));
  LikeOptions like;
  EXPECT_THROW(generate_like(folder_.file("one.swf"), folder_.file("like.swf"), {}, like),
               InputError);
  like.format = "swim";
  EXPECT_THROW(generate_like(folder_.file("original.swf"), folder_.file("like.swf"), {}, like),
               InputError);
}

// Stages that need each other, and services, are resembled in the one format that holds them.
TEST(GenerateLikeMixed, KeepsJobsOfEveryKindWholeInABinaryTrace) {
  const TemporaryFolder folder;
  Names names;
  const std::string original = folder.file("mixed.bin");
  {
    BinaryTraceWriter writer(original, {"a test", "none", {}, {}}, names);
    for (std::uint32_t i = 0; i < 40; ++i) {
      Job job;
      job.id = JobId(i);
      job.name = fmt::format("j{}", i);
      job.submit = TraceTime(seconds(std::int64_t{i} * 7));
      job.user = names.users.intern(i % 2 == 0 ? "ann" : "bob");
      job.queue = names.queues.intern("q");
      job.kind = i % 2 == 0 ? JobKind::dag : JobKind::service;
      Stage stage;
      stage.demand = Resources(2000, 512);
      stage.runs.push_back({i + 1, Work{.duration = seconds(std::int64_t{i} + 5)}});
      job.stages.assign(i % 2 == 0 ? 3 : 1, stage);
      if (i % 2 == 0) job.stages[2].needs = {0, 1};
      writer.add(job);
    }
    writer.finish();
  }
  LikeOptions options;
  options.similar.jobs = 500;
  const LikeResult result = generate_like(original, folder.file("like.bin"), {}, options);
  EXPECT_EQ(result.format, "binary");
  EXPECT_TRUE(result.lost.empty());
  EXPECT_LT(kolmogorov_smirnov(result.original[WorkloadSample::tasks].values,
                               result.generated[WorkloadSample::tasks].values),
            0.12);
  Names read_names;
  const auto reader = open_trace(folder.file("like.bin"), {}, read_names);
  std::size_t jobs = 0;
  for (Job job; reader->next(job); ++jobs) {
    const bool is_dag = read_names.users.name(job.user) == "ann";
    EXPECT_EQ(job.kind, is_dag ? JobKind::dag : JobKind::service);
    ASSERT_EQ(job.stages.size(), is_dag ? 3u : 1u);
    if (is_dag) {
      EXPECT_EQ(job.stages[2].needs, (std::vector<std::uint16_t>{0, 1}));
    }
    EXPECT_EQ(job.stages[0].demand, Resources(2000, 512));
  }
  EXPECT_EQ(jobs, 500u);

  options.format = "swim";
  EXPECT_THROW(generate_like(original, folder.file("like.tsv"), {}, options), InputError);
}

TEST(SwimWriter, WritesTheRowsThatTheJobsWereMadeOf) {
  const TemporaryFolder folder;
  const std::string text =
      "job0\t0\t0\t300000000\t5000\t7\tinputPath3\t\t\n"
      "job1\t1.5\t1.5\t0\t0\t99\t\t\t\n"
      "job2\t9\t7.5\t1\t3000000000\t2\tinputPath3\t\t\n";
  const ReadTrace trace = read_trace(text);
  ASSERT_EQ(trace.jobs.size(), 3u);
  for (const bool has_paths : {true, false}) {
    SwimWriter writer(folder.file("t.tsv"), trace.names, has_paths);
    for (const Job& job : trace.jobs) EXPECT_TRUE(writer.add(job));
    Job other = trace.jobs[0];
    other.kind = JobKind::dag;
    EXPECT_FALSE(writer.add(other));
    writer.finish();
    const std::string written = file_text(folder.file("t.tsv"));
    if (has_paths) {
      EXPECT_EQ(written, text);
      EXPECT_EQ(read_trace(written).jobs, trace.jobs);
    } else {
      EXPECT_EQ(written.substr(0, 29), "job0\t0\t0\t300000000\t5000\t7\njob");
    }
  }
}

}  // namespace
}  // namespace tracebed
