// tracebed-task's words, and the program itself.
#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "agents/launcher_process.h"
#include "agents/task/profile_work.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<WorkSpec> parse(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  return parse_arguments(pointers);
}

TEST(WorkSpec, IsWrittenInWordsThatCanBeReadBack) {
  const WorkSpec spec = {1'500'000, 900'000, 2, 256, 0, 1, 7, 1, 512};
  std::vector<std::string> words = to_arguments(spec);
  EXPECT_THAT(words,
              ElementsAre("tracebed-task", "profile", "duration_us=1500000", "cpu_time_us=900000",
                          "threads=2", "memory_mib=256", "held=0", "ignores_checkpoint=1",
                          "container=7", "exhausts_heap=1", "virtual_memory_mib=512"));
  words.erase(words.begin());
  const Result<WorkSpec> read = parse(words);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, spec);
}

TEST(WorkSpec, NamesTheWordThatIsWrong) {
  struct Case {
    std::vector<std::string> words;
    const char* says;
  };
  // Words that are right but for one.
  const auto with = [](const char* word, std::size_t place) {
    std::vector<std::string> words = {"profile",
                                      "duration_us=1",
                                      "cpu_time_us=1",
                                      "threads=1",
                                      "memory_mib=1",
                                      "held=0",
                                      "ignores_checkpoint=0",
                                      "container=1",
                                      "exhausts_heap=0",
                                      "virtual_memory_mib=0"};
    words[place] = word;
    return words;
  };
  const std::vector<Case> cases = {
      {{}, "expected the kind and 9 figures, got 0 words"},
      {with("sort", 0), "got 'sort'"},
      {with("cpu_time_us=1", 1),
       "expected duration_us=NUMBER from 0 to 31622400000000, got 'cpu_time_us=1'"},
      {with("duration_us=-1", 1), "got '-1'"},
      {with("cpu_time_us=1 ", 2), "cpu_time_us"},
      {with("cpu_time_us=", 2), "cpu_time_us="},
      {with("threads=0", 3), "threads"},
      {with("memory_mib=99999999999999999999", 4), "memory_mib"},
      {with("ignores_checkpoint=2", 6), "ignores_checkpoint"},
      {with("container=4294967296", 7), "container"},
      {with("exhausts_heap=2", 8), "exhausts_heap"},
      {with("virtual_memory_mib=-1", 9), "virtual_memory_mib"},
  };
  for (const Case& test : cases) {
    const Result<WorkSpec> read = parse(test.words);
    ASSERT_FALSE(read) << test.says;
    EXPECT_THAT(read.error().message, HasSubstr(test.says));
  }
}

struct Outcome {
  int status = 0;
  std::int64_t wall_us = 0;
  std::int64_t cpu_us = 0;
  std::int64_t memory_mib = 0;
};

Outcome run_task(const WorkSpec& spec) {
  std::vector<std::string> words = to_arguments(spec);
  words.erase(words.begin());
  const auto begin = std::chrono::steady_clock::now();
  const pid_t process = launcher::spawn(TRACEBED_TASK, words, {});
  Outcome outcome;
  rusage used = {};
  wait4(process, &outcome.status, 0, &used);
  outcome.wall_us = std::chrono::duration_cast<std::chrono::microseconds>(
                        std::chrono::steady_clock::now() - begin)
                        .count();
  const auto to_us = [](const timeval& time) { return time.tv_sec * 1'000'000 + time.tv_usec; };
  outcome.cpu_us = to_us(used.ru_utime) + to_us(used.ru_stime);
  outcome.memory_mib = used.ru_maxrss / 1'024;
  return outcome;
}

TEST(Task, LastsItsDurationAndBurnsItsCpuTime) {
  const Outcome outcome =
      run_task({.duration_us = 500'000, .cpu_time_us = 100'000, .threads = 1, .memory_mib = 8});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_GE(outcome.wall_us, 500'000);
  EXPECT_GE(outcome.cpu_us, 100'000);
  EXPECT_LT(outcome.cpu_us, 250'000) << "it does not burn all the while";
}

TEST(Task, SharesItsCpuTimeAmongThreads) {
  const Outcome outcome =
      run_task({.duration_us = 10'000, .cpu_time_us = 300'000, .threads = 3, .memory_mib = 8});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_GE(outcome.wall_us, 100'000) << "no thread burns faster than time passes";
  EXPECT_GE(outcome.cpu_us, 300'000);
  EXPECT_LT(outcome.cpu_us, 600'000) << "not every thread burns all of it";
}

TEST(Task, TouchesEveryPageOfItsMemory) {
  const Outcome outcome =
      run_task({.duration_us = 0, .cpu_time_us = 0, .threads = 1, .memory_mib = 200});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_GT(outcome.memory_mib, 195);
  EXPECT_LE(outcome.memory_mib, 200);
}

// In this process, so that sanitizers see the threads; the program is built without them.
TEST(Task, ThreadsVisitTheirMemoryTogether) {
  const StopOrder stop;
  const Result<std::uint32_t> done = do_profile_work(
      {.duration_us = 50'000, .cpu_time_us = 100'000, .threads = 4, .memory_mib = 8}, stop);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(*done, whole_work);
}

constexpr WorkSpec an_hour_of_waiting = {
    .duration_us = 3'600'000'000, .cpu_time_us = 0, .threads = 3, .memory_mib = 8};

TEST(Task, WhoIsToldBeforeItBeginsHasDoneNothing) {
  StopOrder stop;
  stop.give();
  stop.give();
  const Result<std::uint32_t> done = do_profile_work(an_hour_of_waiting, stop);
  ASSERT_TRUE(done);
  EXPECT_EQ(*done, 0u);
}

TEST(Task, WorkThatIsNoneIsDoneAtOnce) {
  StopOrder stop;
  stop.give();
  const Result<std::uint32_t> done = do_profile_work({.threads = 2}, stop);
  ASSERT_TRUE(done);
  EXPECT_EQ(*done, whole_work);
}

// The order wakes threads that wait, and interrupts those that burn.
TEST(Task, AllThreadsStopWhenToldAndTheLeastOfTheirPartsCounts) {
  for (const WorkSpec& spec :
       {an_hour_of_waiting,
        WorkSpec{.duration_us = 0, .cpu_time_us = 3'600'000'000, .threads = 3}}) {
    StopOrder stop;
    std::optional<Result<std::uint32_t>> done;
    const auto begin = std::chrono::steady_clock::now();
    std::thread worker([&] { done = do_profile_work(spec, stop); });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.give();
    worker.join();
    const auto lasted = std::chrono::steady_clock::now() - begin;
    ASSERT_TRUE(*done);
    // A share lasts an hour, or twenty minutes of CPU time, and no more of it can be done in a time
    // than goes by.
    const auto share = spec.duration_us > 0 ? std::chrono::minutes(60) : std::chrono::minutes(20);
    EXPECT_LE(**done, 1e6 * lasted / share);
  }
}

TEST(Task, RefusesOtherWordsWithTheUsageExitCode) {
  const int status = launcher::wait_for_end(launcher::spawn(TRACEBED_TASK, {"rm", "-rf"}, {}));
  EXPECT_EQ(WEXITSTATUS(status), 2);
}

}  // namespace
}  // namespace tracebed
