// Mixes of jobs by kind, and the cost table by which their tasks are made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "core/input_error.h"
#include "traces/generate_mix.h"
#include "traces/parts/job_kinds.h"
#include "traces/trace_texts.h"

namespace tracebed::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::string_view header =
    "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,input_path\n";

ReadTrace mix_of(const std::string& rows, const TraceOptions& options = {}) {
  return read_trace(std::string(header) + rows, options);
}

// Of 100 MB in five maps and a reduce; the start of a JVM, two seconds of CPU time, included.
struct Costs {
  const char* kind;
  Duration map_cpu, map_duration;
  std::int64_t shuffle_bytes;
  Duration reduce_cpu, reduce_duration;
  std::int64_t output_bytes;
  std::size_t iterations;
};
const Costs by_hand[] = {
    {"grep", seconds(27), seconds(33), 100'000, seconds(6), seconds(6), 100'000, 1},
    {"sort", seconds(10), seconds(22), 100'000'000, seconds(10), seconds(26), 100'000'000, 1},
    {"terasort", seconds(10), seconds(22), 100'000'000, seconds(10), seconds(26), 100'000'000, 1},
    {"wordcount", seconds(24), milliseconds(30'900), 15'000'000, seconds(8), milliseconds(21'995),
     15'000'000, 1},
    {"kmeans", seconds(10), seconds(10), 10'000, milliseconds(2'009), milliseconds(2'009), 1'000,
     5},
    {"pagerank", seconds(76), seconds(76), 55'000'000, seconds(24), seconds(24), 18'700'000, 3},
};

TEST(Mix, JobsReadTheInputOfTheirKernelWhereARuleSaysSo) {
  const std::string rows =
      "a,0,sort,1000000,1,1,,,,,\nb,1,grep,1000000,1,1,,,,,/data\nc,2,wordcount,1000000,1,1,,,,,\n";
  const auto paths = [&](const TraceOptions& options) {
    std::vector<std::string> list;
    for (const Job& job : mix_of(rows, options).jobs) list.push_back(job.stages[0].input_path);
    return list;
  };
  EXPECT_THAT(paths({}), ::testing::ElementsAre("", "/data", ""));
  TraceOptions options;
  options.rules.mix.input = MixInput::kernels;
  EXPECT_THAT(paths(options), ::testing::ElementsAre("/tracebed/kernels/sort/0", "/data",
                                                     "/tracebed/kernels/wordcount/2"));
}

TEST(Mix, TasksTakeWhatTheTableSaysOfTheirKind) {
  for (const Costs& costs : by_hand) {
    SCOPED_TRACE(costs.kind);
    const ReadTrace trace =
        mix_of("a,0," + std::string(costs.kind) + ",100000000,5,1,1,1000,u,q,/d\n");
    ASSERT_THAT(trace.jobs, SizeIs(1));
    const Job& job = trace.jobs[0];
    EXPECT_EQ(job.name, "a");
    EXPECT_EQ(trace.names.users.name(job.user), "u");
    EXPECT_EQ(trace.names.queues.name(job.queue), "q");
    ASSERT_THAT(job.stages, SizeIs(2 * costs.iterations));
    EXPECT_EQ(job.stages[0].input_path, "/d");
    ASSERT_THAT(job.stages[0].runs, SizeIs(1));
    EXPECT_EQ(job.stages[0].runs[0].count, 5u);
    const Work& map = job.stages[0].runs[0].work;
    EXPECT_EQ(map.input_bytes, 20'000'000);
    EXPECT_EQ(map.output_bytes, 0);
    EXPECT_EQ(map.cpu_time, costs.map_cpu);
    EXPECT_EQ(map.duration, costs.map_duration);
    EXPECT_EQ(map.memory_mib, 800);
    ASSERT_THAT(job.stages[1].runs, SizeIs(1));
    const Work& reduce = job.stages[1].runs[0].work;
    EXPECT_EQ(reduce.shuffle_bytes, costs.shuffle_bytes);
    EXPECT_EQ(reduce.cpu_time, costs.reduce_cpu);
    EXPECT_EQ(reduce.duration, costs.reduce_duration);
    EXPECT_EQ(job.stages.back().runs.at(0).work.output_bytes, costs.output_bytes);
  }
}

