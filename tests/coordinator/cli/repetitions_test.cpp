// How often `tracebed run` runs, how many runs go on at a time, and the baseline against itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>

#include "coordinator/cli/program.h"
#include "core/exit_codes.h"
#include "report/run_json.h"
#include "support/files.h"

namespace tracebed {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class Repetitions : public ::testing::Test {
 protected:
  Repetitions() {
    write_small_experiment(folder_);  // for its trace
    file_ = folder_.write("mine.toml",
                          "name = \"mine\"\nworld = \"virtual\"\nschedulers = [\"fcfs\", "
                          "\"binpack\"]\n[trace]\nfile = \"small.swf\"\n[cluster]\nnodes = 2\n"
                          "vcores = 1\nmemory = \"1 GiB\"\n");
  }
  ProgramEnd run(const std::vector<std::string>& more, const std::string& output = "runs") const {
    std::vector<std::string> arguments{"run", file_.string(), "--output", folder_.file(output)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return tracebed_program(arguments);
  }
  bool exists(const std::string& path) const {
    return std::filesystem::exists(folder_.path() / path);
  }
  ProgramEnd compare(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"compare", folder_.file("runs")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return tracebed_program(arguments);
  }

  TemporaryFolder folder_;
  std::filesystem::path file_;
};

TEST_F(Repetitions, AreTenInTheVirtualWorldAndQuickRunsOneWithoutAVerdict) {
  const ProgramEnd ten = run({});
  ASSERT_EQ(ten.exit_code, 0) << ten.error;
  EXPECT_THAT(ten.error, HasSubstr("10 repetitions of 2 schedulers, "));
  EXPECT_THAT(ten.error, HasSubstr("--quick runs one"));
  EXPECT_THAT(ten.error, HasSubstr("repetitions vary in heartbeat phases, launch latencies"));
  EXPECT_TRUE(exists("runs/fcfs/r10/run.json"));
  EXPECT_TRUE(exists("runs/binpack/r10/run.json"));
  EXPECT_FALSE(exists("runs/fcfs/r11"));
  EXPECT_FALSE(exists("runs/noise"));
  const ProgramEnd one = run({"--quick"}, "quick");
  ASSERT_EQ(one.exit_code, 0) << one.error;
  EXPECT_THAT(one.error, HasSubstr("one repetition of each scheduler"));
  EXPECT_THAT(one.error, HasSubstr("no verdict"));
  EXPECT_TRUE(exists("quick/fcfs/run.json"));
  const ProgramEnd both = run({"--quick", "--repetitions", "3"}, "both");
  EXPECT_EQ(both.exit_code, to_int(ExitCode::usage));
}

TEST_F(Repetitions, PrintTheSameHoweverManyGoOnAtATime) {
  const auto printed = [&](const char* threads) {
    std::filesystem::remove_all(folder_.path() / "runs");
    const ProgramEnd end = run({"--parallel", threads, "--details"});
    EXPECT_EQ(end.exit_code, 0) << end.error;
    return std::regex_replace(end.out, std::regex("after [0-9.]+ s"), "after T s");
  };
  const std::string one = printed("1");
  EXPECT_THAT(one, HasSubstr("fcfs/r10: complete after T s"));
  EXPECT_EQ(printed("2"), one);
  EXPECT_EQ(printed("4"), one);
}

TEST_F(Repetitions, NoiseIsMadeByTheRunOrByTheComparisonAndIsTheSame) {
  const std::vector<std::string> three{"--repetitions", "3", "--seed", "9"};
  ASSERT_EQ(run(three).exit_code, 0);
  std::vector<std::string> with_noise = three;
  with_noise.emplace_back("--noise");
  const ProgramEnd made_by_run = run(with_noise, "at-once");
  ASSERT_EQ(made_by_run.exit_code, 0) << made_by_run.error;
  EXPECT_THAT(made_by_run.error, HasSubstr("noise: fcfs 3 times more under other seeds"));
  const ProgramEnd later = compare({"--noise"});
  ASSERT_EQ(later.exit_code, 0) << later.error;
  for (const char* repetition : {"r1", "r2", "r3"}) {
    const auto in = [&](const std::string& output) {
      return read_run_json(folder_.path() / output / "noise/fcfs" / repetition / "run.json");
    };
    EXPECT_TRUE(in("runs").description.is_noise);
    EXPECT_EQ(in("runs").description.seed, in("at-once").description.seed);
    EXPECT_EQ(in("runs").end->digest, in("at-once").end->digest);
  }
  EXPECT_FALSE(exists("runs/noise/binpack"));
  // What is there is found again, and decided again.
  const ProgramEnd again = compare({"--noise"});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.error, Not(HasSubstr("noise: fcfs")));
  EXPECT_EQ(compare({}).out, later.out);
  const ProgramEnd replayed = tracebed_program({"replay-log", folder_.file("runs"), "--details"});
  EXPECT_EQ(replayed.exit_code, 0);
  EXPECT_THAT(replayed.out, HasSubstr("noise/fcfs/r3: decided the same"));
}

TEST_F(Repetitions, NoiseIsNotMadeOfWhatIsNoLongerAsItWas) {
  ASSERT_EQ(run({"--repetitions", "2"}).exit_code, 0);
  const ProgramEnd other = compare({"--noise", "--baseline", "fair"});
  EXPECT_EQ(other.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(other.error, HasSubstr("expected runs of the baseline fair"));
  const ProgramEnd one_run = tracebed_program({"compare", "--noise", folder_.file("runs/fcfs/r1")});
  EXPECT_EQ(one_run.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(one_run.error, HasSubstr("expected the output folder of an experiment"));
  const std::string trace = contents(folder_.path() / "small.swf");
  folder_.write("small.swf", trace + "5 7 -1 5 1 -1 -1 1 10 -1 1 2 1 1 1 -1 -1 -1\n");
  const ProgramEnd changed = compare({"--noise"});
  EXPECT_EQ(changed.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(changed.error, HasSubstr("is no longer the trace that was replayed"));
  EXPECT_FALSE(exists("runs/noise"));
  folder_.write("small.swf", trace);
  EXPECT_EQ(compare({"--noise"}).exit_code, 0);
  const ProgramEnd of_other = compare({"--noise", "--baseline", "binpack"});
  EXPECT_EQ(of_other.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(of_other.error, HasSubstr("its noise runs are of fcfs"));
  EXPECT_TRUE(exists("runs/noise/fcfs/r1/run.json"));
}

TEST_F(Repetitions, WhatLiesInTheWayOfNoiseIsNotTouched) {
  ASSERT_EQ(run({"--quick"}).exit_code, 0);
  folder_.write("runs/noise/mine.txt", "mine");
  const ProgramEnd end = compare({"--noise"});
  EXPECT_EQ(end.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(end.error, HasSubstr("noise is in the way"));
  EXPECT_EQ(contents(folder_.path() / "runs/noise/mine.txt"), "mine");
}

}  // namespace
}  // namespace tracebed
