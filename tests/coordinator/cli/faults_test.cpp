// Each daemon of a local run is killed in turn, and the run gets every signal that a person or a
// terminal sends: how it ends then, what its folder holds, and that nothing else is left.
#include <algorithm>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "coordinator/cli/local_run.h"
#include "core/exit_codes.h"
#include "core/random.h"
#include "report/run_folder.h"
#include "report/run_json.h"
#include "support/eventually.h"
#include "support/files.h"

namespace tracebed {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int jobs = 12;

class Faults : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "cgroups can be written by root only";
  }

  // Starts a run whose jobs take `seconds_each`, in tenths of a second.
  void start(int seconds_each) {
    program_.emplace(program_path("tracebed"), run_.arguments(jobs, seconds_each),
                     std::vector{"TRACEBED_TRACES=" + run_.folder().string()});
  }
  void wait_for_containers() {
    program_->wait_until([&] { return run_.has_containers(program_->id()); });
  }
  // Until one has ended and is written.
  void wait_for_a_job() {
    program_->wait_until([&] {
      run_.processes(program_->id(), "");
      const std::string rows = contents(folder() / "jobs.csv");
      return std::count(rows.begin(), rows.end(), '\n') > 1;
    });
  }
  // False if there is none.
  bool kill_one(const std::string& daemon, std::size_t which = 0) {
    return signal_one(daemon, SIGKILL, which);
  }
  bool signal_one(const std::string& daemon, int signal, std::size_t which = 0) {
    const std::vector<pid_t> found = run_.processes(program_->id(), daemon);
    if (found.empty()) return false;
    ::kill(found[which % found.size()], signal);
    return true;
  }
  void expect_nothing_left() const {
    eventually([&] { return run_.leftovers().empty(); });
    EXPECT_THAT(run_.leftovers(), IsEmpty());
  }
  ProgramEnd finish() {
    const ProgramEnd end = program_->wait();
    expect_nothing_left();
    return end;
  }

  std::filesystem::path folder() const { return run_.runs() / "fifo"; }
  void expect_that_all_jobs_succeeded() {
    EXPECT_EQ(RunFolder::load(folder()).metrics().succeeded, static_cast<std::uint64_t>(jobs));
  }
  std::uint64_t counter(const std::string& name) const {
    for (const auto& [key, count] : RunFolder::load(folder()).end.counters) {
      if (key == name) return count;
    }
    ADD_FAILURE() << "the run record has no counter " << name;
    return 0;
  }
  // The log of the run is decided again, to the digest in its record.
  void expect_that_the_log_is_whole() const {
    const ProgramEnd end = tracebed_program({"replay-log", folder().string()});
    EXPECT_EQ(end.exit_code, 0) << end.out << end.error;
  }

  LocalRun run_{"faults-test-" + std::to_string(::getpid())};
  std::optional<RunningProgram> program_;
};

TEST_F(Faults, AKilledAgentIsLostAtOnceAndItsTasksRunElsewhere) {
  start(10);
  wait_for_containers();
  ASSERT_TRUE(kill_one("tracebed-agent"));
  const ProgramEnd end = finish();
  EXPECT_EQ(end.exit_code, 0) << end.error;
  EXPECT_THAT(end.error, HasSubstr("ended by signal 9 (Killed)"));
  EXPECT_THAT(end.error, HasSubstr("its tasks are retried elsewhere"));
  EXPECT_EQ(counter("agents_lost"), 1u);
  expect_that_all_jobs_succeeded();
  expect_that_the_log_is_whole();
}