// Two iterations of a kind that keeps a tenth of what it reads and writes a half of that: 1,000 B
// in four maps, 100 B in two reduces, 50 B.
TEST(Mix, AJobOfSeveralIterationsIsADag) {
  TraceOptions options;
  for (const auto& [name, value] : {std::pair{"kind.kmeans.iterations", "2"},
                                    {"kind.kmeans.map_output", "0.1"},
                                    {"kind.kmeans.output", "0.5"}}) {
    ASSERT_TRUE(set_rule(options.rules, name, value));
  }
  const Job job = mix_of("a b,0,kmeans,1000,4,2,,,,,\n", options).jobs.at(0);
  EXPECT_EQ(job.kind, JobKind::dag);
  ASSERT_THAT(job.stages, SizeIs(4));
  const auto bytes = [&](std::size_t stage, std::int64_t Work::*field) {
    std::int64_t sum = 0;
    for (const TaskRun& run : job.stages[stage].runs) sum += run.work.*field * run.count;
    return sum;
  };
  for (std::size_t stage = 0; stage < 4; ++stage) {
    SCOPED_TRACE(stage);
    const bool is_map = stage % 2 == 0;
    EXPECT_EQ(job.stages[stage].kind, StageKind::map) << "of a DAG";
    EXPECT_EQ(task_count(job.stages[stage]), is_map ? 4u : 2u);
    EXPECT_EQ(job.stages[stage].input_path, is_map ? "/tracebed/mix/a b" : "");
    EXPECT_EQ(bytes(stage, &Work::input_bytes), is_map ? 1'000 : 0);
    EXPECT_EQ(bytes(stage, &Work::output_bytes), stage == 3 ? 50 : 0) << "the last alone writes";
    if (stage == 0) {
      EXPECT_TRUE(job.stages[stage].needs.empty());
    } else {
      EXPECT_THAT(job.stages[stage].needs, ::testing::ElementsAre(stage - 1));
    }
  }
  EXPECT_EQ(bytes(0, &Work::shuffle_bytes), 0);
  EXPECT_EQ(bytes(1, &Work::shuffle_bytes), 100);
  EXPECT_EQ(bytes(2, &Work::shuffle_bytes), 50) << "what the reduces of the first made";
  EXPECT_EQ(bytes(3, &Work::shuffle_bytes), 100);
}

TEST(Mix, ACheckOfIterationsNamesTheRule) {
  TraceRules rules;
  EXPECT_THAT(set_rule(rules, "kind.pagerank.iterations", "0").error().message,
              HasSubstr("kind.pagerank.iterations"));
}

constexpr std::string_view header_with_deadlines =
    "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,input_path,"
    "deadline_seconds\n";

TEST(Mix, JobsEndByTheTimeOfTheColumnOrByTheRule) {
  const std::string rows = "a,10,grep,1000000,1,1,,,,,,70.5\nb,20,grep,1000000,1,1,,,,,,\n";
  const auto deadlines = [&](const TraceOptions& options) {
    std::vector<Duration> list;
    for (const Job& job : read_trace(std::string(header_with_deadlines) + rows, options).jobs) {
      list.push_back(job.deadline);
    }
    return list;
  };
  EXPECT_THAT(deadlines({}), ::testing::ElementsAre(milliseconds(60'500), Duration{}));
  const Duration ideal = ideal_duration(mix_of("b,20,grep,1000000,1,1,,,,,\n").jobs.at(0));
  EXPECT_THAT(deadlines(with_rule("trace.deadline_factor", "3")),
              ::testing::ElementsAre(milliseconds(60'500), ideal * 3));
}

TEST(Mix, ADeadlineInThePastIsABadRowWithItsLineAndJob) {
  const std::string text = std::string(header_with_deadlines) +
                           "a,10,grep,1000000,1,1,,,,,,70\nb,20,grep,1000000,1,1,,,,,,20\n"
                           "c,30,grep,1000000,1,1,,,,,,31\n";
  EXPECT_THAT(read_error(text),
              HasSubstr("t:3: column 12 (deadline_seconds): expected a time after that at which "
                        "job 'b' is submitted, 20 s, got '20'"));
  EXPECT_THAT(read_trace(text, skipping()).jobs, SizeIs(2)) << "the others go on";
}

TEST(Mix, DeadlinesWithoutTheirNameInTheHeaderAreRefused) {
  EXPECT_THAT(read_error(std::string(header) + "a,10,grep,1000000,1,1,,,,,,70\n"),
              HasSubstr("expected 11 columns, got 12"));
}

TEST(Mix, HasARowHereForEachKind) {
  std::set<std::string_view> kinds;
  for (const Costs& costs : by_hand) kinds.insert(costs.kind);
  for (const JobKindRow& kind : job_kinds()) EXPECT_TRUE(kinds.contains(kind.name)) << kind.name;
  EXPECT_EQ(kinds.size(), job_kinds().size());
}

TEST(Mix, LessThanACoreHoldsATaskUpAndMoreDoNotHelpIt) {
  const auto map_of = [](const char* vcores) {
    return mix_of("a,0,sort,20000000,1,0," + std::string(vcores) + ",,,,\n")
        .jobs.at(0)
        .stages[0]
        .runs[0]
        .work;
  };
  EXPECT_EQ(map_of("0.5").duration, seconds(32));
  EXPECT_EQ(map_of("0.5").cpu_time, seconds(10));
  EXPECT_EQ(map_of("2").duration, seconds(22));
}

// As on machines without strict limits: the task demands a core, whatever its container has.
TEST(Mix, WithTheLimitOfACoreVcoresDoNotHoldATaskUp) {
  const ReadTrace trace =
      mix_of("a,0,sort,20000000,1,0,0.5,,,,\n", with_rule("mix.cpu_limit", "core"));
  const Work work = trace.jobs.at(0).stages[0].runs[0].work;
  EXPECT_EQ(work.duration, seconds(22));
  EXPECT_EQ(work.cpu_time, seconds(10));
}

// Sorting 20 MB takes 8 s of CPU time and 12 s of waits, after a start of 2 s: two threads compute
// for 2 + 2 × 8 s in all, and no longer than one. With one and a half vcores there is one thread.
TEST(Mix, AThreadForEachVcoreTakesAsLongAndMoreCpuTime) {
  const auto map_of = [](const char* vcores) {
    return mix_of("a,0,sort,20000000,1,0," + std::string(vcores) + ",,,,\n",
                  with_rule("mix.threads", "vcores"))
        .jobs.at(0)
        .stages[0]
        .runs[0]
        .work;
  };
  EXPECT_EQ(map_of("2").cpu_time, seconds(18));
  EXPECT_EQ(map_of("2").duration, seconds(22));
  EXPECT_EQ(map_of("1.5").cpu_time, seconds(10));
  EXPECT_EQ(map_of("0.5").cpu_time, seconds(10));
  EXPECT_EQ(map_of("0.5").duration, seconds(32));
}

// As under slots: tasks ask for nothing, and use as much as those that ask for what is stated.
TEST(Mix, WithoutDemandsTasksUseWhatTheRowStates) {
  const std::string row = "a,0,sort,20000000,1,1,0.5,1000,,,\n";
  const Job stated = mix_of(row).jobs.at(0);
  const Job none = mix_of(row, with_rule("mix.demand", "none")).jobs.at(0);
  for (std::size_t stage = 0; stage < 2; ++stage) {
    EXPECT_EQ(stated.stages.at(stage).demand, Resources(500, 1'000));
    EXPECT_EQ(none.stages.at(stage).demand, Resources());
    EXPECT_EQ(none.stages[stage].runs, stated.stages[stage].runs);
    EXPECT_EQ(none.stages[stage].runs[0].work.memory_mib, 800);
  }
}

TEST(Mix, BytesAddUpToThoseOfTheJob) {
  TraceOptions options = with_rule("mix.block_mib", "1");
  const ReadTrace trace =
      mix_of("a,0,sort,3145729,,3,,,,,\nb,0,wordcount,1000,7,0,,,,,\n", options);
  ASSERT_THAT(trace.jobs, SizeIs(2));
  const Stage& maps = trace.jobs[0].stages[0];
  EXPECT_EQ(task_count(maps), 4u);
  EXPECT_EQ(work_of(maps, 2).input_bytes, 1 << 20);
  EXPECT_EQ(work_of(maps, 3).input_bytes, 1);
  const Stage& reduces = trace.jobs[0].stages[1];
  EXPECT_EQ(work_of(reduces, 0).shuffle_bytes, 1'048'576);
  EXPECT_EQ(work_of(reduces, 2).shuffle_bytes, 1'048'577);
  EXPECT_EQ(work_of(reduces, 2).output_bytes, 1'048'577);
  // Without reduces, maps write what they would keep.
  const Stage& only = trace.jobs[1].stages[0];
  std::int64_t read = 0;
  std::int64_t written = 0;
  for (std::uint32_t i = 0; i < 7; ++i) {
    read += work_of(only, i).input_bytes;
    written += work_of(only, i).output_bytes;
  }
  EXPECT_EQ(read, 1'000);
  EXPECT_EQ(written, 150);
}

TEST(Mix, WhatARowLeavesOpenIsDerived) {
  TraceOptions options = with_rule("task.vcores", "2", with_rule("task.memory_mib", "512"));
  const ReadTrace trace = mix_of("late,7.5,grep,0,,1,,,,,\nearly,2,grep,0,,0,,,,,\n", options);
  ASSERT_THAT(trace.jobs, SizeIs(2));
  const Job& first = trace.jobs[0];
  EXPECT_EQ(first.name, "early");
  EXPECT_EQ(trace.names.users.name(first.user), "user");
  EXPECT_EQ(trace.names.queues.name(first.queue), "default");
  EXPECT_EQ(first.stages[0].demand, Resources(2'000, 512));
  EXPECT_EQ(task_count(first.stages[0]), 1u);
  EXPECT_EQ(first.stages[0].input_path, "");
  EXPECT_EQ(trace.jobs[1].submit, trace_time(5'500'000));
}

TEST(Mix, TheTableIsSetByRules) {
  TraceOptions options = with_rule("kind.grep.map_output", "100");
  EXPECT_EQ(
      mix_of("a,0,grep,1000,1,1,,,,,\n", options).jobs.at(0).stages[1].runs[0].work.output_bytes,
      100'000);
  EXPECT_THAT(read_error(std::string(header) + "a,0,grep,9007199254740992,1,1,,,,,\n",
                         with_rule("kind.grep.map_cpu", "1000")),
              HasSubstr("column 4 (input_bytes): expected bytes that a task processes in 10^12 s"));
  // What would be more than bytes can be counted is refused.
  options = with_rule("kind.grep.map_output", "1000000", options);
  EXPECT_THAT(read_error(std::string(header) + "a,0,grep,9007199254740992,1,1,,,,,\n", options),
              HasSubstr("column 4 (input_bytes): expected bytes of which at most 2^53"));
}

struct Counts {
  std::map<std::string, int> kinds;  // by the name's letters
  std::uint64_t maps_min = UINT64_MAX, maps_max = 0;
  std::int64_t bytes_min = INT64_MAX, bytes_max = 0;
  std::set<std::int64_t> milli_vcores, memory_mib;
  std::map<std::string, int> users;
};

Counts counts_of(const std::string& workload, std::uint64_t seed,
                 const std::string& users = "one") {
  const TemporaryFolder folder;
  MixModel model;
  model.workload = workload;
  model.users = users;
  model.seed = seed;
  const std::string file = folder.file("mix.csv");
  const std::uint64_t jobs = generate_mix(model, file);
  const ReadTrace trace = read_trace(file_text(file));
  EXPECT_EQ(trace.jobs.size(), jobs);
  Counts counts;
  for (const Job& job : trace.jobs) {
    ++counts.kinds[job.name.substr(0, job.name.find_first_of("0123456789"))];
    ++counts.users[std::string(trace.names.users.name(job.user))];
    const std::uint64_t maps = task_count(job.stages.at(0));
    counts.maps_min = std::min(counts.maps_min, maps);
    counts.maps_max = std::max(counts.maps_max, maps);
    std::int64_t bytes = 0;
    for (const TaskRun& run : job.stages[0].runs) bytes += run.work.input_bytes * run.count;
    counts.bytes_min = std::min(counts.bytes_min, bytes);
    counts.bytes_max = std::max(counts.bytes_max, bytes);
    counts.milli_vcores.insert(job.stages[0].demand.milli_vcores());
    counts.memory_mib.insert(job.stages[0].demand.memory_mib());
    EXPECT_EQ(job.stages[0].input_path, "/data/" + job.name);
  }
  return counts;
}

TEST(MixModel, LianHasThirtyJobsOfAHundredMegabytes) {
  const Counts mixed = counts_of("lian2020-mix", 1);
  EXPECT_EQ(mixed.kinds,
            (std::map<std::string, int>{{"grep", 10}, {"terasort", 10}, {"wordcount", 10}}));
  EXPECT_EQ(mixed.maps_min, 5u);
  EXPECT_EQ(mixed.maps_max, 5u);
  EXPECT_EQ(mixed.bytes_min, 100'000'000);
  EXPECT_EQ(mixed.bytes_max, 100'000'000);
  EXPECT_EQ(counts_of("lian2020-terasort", 1).kinds,
            (std::map<std::string, int>{{"terasort", 30}}));
}

TEST(MixModel, MaHasTheRangesOfThePaper) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Counts small = counts_of("ma2012-small", seed);
    EXPECT_THAT(small.kinds, SizeIs(4));
    EXPECT_EQ(small.kinds.at("sort"), 20);
    EXPECT_GE(small.maps_min, 1u);
    EXPECT_LE(small.maps_max, 10u);
    EXPECT_GE(small.bytes_min, 60'000'000);
    EXPECT_LE(small.bytes_max, 500'000'000);
    EXPECT_EQ(small.milli_vcores, (std::set<std::int64_t>{1'000, 2'000}));
    EXPECT_GE(*small.memory_mib.begin(), 500);
    EXPECT_LE(*small.memory_mib.rbegin(), 2'048);
    const Counts large = counts_of("ma2012-large", seed);
    EXPECT_EQ(large.kinds.at("grep"), 10);
    EXPECT_GE(large.maps_min, 70u);
    EXPECT_LE(large.maps_max, 160u);
    EXPECT_GE(large.bytes_min, 4'000'000'000);
    EXPECT_LE(large.bytes_max, 8'000'000'000);
  }
  EXPECT_EQ(counts_of("ma2012-mixed", 1).users, (std::map<std::string, int>{{"A", 40}, {"B", 20}}));
}

// Of the mixed workload the paper says whose its jobs are.
TEST(MixModel, JobsBelongToOneUserOrToOneForEachKindOrJob) {
  const auto users_of = [](const char* workload, const char* users) {
    return counts_of(workload, 1, users).users;
  };
  EXPECT_EQ(users_of("ma2012-small", "one"), (std::map<std::string, int>{{"user", 80}}));
  EXPECT_EQ(
      users_of("ma2012-small", "kind"),
      (std::map<std::string, int>{
          {"grep-user", 20}, {"sort-user", 20}, {"terasort-user", 20}, {"wordcount-user", 20}}));
  EXPECT_THAT(users_of("ma2012-large", "job"), SizeIs(40));
  EXPECT_EQ(users_of("ma2012-mixed", "job"), (std::map<std::string, int>{{"A", 40}, {"B", 20}}));
}

TEST(MixModel, RefusesWhatItCannotMake) {
  const TemporaryFolder folder;
  MixModel model;
  const auto error_of = [&] {
    try {
      generate_mix(model, folder.file("mix.csv"));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  model.workload = "ma2013";
  EXPECT_THAT(error_of(), HasSubstr("one of the workloads lian2020-grep, "));
  model = MixModel{};
  model.users = "none";
  EXPECT_THAT(error_of(), HasSubstr("users by one of one, kind, job, got 'none'"));
  model = MixModel{};
  model.divisor = 0;
  EXPECT_THAT(error_of(), HasSubstr("a divisor above 0"));
  model = MixModel{};
  model.gap_seconds = -1;
  EXPECT_THAT(error_of(), HasSubstr("a gap from 0"));
}

TEST(MixModel, MakesTheSameBytesOfTheSameSeed) {
  const TemporaryFolder folder;
  const auto text = [&](std::uint64_t seed) {
    MixModel model;
    model.seed = seed;
    model.divisor = 16;
    model.gap_seconds = 0.5;
    generate_mix(model, folder.file("mix.csv"));
    return file_text(folder.file("mix.csv"));
  };
  EXPECT_EQ(text(1), text(1));
  EXPECT_NE(text(1), text(2));
  // Vcores are not below a thousandth, and of jobs of one or two they are a sixteenth.
  for (const Job& job : read_trace(text(1)).jobs) {
    EXPECT_THAT(job.stages[0].demand.milli_vcores(), ::testing::AnyOf(63, 125));
  }
}

}  // namespace
}  // namespace tracebed::testing
