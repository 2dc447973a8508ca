#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>

#include "core/input_error.h"
#include "traces/generate_map_reduce.h"
#include "traces/generate_mix.h"
#include "traces/generate_rigid.h"
#include "traces/trace_info.h"
#include "traces/trace_texts.h"

namespace tracebed {
namespace {

using testing::file_text;

TEST(UniformRigidModel, OffersTheLoadAskedFor) {
  const TemporaryFolder folder;
  UniformRigidModel model;
  model.jobs = 50'000;
  const std::string path = folder.file("uniform.swf");
  generate_rigid(model, path);
  const TraceInfo info = measure_trace(path, {});
  EXPECT_EQ(info.jobs, 50'000u);
  ASSERT_TRUE(info.load.has_value());
  EXPECT_NEAR(*info.load, 0.9, 0.02);
  const auto& processors = info.columns.at(2);
  EXPECT_EQ(processors.name, "processors");
  EXPECT_EQ(processors.minimum, 1);
  EXPECT_EQ(processors.maximum, 16);
  EXPECT_NEAR(processors.mean, 8.5, 0.1);
}

TEST(Generators, MakeTheSameBytesOfTheSameSeedAndOthersOfAnother) {
  const TemporaryFolder folder;
  // The header names the seed, so only the rows count.
  const auto text = [&](auto generate, auto model) {
    generate(model, folder.file("t"));
    const std::string whole = file_text(folder.file("t"));
    const std::size_t header_end = whole.rfind("\n;");
    return header_end == std::string::npos ? whole : whole.substr(whole.find('\n', header_end + 1));
  };
  const auto rigid = [](const auto& model, const std::string& path) {
    generate_rigid(model, path);
  };
  const auto map_reduce = [](const auto& model, const std::string& path) {
    generate_map_reduce(model, path);
  };
  UniformRigidModel uniform;
  uniform.jobs = 100;
  LublinModel lublin;
  lublin.jobs = 100;
  MapReduceModel facebook;
  facebook.jobs = 100;
  const std::string first = text(rigid, uniform);
  const std::string second = text(rigid, lublin);
  const std::string third = text(map_reduce, facebook);
  EXPECT_EQ(text(rigid, uniform), first);
  EXPECT_EQ(text(rigid, lublin), second);
  EXPECT_EQ(text(map_reduce, facebook), third);
  uniform.seed = lublin.seed = facebook.seed = 2;
  EXPECT_NE(text(rigid, uniform), first);
  EXPECT_NE(text(rigid, lublin), second);
  EXPECT_NE(text(map_reduce, facebook), third);
}

TEST(Generators, CompressByTheNameOfTheFile) {
  const TemporaryFolder folder;
  LublinModel model;
  model.jobs = 50;
  generate_rigid(model, folder.file("t.swf.gz"));
  generate_rigid(model, folder.file("t.swf"));
  EXPECT_EQ(file_text(folder.file("t.swf.gz")).substr(0, 2), "\x1F\x8B");
  EXPECT_EQ(testing::read_trace(file_text(folder.file("t.swf.gz"))).jobs,
            testing::read_trace(file_text(folder.file("t.swf"))).jobs);
}

// What the paper says of the model's parts, to what 20,000 draws can tell.
TEST(LublinModel, HasThePublishedSharesOfSizesAndADailyCycle) {
  const TemporaryFolder folder;
  LublinModel model;
  model.jobs = 20'000;
  const std::string path = folder.file("lublin.swf");
  generate_rigid(model, path);
  double serial = 0;
  double powers = 0;
  std::map<std::int64_t, int> by_hour;
  for (const Job& job :
       testing::read_trace(file_text(path), testing::with_rule("trace.origin", "file")).jobs) {
    const std::uint32_t size = job.stages[0].runs[0].count;
    EXPECT_LE(size, 128u);
    serial += size == 1 ? 1 : 0;
    powers += size > 1 && (size & (size - 1)) == 0 ? 1 : 0;
    ++by_hour[to_microseconds(job.submit) / 3'600'000'000 % 24];
  }
  EXPECT_NEAR(serial / 20'000, 0.244, 0.015);
  EXPECT_GT(powers / 20'000, 0.576);  // those drawn as powers, and some others that happen to be
  // Busiest in the afternoon, quietest before the morning.
  EXPECT_GT(by_hour[14], 3 * by_hour[5]);
}

TEST(MapReduceModel, DrawsThePublishedClasses) {
  const TemporaryFolder folder;
  MapReduceModel model;
  model.jobs = 20'000;
  model.spread = 0;
  const std::string path = folder.file("facebook.tsv");
  generate_map_reduce(model, path);
  const TraceInfo info = measure_trace(path, {});
  EXPECT_EQ(info.jobs, 20'000u);
  // The table's counts sum to the trace's 1,129,193 jobs; 95.8 % of them are small.
  double jobs = 0;
  double map_only = 0;
  for (const MapReduceClass& each : facebook_2009_classes()) {
    jobs += each.jobs;
    map_only += each.shuffle_bytes == 0 ? each.jobs : 0;
  }
  EXPECT_EQ(jobs, 1'129'193);
  EXPECT_EQ(info.columns.at(1).percentile(50), 21'000);
  EXPECT_EQ(info.columns.at(3).percentile(50), 871'000);
  ASSERT_EQ(info.counts.at(1).name, "shuffle 0");
  EXPECT_NEAR(static_cast<double>(info.counts.at(1).count) / 20'000, map_only / jobs, 0.002);
  EXPECT_NEAR(info.columns.at(0).mean, 14, 0.3);
}

TEST(MapReduceModel, NamesPathsAndKeepsZerosZero) {
  const TemporaryFolder folder;
  MapReduceModel model;
  model.jobs = 300;
  model.paths = 10;
  model.flatten = 0;
  model.data_divisor = 1e12;
  const std::string path = folder.file("facebook.tsv");
  generate_map_reduce(model, path);
  const TraceInfo info = measure_trace(path, {});
  EXPECT_EQ(info.distinct.at(0).count, 10u);
  EXPECT_EQ(info.counts.at(0).count, 0u);                              // input never 0
  EXPECT_NEAR(static_cast<double>(info.counts.at(1).count), 150, 30);  // 5 of 10 classes
}

TEST(Generators, RefuseModelsThatMeanNothing) {
  UniformRigidModel uniform;
  uniform.processors_min = 20;
  EXPECT_THROW(generate_rigid(uniform, "/dev/null"), InputError);
  LublinModel lublin;
  lublin.processors = 4;
  EXPECT_THROW(generate_rigid(lublin, "/dev/null"), InputError);
  MapReduceModel facebook;
  facebook.flatten = 2;
  EXPECT_THROW(generate_map_reduce(facebook, "/dev/null"), InputError);
  facebook.flatten = 1;
  facebook.jobs = 0;
  EXPECT_THROW(generate_map_reduce(facebook, "/dev/null"), InputError);
}

TEST(Generators, RefuseGapsBeyondWhatAnyTraceMayHave) {
  const TemporaryFolder folder;
  constexpr double endless = std::numeric_limits<double>::infinity();
  MapReduceModel facebook;
  facebook.jobs = 5;
  for (const double gap : {endless, 1e13}) {
    facebook.mean_gap_seconds = gap;
    EXPECT_THROW(generate_map_reduce(facebook, folder.file("a")), InputError) << gap;
  }
  UniformRigidModel uniform;
  for (const double load : {1e-300, endless}) {
    uniform.load = load;
    EXPECT_THROW(generate_rigid(uniform, folder.file("b")), InputError) << load;
  }
  LublinModel lublin;
  lublin.stretch = endless;
  EXPECT_THROW(generate_rigid(lublin, folder.file("c")), InputError);
}

// The files that ship are what their README says.
TEST(SampleTraces, AreWhatTheGeneratorsMake) {
  const TemporaryFolder folder;
  const std::string samples = TRACEBED_SAMPLES;
  MapReduceModel facebook;
  facebook.jobs = 50;
  facebook.spread = 0.5;
  facebook.data_divisor = 200;
  facebook.flatten = 0.4;
  facebook.paths = 12;
  facebook.seed = 2009;
  generate_map_reduce(facebook, folder.file("facebook.tsv"));
  EXPECT_EQ(file_text(folder.file("facebook.tsv")), file_text(samples + "/facebook_2009_50.tsv"));
  LublinModel lublin;
  lublin.jobs = 200;
  lublin.processors = 64;
  lublin.users = 8;
  lublin.seed = 2003;
  generate_rigid(lublin, folder.file("lublin.swf"));
  EXPECT_EQ(file_text(folder.file("lublin.swf")), file_text(samples + "/lublin_64.swf"));
  MixModel mix;
  mix.workload = "lian2020-mix";
  generate_mix(mix, folder.file("mix.csv"));
  EXPECT_EQ(file_text(folder.file("mix.csv")),
            file_text(samples + "/grep_terasort_wordcount_30.csv"));
}

}  // namespace
}  // namespace tracebed
