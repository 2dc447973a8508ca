// The backend that this machine has, with real processes. The same program runs under User Mode
// Linux for version 2.
#include <csignal>
#include <fstream>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "agents/cgroup_fixture.h"
#include "agents/cgroups/sweep.h"
#include "agents/launcher/cpu_binding.h"
#include "system/files.h"

namespace tracebed {
namespace {

constexpr CgroupLimits roomy = {.milli_vcores = 1'000, .memory_mib = 64, .pids = 32};

TEST_P(CgroupTest, AContainerIsAccountedAndLeavesNothing) {
  const pid_t pid = start("1", roomy, {"memory", "20"});
  EXPECT_EQ(wait_for(pid), 0);
  const CgroupAccount used = account("1");
  EXPECT_GE(used.memory_peak_bytes, 20 << 20);
  EXPECT_LT(used.memory_peak_bytes, 24 << 20);
  EXPECT_GT(used.cpu_time_us, 0);
  EXPECT_EQ(used.oom_kills, 0);
  EXPECT_EQ(tree_->remove("1"), Removal::removed);
  EXPECT_EQ(tree_->remove("1"), Removal::removed) << "removing twice is harmless";
}

// A busy process under a fifth of a CPU gets a fifth of the wall time; the ratio is taken over the
// process's own wall time, so a loaded machine can only lower it.
TEST_P(CgroupTest, TheCpuQuotaHolds) {
  const auto begin = std::chrono::steady_clock::now();
  const pid_t pid = start("1", {.milli_vcores = 200, .memory_mib = 64, .pids = 32}, {"burn", "2"});
  EXPECT_EQ(wait_for(pid), 0);
  const double wall_us =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  const auto used_us = static_cast<double>(account("1").cpu_time_us);
  EXPECT_LT(used_us / wall_us, 0.26);
  EXPECT_GE(used_us, 20'000) << "it ran: a period's quota at least";
  kill_and_remove("1");
}

// Likewise of two that may each have all of what they share.
TEST_P(CgroupTest, AllContainersTogetherKeepToTheirLimit) {
  constexpr CgroupLimits limits = {.milli_vcores = 200, .memory_mib = 64, .pids = 32};
  ASSERT_TRUE(tree_->limit_cpu_of_all(200));
  const auto begin = std::chrono::steady_clock::now();
  const pid_t first = start("1", limits, {"burn", "2"});
  const pid_t second = start("2", limits, {"burn", "2"});
  EXPECT_EQ(wait_for(first), 0);
  EXPECT_EQ(wait_for(second), 0);
  const double wall_us =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  const auto used_us = static_cast<double>(account("1").cpu_time_us + account("2").cpu_time_us);
  EXPECT_LT(used_us / wall_us, 0.26);
  EXPECT_TRUE(tree_->renew_cpu_quota("1"));
  kill_and_remove("1");
  kill_and_remove("2");
}

// On one CPU, half of which is theirs together: the one with three times the weight of the other
// gets at least twice as much of it, and neither has a limit of its own.
TEST_P(CgroupTest, ContainersShareTheirLimitByWeight) {
  const cpu_set_t usable = launcher::usable_cpus();
  const auto one = launcher::bound_cpus(1'000, 0, usable);
  if (one) {
    ASSERT_EQ(sched_setaffinity(0, sizeof(*one), &*one), 0);
  }
  ASSERT_TRUE(tree_->limit_cpu_of_all(500));
  const auto with_part = [](std::int64_t milli_vcores) {
    return CgroupLimits{
        .milli_vcores = milli_vcores, .memory_mib = 64, .pids = 32, .milli_vcores_of_all = 500};
  };
  start("light", with_part(1), {"burn", "3600"});
  start("heavy", with_part(3), {"burn", "3600"});
  if (one) {
    ASSERT_EQ(sched_setaffinity(0, sizeof(usable), &usable), 0);
  }
  const auto used = [&](const char* container) { return account(container).cpu_time_us; };
  ASSERT_TRUE(eventually([&] { return used("light") > 5'000 && used("heavy") > 5'000; }));
  const std::int64_t light = used("light");
  const std::int64_t heavy = used("heavy");
  ASSERT_TRUE(eventually([&] { return used("heavy") > heavy + 1'000'000; }));
  EXPECT_GE(used("heavy") - heavy, 2 * (used("light") - light));
  EXPECT_GT(used("light"), light);
  kill_and_remove("light");
  kill_and_remove("heavy");
}

// What was limited to a thousandth of a CPU burns a second of it soon after that is taken back.
TEST_P(CgroupTest, TheLimitOfAllCanBeTakenBack) {
  ASSERT_TRUE(tree_->limit_cpu_of_all(1));
  start("1", {.milli_vcores = 1, .memory_mib = 64, .pids = 32, .milli_vcores_of_all = 1},
        {"burn", "3600"});
  ASSERT_TRUE(tree_->limit_cpu_of_all(0));
  EXPECT_TRUE(eventually([&] { return account("1").cpu_time_us > 1'000'000; }));
  ASSERT_TRUE(tree_->limit_cpu_of_all(500)) << "by another period";
  kill_and_remove("1");
}

// Version 1 has no group whose quota is above its parent's.
TEST_P(CgroupTest, AContainerMayBeOfMoreThanAllHaveTogether) {
  ASSERT_TRUE(tree_->limit_cpu_of_all(500));
  EXPECT_EQ(wait_for(start("1", roomy, {"memory", "8"})), 0);
  kill_and_remove("1");
}

// One milli-vcore is a thousandth of each second. With forty renewals it gets more than twice
// as much, unless the machine takes half a second for each of them.
TEST_P(CgroupTest, ARenewedQuotaIsThereAtOnce) {
  start("1", {.milli_vcores = 1, .memory_mib = 64, .pids = 32}, {"burn", "60"});
  const auto burnt_beyond = [&](std::int64_t microseconds) {
    return eventually([&] { return account("1").cpu_time_us > microseconds; });
  };
  ASSERT_TRUE(burnt_beyond(1'000));
  const std::int64_t before = account("1").cpu_time_us;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 40; ++i) {
    const std::int64_t last = account("1").cpu_time_us;
    ASSERT_TRUE(tree_->renew_cpu_quota("1"));
    ASSERT_TRUE(burnt_beyond(last + 500));
  }
  const double wall_us =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_GT(static_cast<double>(account("1").cpu_time_us - before) / wall_us, 0.002);
  kill_and_remove("1");
  EXPECT_TRUE(tree_->renew_cpu_quota("1")) << "of one that is gone it means nothing";
}

TEST_P(CgroupTest, OutOfMemoryIsASigkillThatIsCounted) {
  const pid_t pid =
      start("1", {.milli_vcores = 1'000, .memory_mib = 16, .pids = 32}, {"memory", "32", "5000"});
  const int status = wait_for(pid);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  const CgroupAccount used = account("1");
  EXPECT_GE(used.oom_kills, 1);  // version 2 counts the kill of the group too
  EXPECT_GT(used.memory_peak_bytes, 15 << 20);
  EXPECT_LE(used.memory_peak_bytes, 16 << 20);
  kill_and_remove("1");
}

TEST_P(CgroupTest, TheSmallestContainerStarts) {
  const pid_t pid = start("1", {.milli_vcores = 5, .memory_mib = 1, .pids = 1}, {"exit", "9"});
  const int status = wait_for(pid);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 9);
  kill_and_remove("1");
}

TEST_P(CgroupTest, TheThreadLimitHolds) {
  const int refused =
      wait_for(start("1", {.milli_vcores = 1'000, .memory_mib = 64, .pids = 4}, {"threads", "4"}));
  EXPECT_EQ(WEXITSTATUS(refused), 3);
  const int fits =
      wait_for(start("2", {.milli_vcores = 1'000, .memory_mib = 64, .pids = 5}, {"threads", "4"}));
  EXPECT_EQ(WEXITSTATUS(fits), 0);
  kill_and_remove("1");
  kill_and_remove("2");
}

// Processes that fork and die without end cannot outrun the kill. Many rounds, as without freezing
// a single kill often reaches them by luck.
TEST_P(CgroupTest, ForkingChainsAreKilledAtOnce) {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  // Room for many: links that nobody has waited for yet count, and a full cgroup would end the
  // chains' forking by itself.
  const CgroupLimits limits = {.milli_vcores = 2'000, .memory_mib = 1'024, .pids = 20'000};
  for (int round = 0; round < 40 && !HasFailure(); ++round) {
    const std::string name = std::to_string(round);
    wait_for(start(name, limits, {"fork_chain", "12"}));
    EXPECT_TRUE(tree_->kill(name));
    // Without another kill they all end; their dead links come to this subreaper meanwhile.
    Removal removal = Removal::busy;
    eventually([&] {
      while (waitpid(-1, nullptr, WNOHANG) > 0) {
      }
      removal = tree_->remove(name);
      return removal != Removal::busy;
    });
    EXPECT_EQ(removal, Removal::removed) << "in round " << round;
    if (removal != Removal::removed) kill_and_remove(name);
  }
  while (waitpid(-1, nullptr, 0) > 0) {
  }
}

TEST_P(CgroupTest, ATreeOfSessionsIsKilledAsAWhole) {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  wait_for(start("1", {.milli_vcores = 2'000, .memory_mib = 64, .pids = 64}, {"leave", "20"}));
  EXPECT_EQ(tree_->remove("1"), Removal::busy);
  EXPECT_TRUE(tree_->kill("1"));
  // All twenty come back to this subreaper: none has escaped.
  int killed = 0;
  int status = 0;
  while (waitpid(-1, &status, 0) > 0) killed += WIFSIGNALED(status) ? 1 : 0;
  EXPECT_EQ(killed, 20);
  kill_and_remove("1");
}

TEST_P(CgroupTest, KillingAnEmptyOrUnknownContainerIsHarmless) {
  EXPECT_TRUE(tree_->create("1", roomy));
  EXPECT_TRUE(tree_->kill("1"));
  EXPECT_TRUE(tree_->kill("unknown"));
  EXPECT_EQ(tree_->remove("1"), Removal::removed);
}

TEST_P(CgroupTest, AContainerThatExistsIsNotMadeAgain) {
  ASSERT_TRUE(tree_->create("1", roomy));
  const auto again = tree_->create("1", roomy);
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().message.find("File exists"), std::string::npos) << again.error().message;
  EXPECT_EQ(tree_->remove("1"), Removal::removed);
}

// The use of all containers includes those that are gone.
TEST_P(CgroupTest, UseCoversAllContainers) {
  const auto before = tree_->usage();
  ASSERT_TRUE(before);
  wait_for(start("1", roomy, {"burn", "1"}));
  const std::int64_t cpu_time_us = account("1").cpu_time_us;
  kill_and_remove("1");
  const auto after = tree_->usage();
  ASSERT_TRUE(after);
  EXPECT_GE(after->cpu_time_us - before->cpu_time_us, cpu_time_us);
}

TEST_P(CgroupTest, ASecondLauncherOfTheSameAgentIsRefused) {
  const auto second = open_cgroup_tree(detect_cgroups(surroundings()), name_);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("in use by another launcher"), std::string::npos)
      << second.error().message;
}

// As after kill -9 of a launcher: its lock is gone, its containers' cgroups are not.
TEST_P(CgroupTest, AStaleTreeIsSweptWithItsProcesses) {
  const pid_t pid = start("1", roomy, {"fork_tree", "3"});
  tree_.reset();
  const CgroupSurroundings around = surroundings();
  const SweepReport report = sweep_run(around.mounts, around.memberships, name_.run);
  EXPECT_TRUE(report.left.empty()) << report.left.front();
  EXPECT_GE(report.cgroups_removed, 3);
  EXPECT_TRUE(WIFSIGNALED(wait_for(pid)));
  const SweepReport again = sweep_run(around.mounts, around.memberships, name_.run);
  EXPECT_EQ(again.cgroups_removed, 0);
}

// Of an agent whose launcher was killed: the other agents of its run keep theirs.
TEST_P(CgroupTest, OneAgentsTreeIsSweptAlone) {
  const CgroupSurroundings around = surroundings();
  auto other = open_cgroup_tree(detect_cgroups(around), {name_.run, "other"});
  ASSERT_TRUE(other) << other.error().message;
  ASSERT_TRUE((*other)->create("1", roomy));
  other->reset();
  const SweepReport report = sweep_agent(around.mounts, around.memberships, {name_.run, "other"});
  EXPECT_TRUE(report.left.empty()) << report.left.front();
  EXPECT_GE(report.cgroups_removed, 2);
  EXPECT_TRUE(tree_->create("1", roomy)) << "of this test's own agent";
  EXPECT_EQ(tree_->remove("1"), Removal::removed);
}

// As after everything of a run was killed at once: the next launcher, of whichever run, cleans up.
// The tree of one that lives is left alone, though it is as empty.
TEST_P(CgroupTest, WhatTheDeadLeftIsRemovedAndTheLivingAreLeftAlone) {
  const CgroupSurroundings around = surroundings();
  auto dead = open_cgroup_tree(detect_cgroups(around), {name_.run + "-dead", "agent"});
  ASSERT_TRUE(dead) << dead.error().message;
  ASSERT_TRUE((*dead)->create("1", roomy));
  dead->reset();
  const SweepReport report = sweep_abandoned(around.mounts, around.memberships);
  EXPECT_TRUE(report.left.empty()) << report.left.front();
  EXPECT_GE(report.cgroups_removed, 2);
  EXPECT_EQ(sweep_run(around.mounts, around.memberships, name_.run + "-dead").cgroups_removed, 0);
  EXPECT_TRUE(tree_->create("1", roomy)) << "of this test's own run";
  EXPECT_EQ(tree_->remove("1"), Removal::removed);
}

TEST_P(CgroupTest, NothingIsKilledInWhatLooksAbandoned) {
  const CgroupSurroundings around = surroundings();
  const pid_t pid = start("1", roomy, {"burn", "100"});
  tree_.reset();
  // exec lets the parent go on a moment before it closes the child's copy of the lock.
  EXPECT_TRUE(
      eventually([&] { return !sweep_abandoned(around.mounts, around.memberships).left.empty(); }));
  EXPECT_EQ(::kill(pid, 0), 0);
  EXPECT_EQ(waitpid(pid, nullptr, WNOHANG), 0) << "it lives";
  sweep_run(around.mounts, around.memberships, name_.run);
  EXPECT_TRUE(WIFSIGNALED(wait_for(pid)));
}

TEST_P(CgroupTest, ANewLauncherClearsWhatAnEarlierOneLeft) {
  const pid_t pid = start("1", roomy, {"fork_tree", "3"});
  tree_.reset();
  auto next = open_cgroup_tree(detect_cgroups(surroundings()), name_);
  ASSERT_TRUE(next) << next.error().message;
  tree_ = *std::move(next);
  EXPECT_TRUE(WIFSIGNALED(wait_for(pid)));
  EXPECT_TRUE(tree_->create("1", roomy)) << "the name is free again";
  EXPECT_EQ(tree_->remove("1"), Removal::removed);
}

TEST_P(CgroupTest, AProcessThatCannotStartSaysAtWhichStep) {
  const auto entry = tree_->create("1", roomy);
  ASSERT_TRUE(entry);
  const FileDescriptor directory(open("/", O_PATH | O_CLOEXEC));
  char argument[] = "x";
  char* arguments[] = {argument, nullptr};
  const auto pid =
      starter_.start({.program = directory.number(), .arguments = arguments, .entry = &*entry});
  ASSERT_FALSE(pid);
  EXPECT_EQ(pid.error().step, StartFailure::Step::execute);
  EXPECT_EQ(describe(pid.error()), "the task program cannot be executed: Permission denied");
  EXPECT_EQ(tree_->remove("1"), Removal::removed) << "the failed child is gone";
}

INSTANTIATE_TEST_SUITE_P(OnThisMachine, CgroupTest, testing::ValuesIn(backends_here()),
                         [](const auto& backend) { return backend.param; });

}  // namespace
}  // namespace tracebed
