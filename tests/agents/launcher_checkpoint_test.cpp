// Tasks of a tracebed-launcher that are told to keep their progress and end.
#include <algorithm>
#include <csignal>
#include <set>

#include "agents/launcher_fixture.h"
#include "support/files.h"

namespace tracebed::launcher {
namespace {

using testing::IsEmpty;

constexpr std::int64_t one_second_us = 1'000'000;

class CheckpointTest : public LauncherTest {
 protected:
  static bool is_user_mode_linux() {
    return contents("/proc/cpuinfo").find("User Mode Linux") != std::string::npos;
  }
  // It goes on for so long that no test sees its end.
  static constexpr TaskWork long_work = {
      Work{.duration = std::chrono::minutes(60), .cpu_time = std::chrono::minutes(30)}};
  static LaunchRecord long_task(std::uint32_t id = 1) { return container(id, long_work); }
  static void checkpoint(LauncherProcess& launcher, std::vector<std::uint32_t> containers = {1}) {
    launcher.client().checkpoint(containers);
  }
  static void wait_until_burned(LauncherProcess& launcher, std::int64_t cpu_time_us) {
    EXPECT_TRUE(eventually([&] {
      launcher.client().query_usage();
      return launcher.next_usage().cpu_time_us >= cpu_time_us;
    }));
  }
  // Returns the CPU time that the task had used, for its start alone, when it was let begin: under
  // User Mode Linux on a busy machine that may be more than the work of a test, or less than a
  // tick, which counts as nothing.
  static std::int64_t launch_and_let_begin(LauncherProcess& launcher, LaunchRecord task) {
    task.held = 1;
    launcher.launch(task);
    const pid_t process = launcher.next_started().process;
    const auto waits = [&] {
      const std::vector<pid_t> tasks = processes_of(TRACEBED_TASK);
      const std::vector<std::string> fields = stat_of(process);
      return std::count(tasks.begin(), tasks.end(), process) == 1 && !fields.empty() &&
             fields.front() == "S";
    };
    std::int64_t used_us = -1;
    int times = 0;  // in a row
    EXPECT_TRUE(eventually([&] {
      launcher.client().query_usage();
      const std::int64_t now_us = launcher.next_usage().cpu_time_us;
      times = now_us == used_us && waits() ? times + 1 : 0;
      used_us = now_us;
      return times == 10;
    }));
    launcher.client().release(std::vector<std::uint32_t>{task.container});
    return used_us;
  }
  static void expect_checkpointed(const ExitedRecord& exit) {
    EXPECT_EQ(exit.cause, ExitCause::checkpointed) << exit.container;
    EXPECT_EQ(exit.exit_code, 0);
    EXPECT_EQ(exit.signal, 0);
  }
  // User Mode Linux charges whole ticks of ten milliseconds to whoever runs when one comes, and
  // what its host gave to others meanwhile as well.
  static std::int64_t uncharged_us(std::int64_t counted_us) {
    return 20'000 + (is_user_mode_linux() ? counted_us / 4 : 0);
  }
  // The CPU time of the part of the work that counts as done.
  static std::int64_t done_us(const LaunchRecord& task, const ExitedRecord& exit) {
    return to_task_work(task.work)->cpu_time.count() * exit.progress / 1'000'000;
  }
  // The CPU time that was used since the start is that of the part that counts as done, but for
  // touching memory, ending and one slice of each thread.
  static void expect_its_cpu_time(const ExitedRecord& exit, const LaunchRecord& task,
                                  std::int64_t start_us) {
    const std::int64_t counted_us = done_us(task, exit);
    const std::int64_t used_us = exit.cpu_time_us - start_us;
    EXPECT_GE(used_us, counted_us - uncharged_us(counted_us));
    if (is_user_mode_linux()) return;
    EXPECT_LE(used_us, counted_us + 150'000);
  }
};

TEST_F(CheckpointTest, ARunningTaskKeepsThePartOfItsWorkThatItsCpuTimeShows) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  const LaunchRecord task =
      container(1, {Work{.duration = seconds(100), .cpu_time = seconds(50), .memory_mib = 2}});
  const std::int64_t start_us = launch_and_let_begin(launcher, task);
  wait_until_burned(launcher, start_us + one_second_us);
  checkpoint(launcher);
  const ExitedRecord exit = launcher.next_exited();
  EXPECT_EQ(exit.container, 1);
  expect_checkpointed(exit);
  EXPECT_GT(exit.progress, is_user_mode_linux() ? 0u : 15'000u);  // a second of 50 is 20,000
  expect_its_cpu_time(exit, task, start_us);
}

TEST_F(CheckpointTest, AllThreadsOfATaskStop) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  LaunchRecord task = container(1, {Work{.duration = seconds(25), .cpu_time = seconds(50)}});
  task.milli_vcores = 4'000;
  task.threads = 4;
  const std::int64_t start_us = launch_and_let_begin(launcher, task);
  wait_until_burned(launcher, start_us + one_second_us);
  checkpoint(launcher);
  const ExitedRecord exit = launcher.next_exited();
  expect_checkpointed(exit);
  EXPECT_GT(exit.progress, 0);
  // The least of the threads counts, and on a machine with fewer CPUs they are not alike.
  const std::int64_t counted_us = done_us(task, exit);
  EXPECT_GE(exit.cpu_time_us, counted_us - uncharged_us(counted_us));
}

TEST_F(CheckpointTest, AHeldTaskHasDoneNothing) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  LaunchRecord task = long_task();
  task.held = 1;
  launcher.launch(task);
  launcher.next_started();
  checkpoint(launcher);
  const ExitedRecord exit = launcher.next_exited();
  expect_checkpointed(exit);
  EXPECT_EQ(exit.progress, 0);
}

// The order may come before the launch was carried out, or before the process listens.
TEST_F(CheckpointTest, ATaskThatHasJustStartedHearsIt) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  for (std::uint32_t id = 1; id <= 40; ++id) {
    LaunchRecord task = long_task(id);
    task.held = id % 3 == 0 ? 1 : 0;
    launcher.launch(task);
    if (id % 2 == 0) launcher.next_started();
    checkpoint(launcher, {id});
    const ExitedRecord exit = launcher.next_exited();
    EXPECT_EQ(exit.container, id);
    expect_checkpointed(exit);
    EXPECT_LT(exit.progress, 1'000'000);
  }
}