TEST_F(Faults, WithoutAnyAgentTheRunIsGivenUpAtOnce) {
  start(36'000);
  wait_for_containers();
  for (const pid_t agent : run_.processes(program_->id(), "tracebed-agent")) {
    ::kill(agent, SIGKILL);
  }
  const ProgramEnd end = finish();
  EXPECT_EQ(end.exit_code, to_int(ExitCode::environment));
  EXPECT_THAT(end.error, HasSubstr("no agent is left"));
  EXPECT_EQ(RunFolder::load(folder()).end.outcome, RunOutcome::failed);
  expect_that_the_log_is_whole();
}

TEST_F(Faults, AKilledLauncherIsReplacedAndItsTasksAreTriedAgain) {
  start(10);
  wait_for_containers();
  ASSERT_TRUE(kill_one("tracebed-launcher"));
  const ProgramEnd end = finish();
  EXPECT_EQ(end.exit_code, 0) << end.error;
  expect_that_all_jobs_succeeded();
}

TEST_F(Faults, ALauncherThatHangsIsReplacedAndItsTasksAreTriedAgain) {
  start(10);
  wait_for_containers();
  ASSERT_TRUE(signal_one("tracebed-launcher", SIGSTOP));
  const ProgramEnd end = finish();
  EXPECT_EQ(end.exit_code, 0) << end.error;
  expect_that_all_jobs_succeeded();
}

TEST_F(Faults, ALauncherThatHangsDoesNotOutliveAnInterruptedRun) {
  start(36'000);
  wait_for_containers();
  ASSERT_TRUE(signal_one("tracebed-launcher", SIGSTOP));
  program_->signal(SIGINT);
  EXPECT_EQ(finish().exit_code, to_int(ExitCode::interrupted));
}

TEST_F(Faults, AnAgentThatHangsDoesNotOutliveAnInterruptedRun) {
  start(36'000);
  wait_for_containers();
  ASSERT_TRUE(signal_one("tracebed-agent", SIGSTOP));
  program_->signal(SIGINT);
  EXPECT_EQ(finish().exit_code, to_int(ExitCode::interrupted));
}

TEST_F(Faults, AKilledTaskIsTriedAgain) {
  start(10);
  wait_for_containers();
  ASSERT_TRUE(kill_one("tracebed-task"));
  const ProgramEnd end = finish();
  EXPECT_EQ(end.exit_code, 0) << end.error;
  expect_that_all_jobs_succeeded();
  EXPECT_EQ(counter("allocations"), static_cast<std::uint64_t>(jobs + 1));
}

// "sh" is its keeper.
class FaultsOfRedis : public Faults, public ::testing::WithParamInterface<const char*> {};

TEST_P(FaultsOfRedis, EndTheRunWithAllThatWasDoneInItsFolder) {
  start(10);
  wait_for_a_job();
  ASSERT_TRUE(kill_one(GetParam()));
  const ProgramEnd end = finish();
  EXPECT_EQ(end.exit_code, to_int(ExitCode::environment));
  EXPECT_THAT(end.error, HasSubstr("Redis at unix:"));
  const RunFolder run = RunFolder::load(folder());
  EXPECT_EQ(run.end.outcome, RunOutcome::failed);
  EXPECT_THAT(run.end.reason, HasSubstr("Redis at unix:"));
  EXPECT_THAT(run.jobs, ::testing::Not(IsEmpty()));
  EXPECT_TRUE(std::filesystem::exists(run_.runs() / "report.html"));
  expect_that_the_log_is_whole();
}

INSTANTIATE_TEST_SUITE_P(Processes, FaultsOfRedis, ::testing::Values("redis-server", "sh"));

TEST_F(Faults, AKilledOwnerTakesEverythingWithItButWhatItWrote) {
  start(10);
  wait_for_a_job();
  program_->signal(SIGKILL);
  EXPECT_EQ(finish().exit_code, 128 + SIGKILL);
  EXPECT_FALSE(read_run_json(folder() / "run.json").end.has_value());
  const ProgramEnd replayed = tracebed_program({"replay-log", folder().string()});
  EXPECT_EQ(replayed.exit_code, to_int(ExitCode::run_failed));
  EXPECT_THAT(replayed.out, HasSubstr("then the log ends early"));
}

class Signals : public Faults, public ::testing::WithParamInterface<int> {};

TEST_P(Signals, LeaveAPartialRunAndNothingElse) {
  start(36'000);
  wait_for_containers();
  program_->signal(GetParam());
  const ProgramEnd end = finish();
  EXPECT_EQ(end.exit_code, to_int(ExitCode::interrupted)) << end.error;
  EXPECT_EQ(RunFolder::load(folder()).end.outcome, RunOutcome::cancelled);
  EXPECT_TRUE(std::filesystem::exists(run_.runs() / "report.html"));
  expect_that_the_log_is_whole();
}

INSTANTIATE_TEST_SUITE_P(All, Signals, ::testing::Values(SIGINT, SIGTERM, SIGHUP));

// SIGHUP comes from the terminal, and nothing can be written to it any more.
TEST_F(Faults, AClosedTerminalEndsTheRunAsCtrlCDoes) {
  std::vector<std::string> words = run_.arguments(jobs, 36'000);
  words.insert(words.begin(), program_path("tracebed"));
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  int terminal = -1;
  const pid_t process = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (process == 0) {
    ::setenv("TRACEBED_TRACES", run_.folder().c_str(), 1);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
  }
  EXPECT_TRUE(eventually([&] { return run_.has_containers(process); }));
  ::close(terminal);
  int status = 0;
  ASSERT_EQ(::waitpid(process, &status, 0), process);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), to_int(ExitCode::interrupted));
  expect_nothing_left();
  EXPECT_EQ(RunFolder::load(folder()).end.outcome, RunOutcome::cancelled);
}

TEST_F(Faults, ASecondCtrlCLeavesAtOnceAndTheFolderSaysSo) {
  start(36'000);
  wait_for_containers();
  program_->signal(SIGINT);
  program_->wait_until([&] { return !program_->error().empty(); });
  program_->signal(SIGINT);
  EXPECT_EQ(finish().exit_code, to_int(ExitCode::interrupted));
  EXPECT_THAT(RunFolder::load(folder()).end.outcome,
              AnyOf(RunOutcome::cancelled, RunOutcome::failed));
}

// As one does on a machine that is too busy for it to end in time: nobody comes after its agent.
TEST_F(Faults, AStoppedLauncherOfAKilledOwnerLeavesNothing) {
  start(36'000);
  wait_for_containers();
  ASSERT_TRUE(signal_one("tracebed-launcher", SIGSTOP));
  program_->signal(SIGKILL);
  finish();
}

TEST_F(Faults, AStoppedAgentOfAKilledOwnerLeavesNothing) {
  start(36'000);
  wait_for_containers();
  ASSERT_TRUE(signal_one("tracebed-agent", SIGSTOP));
  program_->signal(SIGKILL);
  finish();
}

TEST_F(Faults, AKilledLauncherOfAKilledOwnerLeavesNothing) {
  start(36'000);
  wait_for_containers();
  ASSERT_TRUE(signal_one("tracebed-launcher", SIGKILL));
  program_->signal(SIGKILL);
  finish();
}

TEST_F(Faults, AKilledCoordinatorTakesItsRunWithItAndItsSuccessorSaysSo) {
  run_.arguments(jobs, 36'000);
  const std::vector<std::string> words = {"--config", run_.coordinator_file().string()};
  const auto address_of = [](const RunningProgram& coordinator) {
    const std::string line = coordinator.out();
    return line.substr(line.rfind(' ') + 1, line.rfind('\n') - line.rfind(' ') - 1);
  };
  program_.emplace(program_path("tracebed-coordinator"), words);
  program_->wait_until([&] { return program_->out().ends_with('\n'); });
  const ProgramEnd submitted = tracebed_program(
      {"submit", run_.experiment().string(), "--coordinator", address_of(*program_)});
  ASSERT_EQ(submitted.exit_code, 0) << submitted.error;
  wait_for_containers();
  program_->signal(SIGKILL);
  finish();

  RunningProgram successor(program_path("tracebed-coordinator"), words);
  successor.wait_until([&] { return successor.out().ends_with('\n'); });
  const ProgramEnd list = tracebed_program({"list", "--coordinator", address_of(successor)});
  EXPECT_THAT(list.out, HasSubstr("failed"));
  EXPECT_THAT(list.out, HasSubstr("its coordinator ended"));
  successor.signal(SIGTERM);
  EXPECT_EQ(successor.wait().exit_code, 0);
}

// ---- any fault at any moment ----

enum class Fault { owner, agent, launcher, task, redis, interrupt, terminate, hang_up };

std::int64_t number_in(const char* variable, std::int64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoll(text);
}

class AnyFault : public Faults {
 protected:
  void inflict(Fault fault, std::size_t which) {
    switch (fault) {
      case Fault::owner:
        return program_->signal(SIGKILL);
      case Fault::agent:
        return static_cast<void>(kill_one("tracebed-agent", which));
      case Fault::launcher:
        return static_cast<void>(kill_one("tracebed-launcher", which));
      case Fault::task:
        return static_cast<void>(kill_one("tracebed-task", which));
      case Fault::redis:
        return static_cast<void>(kill_one("redis-server"));
      case Fault::interrupt:
        return program_->signal(SIGINT);
      case Fault::terminate:
        return program_->signal(SIGTERM);
      case Fault::hang_up:
        return program_->signal(SIGHUP);
    }
  }
  // Whatever hit it and whenever: an exit code of its own, and a folder that tells the truth.
  void expect_a_sound_end(const ProgramEnd& end) {
    const int code = end.exit_code;
    EXPECT_THAT(code, AnyOf(0, to_int(ExitCode::environment), to_int(ExitCode::interrupted),
                            128 + SIGKILL, 128 + SIGINT, 128 + SIGTERM, 128 + SIGHUP))
        << end.error;
    if (code == 0) return expect_that_all_jobs_succeeded();
    if (code < 128) {
      EXPECT_THAT(end.error, HasSubstr("tracebed: "));
    }
    if (!std::filesystem::exists(folder() / "run.json")) return;
    const std::optional<RunEnd> ending = read_run_json(folder() / "run.json").end;
    EXPECT_EQ(ending.has_value(), code != 128 + SIGKILL);
    if (!ending) return;
    EXPECT_NE(ending->outcome, RunOutcome::complete);
    EXPECT_NO_THROW(RunFolder::load(folder()));
    expect_that_the_log_is_whole();
  }
};

// To see one again: TRACEBED_FAULT_SEED=<its seed> TRACEBED_FAULT_RUNS=1, then this test.
TEST_F(AnyFault, AtAnyMomentLeavesATruthfulFolderAndNothingElse) {
  const std::int64_t first = number_in("TRACEBED_FAULT_SEED", 1);
  const std::int64_t runs = number_in("TRACEBED_FAULT_RUNS", 8);
  for (std::int64_t seed = first; seed < first + runs && !HasFailure(); ++seed) {
    Random random = Random::stream(static_cast<std::uint64_t>(seed), "faults");
    const auto fault = static_cast<Fault>(random.below(8));
    const auto moment = std::chrono::milliseconds(random.below(3'500));
    const std::size_t which = random.below(3);
    SCOPED_TRACE("fault " + std::to_string(static_cast<int>(fault)) + " after " +
                 std::to_string(moment.count()) + " ms; repeat with TRACEBED_FAULT_SEED=" +
                 std::to_string(seed) + " TRACEBED_FAULT_RUNS=1");
    std::filesystem::remove_all(run_.runs());
    const auto due = std::chrono::steady_clock::now() + moment;
    start(10);
    // What is seen on the way must be gone in the end.
    program_->wait_until_or_end([&] {
      run_.processes(program_->id(), "");
      return std::chrono::steady_clock::now() >= due;
    });
    inflict(fault, which);
    expect_a_sound_end(finish());
  }
}

}  // namespace
}  // namespace tracebed
