// A coordinator is killed at every moment at which it changes its state folder: the next one has
// every run that was acknowledged, and takes new ones.
#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "coordinator/api/held_execution.h"
#include "coordinator/api/run_queue.h"
#include "support/eventually.h"
#include "support/temporary_folder.h"
#include "system/file_descriptor.h"

namespace tracebed {
namespace {

RunQueue::Submitted submitted(const std::string& name) {
  return {name, "name = \"" + name + "\"\n", name};
}

RunQueue::Execute writing() {
  return [](const Experiment& experiment, RunObserver&) {
    write_file(experiment.output / "rounds.log", "as a run does");
    return RunOutcome::complete;
  };
}

// The life of a coordinator: three runs come and end, one is deleted, two are the most it keeps. A
// number is written to `acknowledged` once submit() has returned it, and "-1" for the deleted one.
int live(const std::filesystem::path& state, int acknowledged) {
  const auto tell = [&](std::int64_t run) {
    const auto byte = static_cast<signed char>(run);
    if (::write(acknowledged, &byte, 1) != 1) ::_exit(3);
  };
  RunQueue queue(state, HeldExecution::read(), writing(), {.completed = 2});
  for (const char* name : {"a", "b", "c"}) tell(*queue.submit(submitted(name)));
  for (std::int64_t run = 1; run <= 3; ++run) {
    while (queue.find(run) && !queue.find(run)->state.has_ended()) ::usleep(100);
  }
  return 0;
}

// The calls by which a program changes files, and a file's way to the disk.
const std::set<std::uint64_t>& changing_calls() {
  static const std::set<std::uint64_t> calls{
      SYS_mkdir,     SYS_mkdirat, SYS_openat,   SYS_write,  SYS_pwrite64,
      SYS_ftruncate, SYS_rename,  SYS_renameat, SYS_unlink, SYS_unlinkat,
      SYS_rmdir,     SYS_fsync,   SYS_close,    SYS_flock,  SYS_renameat2};
  return calls;
}

// Runs live() under a tracer that kills it before its call of that number, from 1, among those
// above. Returns whether it was killed, and the numbers that were acknowledged by then.
struct Life {
  bool was_killed = false;
  std::vector<std::int64_t> acknowledged;
  // Of the thread that submits, up to the first acknowledgement: beside it the run may have begun.
  std::vector<std::uint64_t> calls;
};
Life live_until(const std::filesystem::path& state, std::size_t last_call) {
  std::array<int, 2> pipe_ends{};
  EXPECT_EQ(::pipe(pipe_ends.data()), 0);
  FileDescriptor reading(pipe_ends[0]);
  FileDescriptor writing_end(pipe_ends[1]);
  const pid_t child = ::fork();
  if (child == 0) {
    ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    ::raise(SIGSTOP);
    ::_exit(live(state, writing_end.number()));
  }
  Life life;
  std::size_t calls = 0;
  std::vector<std::uint64_t> made;
  int status = 0;
  ::waitpid(child, &status, 0);
  ::ptrace(PTRACE_SETOPTIONS, child, nullptr,
           PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
  ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
  for (pid_t stopped = 0; (stopped = ::waitpid(-1, &status, __WALL)) > 0;) {
    if (!WIFSTOPPED(status)) {
      if (stopped == child) break;
      continue;
    }
    constexpr int system_call = SIGTRAP | 0x80;
    const int signal = WSTOPSIG(status);
    if (signal == system_call) {
      __ptrace_syscall_info info = {};
      ::ptrace(PTRACE_GET_SYSCALL_INFO, stopped, sizeof(info), &info);
      const bool is_entry = info.op == PTRACE_SYSCALL_INFO_ENTRY;
      if (is_entry && changing_calls().contains(info.entry.nr)) {
        if (stopped == child) made.push_back(info.entry.nr);
        const bool is_acknowledgement =
            info.entry.nr == SYS_write &&
            info.entry.args[0] == static_cast<std::uint64_t>(writing_end.number());
        if (is_acknowledgement && life.calls.empty()) life.calls = made;
        if (++calls == last_call) {
          life.was_killed = true;
          ::kill(child, SIGKILL);
          continue;
        }
      }
    }
    const bool is_of_tracing = signal == system_call || signal == SIGTRAP || signal == SIGSTOP;
    ::ptrace(PTRACE_SYSCALL, stopped, nullptr, is_of_tracing ? 0 : signal);
  }
  writing_end.reset();
  for (signed char run = 0; ::read(reading.number(), &run, 1) == 1;) {
    life.acknowledged.push_back(run);
  }
  return life;
}

// What must be true of the folder that a killed coordinator has left.
void check_next_coordinator(const std::filesystem::path& state, const Life& life) {
  RunQueue queue(state, HeldExecution::read(), writing());
  std::int64_t last = 0;
  for (const std::int64_t run : life.acknowledged) {
    last = std::max(last, run);
    const std::optional<RunEntry> found = queue.find(run);
    if (run == 1 && life.acknowledged.size() == 3 && !found) continue;  // the third that ended
    ASSERT_TRUE(found) << "run " << run << " was acknowledged";
    EXPECT_EQ(found->name, std::string(1, static_cast<char>('a' + run - 1)));
    EXPECT_TRUE(eventually([&] { return queue.find(run)->state.has_ended(); }));
    const RunEntry end = *queue.find(run);
    const bool was_cut_short = end.state == RunOutcome::failed;
    if (was_cut_short) {
      EXPECT_TRUE(end.message.starts_with("its coordinator ended")) << end.message;
    }
    EXPECT_TRUE(was_cut_short || std::filesystem::exists(end.folder / "rounds.log"));
  }
  const std::optional<std::int64_t> next = queue.submit(submitted("next"));
  ASSERT_TRUE(next);
  EXPECT_GT(*next, last);
  EXPECT_TRUE(eventually([&] { return queue.find(*next)->state == RunOutcome::complete; }));
}

TEST(CrashPoints, LoseNothingThatWasAcknowledged) {
  std::size_t points = 0;
  for (bool was_killed = true; was_killed && !testing::Test::HasFatalFailure(); ++points) {
    SCOPED_TRACE("killed before call " + std::to_string(points + 1));
    const TemporaryFolder folder;
    const Life life = live_until(folder.path() / "state", points + 1);
    was_killed = life.was_killed;
    EXPECT_TRUE(was_killed || life.acknowledged.size() == 3);
    check_next_coordinator(folder.path() / "state", life);
  }
  EXPECT_GT(points, 50u);
}

// A kill leaves what the kernel has, a power cut what the disk has.
TEST(CrashPoints, WhatIsAcknowledgedIsOnDisk) {
  const TemporaryFolder folder;
  const Life life = live_until(folder.path() / "state", 0);
  ASSERT_EQ(life.acknowledged.size(), 3u);
  const auto count = [&](std::uint64_t call) {
    return std::count(life.calls.begin(), life.calls.end(), call);
  };
  // The experiment, what was submitted and the state: of each the bytes and the name; and the name
  // of the run's folder.
  EXPECT_EQ(count(SYS_rename), 3);
  EXPECT_GE(count(SYS_fsync), 2 * 3 + 1);
}

}  // namespace
}  // namespace tracebed