TEST_F(CheckpointTest, ManyTasksAtOnceLoseNothing) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  std::vector<LaunchRecord> records = containers(500, 3'600 * one_second_us);
  for (LaunchRecord& record : records) record.held = 1;
  launcher.client().launch(records);
  std::vector<std::uint32_t> all;
  for (const LaunchRecord& record : records) {
    launcher.next_started();
    all.push_back(record.container);
  }
  checkpoint(launcher, all);
  std::set<std::uint32_t> ended;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const ExitedRecord exit = launcher.next_exited();
    expect_checkpointed(exit);
    ended.insert(exit.container);
  }
  EXPECT_EQ(ended.size(), records.size());
}

TEST_F(CheckpointTest, RepeatedLateAndUnknownOrdersChangeNothing) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  launcher.launch(container(1));
  const ExitedRecord first = launcher.next_exited();
  checkpoint(launcher, {1, 99});
  EXPECT_EQ(first.cause, ExitCause::by_itself);
  launcher.launch(long_task(2));
  launcher.next_started();
  checkpoint(launcher, {2, 2});
  checkpoint(launcher, {2});
  expect_checkpointed(launcher.next_exited());
  launcher.launch(container(3));
  EXPECT_EQ(launcher.next_exited().container, 3);
  EXPECT_THAT(launcher.exits_so_far(), IsEmpty());
}

TEST_F(CheckpointTest, ATaskThatDoesNotObeyGoesOnUntilItIsKilled) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  for (const std::int64_t held : {0, 1}) {
    TaskWork work = long_work;
    work.ignores_checkpoint = true;
    LaunchRecord task = container(static_cast<std::uint32_t>(1 + held), work);
    task.held = held;
    launcher.launch(task);
    checkpoint(launcher, {task.container});
    launcher.next_started();
    checkpoint(launcher, {task.container});
    if (held != 0) launcher.client().release(std::vector<std::uint32_t>{task.container});
    launcher.client().query_usage();
    wait_until_burned(launcher, launcher.next_usage().cpu_time_us + one_second_us / 10);
    launcher.client().kill(std::vector<std::uint32_t>{task.container});
    const ExitedRecord exit = launcher.next_exited();
    EXPECT_EQ(exit.cause, ExitCause::killed);
    EXPECT_EQ(exit.progress, 0);
  }
}

TEST_F(CheckpointTest, WithoutIsolationItIsTheSame) {
  LauncherProcess::Options chosen = options(TRACEBED_TASK);
  chosen.more = {"--isolation", "none"};
  LauncherProcess launcher(chosen);
  launcher.launch(long_task());
  launcher.next_started();
  checkpoint(launcher);
  expect_checkpointed(launcher.next_exited());
}

}  // namespace
}  // namespace tracebed::launcher
