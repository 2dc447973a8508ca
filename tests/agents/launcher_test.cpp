// Containers of a tracebed-launcher: what they get, and what is told of their ends.
#include <csignal>
#include <ctime>
#include <filesystem>
#include <map>
#include <sched.h>
#include <set>

#include "agents/launcher_fixture.h"
#include "agents/task/work_spec.h"
#include "hdfs_client/scripted_file.h"
#include "hdfs_client/scripted_replica.h"
#include "support/eventually.h"
#include "support/files.h"

namespace tracebed::launcher {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// User Mode Linux counts CPU time in steps of 10 ms, others in nanoseconds.
std::int64_t cpu_clock_step_ns() {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
  };
  const std::int64_t begin = now();
  std::int64_t first = begin;
  while (first == begin) first = now();
  std::int64_t second = first;
  while (second == first) second = now();
  return second - first;
}

TEST_F(LauncherTest, ATaskIsAccountedExactly) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  EXPECT_NE(launcher.next_state().isolation, Isolation::none);
  const LaunchRecord record = container(
      7, {Work{.duration = milliseconds(300), .cpu_time = milliseconds(200), .memory_mib = 32}});
  const std::int64_t before_ns =
      std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
  launcher.launch(record);
  const StartedRecord started = launcher.next_started();
  EXPECT_EQ(started.container, 7);
  EXPECT_GT(started.process, 0);
  const ExitedRecord exit = launcher.next_exited();
  EXPECT_EQ(exit.container, 7);
  EXPECT_EQ(exit.cause, ExitCause::by_itself);
  EXPECT_EQ(exit.exit_code, 0);
  EXPECT_EQ(exit.signal, 0);
  EXPECT_GE(exit.cpu_time_us, 200'000);
  // One thread cannot use more CPU time than time goes by. Where page faults are slow both grow
  // alike.
  EXPECT_LE(exit.cpu_time_us, (exit.ended_ns - exit.started_ns) / 1000 + 20'000);
  EXPECT_GT(exit.memory_peak_bytes, 28 << 20);
  EXPECT_LE(exit.memory_peak_bytes, 32 << 20);
  EXPECT_EQ(exit.started_ns, started.at_ns);
  EXPECT_GE(exit.started_ns, before_ns);
  // Computing and waiting in turn, it measures its waits in steps of the CPU clock.
  EXPECT_GE(exit.ended_ns - exit.started_ns, 300'000'000 - 10 * cpu_clock_step_ns());
}

// Of a task that has begun: its launcher is told of a process before the kernel has laid out its
// words and, after these, its environment.
std::string environment_of(const StartedRecord& started, bool has_any) {
  const std::string process = "/proc/" + std::to_string(started.process);
  const std::string file = process + (has_any ? "/environ" : "/cmdline");
  EXPECT_TRUE(eventually([&] { return !contents(file).empty(); })) << file;
  return contents(process + "/environ");
}

TEST_F(LauncherTest, ATaskHasItsDevicesInItsEnvironmentAndNothingElse) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  const TaskWork long_work = {Work{.duration = seconds(3'600)}};
  LaunchRecord record = container(1, long_work);
  std::string("gpu_milli:0 gpu_milli:3").copy(record.devices.data(), record.devices.size());
  launcher.launch(record);
  EXPECT_STREQ(environment_of(launcher.next_started(), true).c_str(),
               "TRACEBED_DEVICES=gpu_milli:0 gpu_milli:3");
  launcher.launch(container(2, long_work));
  EXPECT_EQ(environment_of(launcher.next_started(), false), "") << "it has no devices";
  record.container = 3;
  record.devices.fill('d');
  record.devices.back() = 0;
  launcher.launch(record);
  EXPECT_EQ(environment_of(launcher.next_started(), true),
            "TRACEBED_DEVICES=" + std::string(record.devices.data()) + '\0');
  launcher.client().kill(std::vector<std::uint32_t>{1, 2, 3});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(launcher.next_exited().cause, ExitCause::killed);
}

// What the kernel has of it: a weight and no quota, of one CPU that half a vcore in all are on.
TEST_F(LauncherTest, ContainersShareByWeightWhatSettingsLeaveThem) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  SettingsRecord settings;
  settings.orphan_grace_us = 1'000'000;
  settings.milli_vcores_of_all = 500;
  settings.cpu_weights = 1;
  launcher.client().set(settings);
  LaunchRecord record = container(1, {Work{.duration = seconds(3'600)}});
  record.milli_vcores = 125;
  launcher.launch(record);
  const StartedRecord started = launcher.next_started();
  cpu_set_t cpus;
  ASSERT_EQ(sched_getaffinity(started.process, sizeof(cpus), &cpus), 0);
  EXPECT_EQ(CPU_COUNT(&cpus), 1);
  std::map<std::string, std::string> files;  // of the container and of all, by name
  for (const std::string& run : cgroups_of_run(run_)) {
    for (const char* file : {"1/cpu.shares", "1/cpu.cfs_quota_us", "cpu.cfs_quota_us",
                             "1/cpu.weight", "1/cpu.max", "cpu.max"}) {
      const std::string path = run + "/agent/" + file;
      if (std::filesystem::exists(path)) files[file] = contents(path);
    }
  }
  using testing::ElementsAre;
  using testing::Pair;
  EXPECT_THAT(files,
              testing::AnyOf(
                  ElementsAre(Pair("1/cpu.cfs_quota_us", "-1\n"), Pair("1/cpu.shares", "65536\n"),
                              Pair("cpu.cfs_quota_us", "50000\n")),
                  ElementsAre(Pair("1/cpu.max", "max 100000\n"), Pair("1/cpu.weight", "2500\n"),
                              Pair("cpu.max", "50000 100000\n"))));
  launcher.client().kill(std::vector<std::uint32_t>{1});
  EXPECT_EQ(launcher.next_exited().cause, ExitCause::killed);
}

// A profile that is exactly the container's limit must not end in its own out-of-memory.
TEST_F(LauncherTest, AProfileAsLargeAsTheLimitFits) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  for (const std::int64_t memory_mib : {1, 2, 3, 4, 5, 8, 64, 300}) {
    LaunchRecord record =
        container(static_cast<std::uint32_t>(memory_mib), {Work{.memory_mib = memory_mib}});
    record.memory_mib = memory_mib;
    record.threads = 4;
    launcher.launch(record);
    const ExitedRecord exit = launcher.next_exited();
    EXPECT_EQ(exit.cause, ExitCause::by_itself) << memory_mib;
    EXPECT_EQ(exit.exit_code, 0) << memory_mib;
  }
}

TEST_F(LauncherTest, ExitCodesAndSignalsAreTold) {
  {
    LauncherProcess launcher(options(FAULT_EXIT_7));
    launcher.launch(container(1));
    const ExitedRecord exit = launcher.next_exited();
    EXPECT_EQ(exit.exit_code, 7);
    EXPECT_EQ(exit.cause, ExitCause::by_itself);
  }
  LauncherProcess launcher(options(FAULT_SIGNAL_11));
  launcher.launch(container(1));
  const ExitedRecord exit = launcher.next_exited();
  EXPECT_EQ(exit.signal, SIGSEGV);
  EXPECT_EQ(exit.cause, ExitCause::by_itself);
}

LaunchRecord with_input(LaunchRecord record, std::int64_t bytes) {
  TaskWork work = *to_task_work(record.work);
  work.input_file = 16'390;
  work.input_length = bytes;
  record.work = to_numbers(work);
  return record;
}

TEST_F(LauncherTest, WhatATaskReadsOfItsInputIsTold) {
  constexpr std::int64_t bytes = 300'000;
  hdfs::test::LoopbackPeer datanode(
      [](hdfs::test::PeerConnection& client, int) { serve_read(client, {}); }, "127.0.1.3");
  hdfs::test::ScriptedFile file(bytes);
  file.set_datanodes({datanode.endpoint()});
  file.add_block(hdfs::test::extended_block(1, bytes), {datanode.endpoint().text()});
  LauncherProcess launcher(options(TRACEBED_TASK));
  SettingsRecord settings;
  settings.orphan_grace_us = 1'000'000;
  file.namenode().endpoint().text().copy(settings.namenode.data(), settings.namenode.size() - 1);
  std::string_view("127.0.1.3").copy(settings.address.data(), settings.address.size() - 1);
  launcher.client().set(settings);
  launcher.launch(with_input(container(1), bytes));
  const ExitedRecord exit = launcher.next_exited();
  EXPECT_EQ(exit.exit_code, 0);
  EXPECT_EQ(exit.account.input, (ReadBytes{bytes, 0, 0}));
}

TEST_F(LauncherTest, ATaskWhoseInputCannotBeReadSaysWhy) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  launcher.launch(with_input(container(1), 10));
  const ExitedRecord exit = launcher.next_exited();
  EXPECT_EQ(exit.exit_code, input_failed_exit);
  EXPECT_STREQ(exit.text.data(), "tracebed-task: input: there is no namenode at ''");
}

TEST_F(LauncherTest, OutOfMemoryIsToldAsSuch) {
  LauncherProcess launcher(options(FAULT_MEMORY_200));
  launcher.launch(container(1));
  const ExitedRecord exit = launcher.next_exited();
  EXPECT_EQ(exit.cause, ExitCause::out_of_memory);
  EXPECT_EQ(exit.signal, SIGKILL);
  EXPECT_LE(exit.memory_peak_bytes, 64 << 20);
}

TEST_F(LauncherTest, ATaskWhoseHeapIsFullExitsWithACodeOfItsOwn) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  TaskWork work = {Work{.duration = seconds(3'600), .memory_mib = 16}};
  work.exhausts_heap = true;
  launcher.launch(container(1, work));
  const ExitedRecord exit = launcher.next_exited();
  EXPECT_EQ(exit.cause, ExitCause::by_itself);
  EXPECT_EQ(exit.exit_code, heap_exhausted_exit);
  EXPECT_GE(exit.memory_peak_bytes, 12 << 20) << "it touched its memory before";
}

// A real process with real mappings: 32 MiB that it touches, of 100 MiB in all.
TEST_F(LauncherTest, WhatMapsTooMuchIsKilledAndToldAsSuch) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  TaskWork work = {Work{.duration = seconds(3'600), .memory_mib = 32}};
  work.virtual_memory_mib = 100;
  LaunchRecord record = container(1, work);
  record.threads = 4;
  record.virtual_memory_limit_mib = 99;
  record.memory_look_us = 20'000;
  launcher.launch(record);
  const ExitedRecord exit = launcher.next_exited();
  EXPECT_EQ(exit.cause, ExitCause::virtual_memory_exceeded);
  EXPECT_EQ(exit.signal, SIGKILL);
  EXPECT_THAT(std::string(exit.text.data()), HasSubstr("is over the limit of 99 MiB"));
}

TEST_F(LauncherTest, WhatMapsNoMoreThanItMayIsLeftAlone) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  TaskWork work = {Work{.duration = milliseconds(500), .memory_mib = container(1).memory_mib}};
  work.virtual_memory_mib = 100;
  LaunchRecord record = container(1, work);
  record.threads = 4;
  record.virtual_memory_limit_mib = 100;
  record.memory_look_us = 10'000;
  launcher.launch(record);
  const ExitedRecord exit = launcher.next_exited();
  EXPECT_EQ(exit.cause, ExitCause::by_itself) << exit.text.data();
  EXPECT_EQ(exit.exit_code, 0);
}

TEST_F(LauncherTest, ALimitOfVirtualMemoryWithoutLooksIsRefused) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  LaunchRecord record = container(1);
  record.virtual_memory_limit_mib = 100;
  launcher.launch(record);
  const ExitedRecord exit = launcher.next_exited();
  EXPECT_EQ(exit.cause, ExitCause::launch_failed);
  EXPECT_THAT(std::string(exit.text.data()), HasSubstr("expected a limit of virtual memory"));
}

TEST_F(LauncherTest, AKillEndsATreeOfSessions) {
  LauncherProcess launcher(options(FAULT_FORK_TREE));
  start_one(launcher);
  const std::vector<std::uint32_t> ids = {1, 99};
  launcher.client().kill(ids);
  const ExitedRecord exit = launcher.next_exited();
  EXPECT_EQ(exit.container, 1);
  EXPECT_EQ(exit.cause, ExitCause::killed);
  EXPECT_EQ(exit.signal, SIGKILL);
}

TEST_F(LauncherTest, AForkBombEndsWithItsTimeLimit) {
  LauncherProcess launcher(options(FAULT_FORK_TREE));
  LaunchRecord record = container(1);
  record.time_limit_us = 300'000;
  launcher.launch(record);
  const ExitedRecord exit = launcher.next_exited();
  EXPECT_EQ(exit.cause, ExitCause::timed_out);
  EXPECT_GE(exit.ended_ns - exit.started_ns, 300'000'000);
}

// The container ends with its first process; what that leaves behind ends with it, and the account
// covers it.
TEST_F(LauncherTest, WhatAnEndedContainerLeavesBehindIsKilled) {
  LauncherProcess launcher(options(FAULT_LEAVE));
  launcher.launch(container(1));
  const ExitedRecord exit = launcher.next_exited();
  EXPECT_EQ(exit.cause, ExitCause::by_itself);
  EXPECT_EQ(exit.exit_code, 0);
  EXPECT_THAT(processes_of(FAULT_LEAVE), IsEmpty());
}

TEST_F(LauncherTest, AnEndlessForkingChainIsKilled) {
  LauncherProcess launcher(options(FAULT_FORK_CHAIN));
  launcher.launch(container(1));
  EXPECT_EQ(launcher.next_exited().container, 1);
}

TEST_F(LauncherTest, StorageTrafficIsAccounted) {
  LauncherProcess::Options chosen = options(FAULT_WRITE);
  chosen.more = {"--task-user", "0:0"};
  LauncherProcess launcher(chosen);
  launcher.launch(container(1));
  const ExitedRecord exit = launcher.next_exited();
  EXPECT_EQ(exit.exit_code, 0);
  EXPECT_GE(exit.bytes_written, 262'144);
}

// The release may come before the launch has been carried out, before the process listens, or late.
TEST_F(LauncherTest, AHeldContainerWorksOnlyWhenReleased) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  LaunchRecord held = container(1);
  held.held = 1;
  held.time_limit_us = 1;  // of work, so it must not end a container that is held
  launcher.launch(held);
  held.time_limit_us = 0;
  held.container = 2;
  launcher.launch(held);
  launcher.client().release(std::vector<std::uint32_t>{2, 2, 99});
  EXPECT_EQ(launcher.next_exited().container, 2);
  EXPECT_THAT(launcher.exits_so_far(), IsEmpty());
  launcher.client().release(std::vector<std::uint32_t>{1});
  const ExitedRecord exit = launcher.next_exited();
  EXPECT_EQ(exit.container, 1);
  EXPECT_THAT(exit.cause, testing::AnyOf(ExitCause::timed_out, ExitCause::by_itself));
}

// A release that comes before the process has looked for it is not lost, nor does it harm.
TEST_F(LauncherTest, AReleaseRightAfterTheStartIsHeard) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  for (std::uint32_t id = 1; id <= 40; ++id) {
    LaunchRecord held = container(id);
    held.held = 1;
    launcher.launch(held);
    launcher.client().release(std::vector<std::uint32_t>{launcher.next_started().container});
  }
  for (int i = 0; i < 40; ++i) {
    const ExitedRecord exit = launcher.next_exited();
    EXPECT_EQ(exit.exit_code, 0);
    EXPECT_EQ(exit.signal, 0);
  }
}

TEST_F(LauncherTest, RepeatedAndUnknownRequestsChangeNothing) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  launcher.launch(container(1));
  launcher.launch(container(1));
  const ExitedRecord exit = launcher.next_exited();
  launcher.launch(container(1));  // ended, not acknowledged
  launcher.client().kill(std::vector<std::uint32_t>{1, 2});
  launcher.client().acknowledge(exit.sequence);
  launcher.launch(container(2));
  EXPECT_EQ(launcher.next_exited().container, 2);
  EXPECT_THAT(launcher.exits_so_far(), IsEmpty());
}

TEST_F(LauncherTest, AnImpossibleLaunchIsAnExitThatSaysWhy) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  LaunchRecord record = container(1);
  record.memory_mib = 0;
  launcher.launch(record);
  const ExitedRecord exit = launcher.next_exited();
  EXPECT_EQ(exit.cause, ExitCause::launch_failed);
  EXPECT_STREQ(exit.text.data(), "expected a memory limit of 1 to 16777216 MiB, got 0");
  record = container(2);
  record.threads = 0;
  launcher.launch(record);
  EXPECT_STREQ(launcher.next_exited().text.data(),
               "expected threads=NUMBER from 1 to 1024, got '0'");
  launcher.launch(container(3, {Work{.memory_mib = -1}}));
  EXPECT_STREQ(launcher.next_exited().text.data(),
               "expected memory_mib from 0 to 1099511627776, got -1");
}

TEST_F(LauncherTest, ManyContainersRunAtOnce) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  const std::vector<LaunchRecord> records = containers(600, 100'000);
  launcher.client().launch(records);
  std::set<std::uint32_t> ended;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const ExitedRecord exit = launcher.next_exited();
    ASSERT_EQ(exit.exit_code, 0) << "of container " << exit.container;
    ended.insert(exit.container);
  }
  EXPECT_EQ(ended.size(), records.size());
}

TEST_F(LauncherTest, UseIsMeasuredOverAllContainers) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  launcher.launch(
      container(1, {Work{.duration = milliseconds(200), .cpu_time = milliseconds(200)}}));
  launcher.next_exited();
  launcher.client().query_usage();
  const UsageRecord usage = launcher.next_usage();
  EXPECT_GE(usage.cpu_time_us, 200'000);
  EXPECT_GT(usage.at_ns, 0);
}

// ---- without cgroups ----

TEST_F(LauncherTest, WithoutIsolationContainersRunAndAreAccountedFromTheirProcesses) {
  LauncherProcess::Options chosen = options(TRACEBED_TASK);
  chosen.more = {"--isolation", "none"};
  LauncherProcess launcher(chosen);
  EXPECT_EQ(launcher.next_state().isolation, Isolation::none);
  launcher.launch(container(
      1, {Work{.duration = milliseconds(100), .cpu_time = milliseconds(100), .memory_mib = 32}}));
  const ExitedRecord exit = launcher.next_exited();
  EXPECT_EQ(exit.exit_code, 0);
  EXPECT_GE(exit.cpu_time_us, 100'000);
  EXPECT_GT(exit.memory_peak_bytes, 28 << 20);
  EXPECT_THAT(cgroups_of_run(run_), IsEmpty());
}

TEST_F(LauncherTest, WithoutIsolationAKillEndsThoseThatLeftTheirSessionToo) {
  LauncherProcess::Options chosen = options(FAULT_FORK_TREE);
  chosen.more = {"--isolation", "none"};
  LauncherProcess launcher(chosen);
  launcher.launch(container(1));
  EXPECT_TRUE(eventually([] { return processes_of(FAULT_FORK_TREE).size() >= 6; }));
  launcher.client().kill(std::vector<std::uint32_t>{1});
  EXPECT_EQ(launcher.next_exited().cause, ExitCause::killed);
  EXPECT_TRUE(eventually([] { return processes_of(FAULT_FORK_TREE).empty(); }));
}

}  // namespace
}  // namespace tracebed::launcher
