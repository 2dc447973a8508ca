// tracebed-task's words, and the program itself.
#include <chrono>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "agents/launcher_process.h"
#include "agents/task/profile_work.h"
#include "support/random_work.h"

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
  WorkSpec spec = {.work = {Work{milliseconds(1'500), milliseconds(900), 256, 1, 2, 3}},
                   .threads = 2,
                   .container = 7,
                   .input = {"127.0.0.1:8020", "127.0.1.3", "a rack"}};
  spec.work.ignores_checkpoint = true;
  spec.work.exhausts_heap = true;
  spec.work.virtual_memory_mib = 512;
  std::vector<std::string> words = to_arguments(spec);
  ASSERT_GT(words.size(), 17u);
  EXPECT_THAT(std::vector(words.begin(), words.begin() + 14),
              ElementsAre("tracebed-task", "profile", "threads=2", "held=0", "container=7",
                          "duration_us=1500000", "cpu_time_us=900000", "memory_mib=256",
                          "input_bytes=1", "shuffle_bytes=2", "output_bytes=3", "exhausts_heap=1",
                          "ignores_checkpoint=1", "virtual_memory_mib=512"))
      << "and the other fields of core/task_work.h, which are 0";
  EXPECT_THAT(std::vector(words.end() - 3, words.end()),
              ElementsAre("namenode=127.0.0.1:8020", "address=127.0.1.3", "rack=a rack"));
  words.erase(words.begin());
  const Result<WorkSpec> read = parse(words);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, spec);
}

TEST(WorkSpec, EveryFieldOfItsWorkIsAWordOfItsOwn) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const WorkSpec spec = {.work = test::random_work(random)};
    std::vector<std::string> words = to_arguments(spec);
    words.erase(words.begin());
    const Result<WorkSpec> read = parse(words);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, spec);
  }
}

TEST(WorkSpec, NamesTheWordThatIsWrong) {
  struct Case {
    std::vector<std::string> words;
    const char* says;
  };
  // Words that are right but for one.
  const auto with = [](const char* word, std::size_t place) {
    std::vector<std::string> words = to_arguments({});
    words.erase(words.begin());
    words.at(place) = word;
    return words;
  };
  // The kind, then threads, whether it is held, the container and the work's fields, then texts.
  const std::size_t figures = 3 + task_work_fields.size();
  const std::string counts =
      fmt::format("expected the kind, {} figures and 3 texts, got 0 words", figures);
  const std::vector<Case> cases = {
      {{}, counts.c_str()},
      {with("sort", 0), "got 'sort'"},
      {with("threads=0", 1), "expected threads=NUMBER from 1 to 1024, got '0'"},
      {with("container=4294967296", 3), "container"},
      {with("cpu_time_us=1", 4),
       "expected duration_us=NUMBER from 0 to 9007199254740992, got 'cpu_time_us=1'"},
      {with("duration_us=-1", 4), "got '-1'"},
      {with("cpu_time_us=1 ", 5), "cpu_time_us"},
      {with("cpu_time_us=", 5), "cpu_time_us="},
      {with("memory_mib=99999999999999999999", 6), "memory_mib"},
      {with("exhausts_heap=2", 10), "exhausts_heap"},
      {with("ignores_checkpoint=2", 11), "ignores_checkpoint"},
      {with("virtual_memory_mib=-1", 12), "virtual_memory_mib"},
      {with("rack=", 1 + figures), "expected namenode=TEXT, got 'rack='"},
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
  const Outcome outcome = run_task({.work = {Work{milliseconds(500), milliseconds(100), 8}}});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_GE(outcome.wall_us, 500'000);
  EXPECT_GE(outcome.cpu_us, 100'000);
  EXPECT_LT(outcome.cpu_us, 250'000) << "it does not burn all the while";
}

TEST(Task, SharesItsCpuTimeAmongThreads) {
  const Outcome outcome =
      run_task({.work = {Work{milliseconds(10), milliseconds(300), 8}}, .threads = 3});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_GE(outcome.wall_us, 100'000) << "no thread burns faster than time passes";
  EXPECT_GE(outcome.cpu_us, 300'000);
  EXPECT_LT(outcome.cpu_us, 600'000) << "not every thread burns all of it";
}

TEST(Task, TouchesEveryPageOfItsMemory) {
  const Outcome outcome = run_task({.work = {Work{.memory_mib = 200}}});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_GT(outcome.memory_mib, 195);
  EXPECT_LE(outcome.memory_mib, 200);
}

// In this process, so that sanitizers see the threads; the program is built without them.
TEST(Task, ThreadsVisitTheirMemoryTogether) {
  const StopOrder stop;
  const Result<std::uint32_t> done =
      do_profile_work({.work = {Work{milliseconds(50), milliseconds(100), 8}}, .threads = 4}, stop);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(*done, whole_work);
}

constexpr WorkSpec an_hour_of_waiting = {
    .work = {Work{.duration = seconds(3'600), .memory_mib = 8}}, .threads = 3};

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

// Its input, its output and what it fetches poll each for itself.
TEST(Task, TheOrderToStopIsSeenByAllWhoPollWheneverTheyBegin) {
  const auto sees_it = [](int descriptor) {
    pollfd polled{descriptor, POLLIN, 0};
    return poll(&polled, 1, 0) == 1;
  };
  StopOrder stop;
  const int first = stop.open_descriptor();
  const int second = stop.open_descriptor();
  EXPECT_FALSE(sees_it(first));
  stop.give();
  EXPECT_TRUE(sees_it(first));
  EXPECT_TRUE(sees_it(second));
  StopOrder early;
  early.give();
  EXPECT_TRUE(sees_it(early.open_descriptor()));
}

// The order wakes threads that wait, and interrupts those that burn.
TEST(Task, AllThreadsStopWhenToldAndTheLeastOfTheirPartsCounts) {
  for (const WorkSpec& spec :
       {an_hour_of_waiting, WorkSpec{.work = {Work{.cpu_time = seconds(3'600)}}, .threads = 3}}) {
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
    const auto share =
        spec.work.duration > Duration() ? std::chrono::minutes(60) : std::chrono::minutes(20);
    EXPECT_LE(**done, 1e6 * lasted / share);
  }
}

TEST(Task, RefusesOtherWordsWithTheUsageExitCode) {
  const int status = launcher::wait_for_end(launcher::spawn(TRACEBED_TASK, {"rm", "-rf"}, {}));
  EXPECT_EQ(WEXITSTATUS(status), 2);
}

}  // namespace
}  // namespace tracebed
