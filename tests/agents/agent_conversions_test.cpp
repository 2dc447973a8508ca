// What an agent makes of the coordinator's launches for its launcher, and of the launcher's exits
// for the coordinator.
#include <gtest/gtest.h>

#include "agents/agent/agent_session.h"
#include "agents/task/work_spec.h"

namespace tracebed::agent {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

launcher::LaunchRecord record_of(const wire::Launch& launch, const Resources& capacity,
                                 CpuEnforcement enforcement = CpuEnforcement::quota) {
  return to_launch(launch, capacity, {}, enforcement);
}

TEST(Launches, AreLimitedByWhatTheTaskAsksForElseByTheNode) {
  const Resources capacity(4'000, 8'192);
  wire::Launch launch;
  launch.container = ContainerId(3u);
  launch.limits = Resources(500, 64);
  EXPECT_EQ(record_of(launch, capacity).milli_vcores, 500);
  EXPECT_EQ(record_of(launch, capacity).memory_mib, 64);
  launch.limits = Resources(0, 0);
  EXPECT_EQ(record_of(launch, capacity).milli_vcores, 4'000);
  EXPECT_EQ(record_of(launch, capacity).memory_mib, 8'192);
}

TEST(Launches, GetAsManyThreadsAsTheirCpuTimeNeedsAndTheirVcoresLetRun) {
  struct Case {
    std::int64_t milli_vcores;
    Duration duration;
    Duration cpu_time;
    std::uint32_t threads;
    std::uint32_t threads_by_weight;  // of the node's four vcores
  };
  const std::vector<Case> cases = {
      {1'000, seconds(10), seconds(5), 1, 1},  {1'000, seconds(10), seconds(20), 1, 2},
      {4'000, seconds(10), seconds(20), 2, 2}, {4'000, seconds(10), seconds(21), 3, 3},
      {1'500, seconds(1), seconds(9), 2, 4},   {4'000, seconds(0), seconds(9), 1, 1},
  };
  for (const Case& test : cases) {
    wire::Launch launch;
    launch.container = ContainerId(1u);
    launch.limits = Resources(test.milli_vcores, 64);
    launch.work = {Work{.duration = test.duration, .cpu_time = test.cpu_time}};
    const Resources capacity(4'000, 64);
    const launcher::LaunchRecord record = record_of(launch, capacity);
    EXPECT_EQ(record.threads, test.threads);
    EXPECT_GT(record.pids, record.threads);
    EXPECT_EQ(record_of(launch, capacity, CpuEnforcement::weight).threads, test.threads_by_weight);
  }
}

TEST(Launches, OfTasksThatFetchMayHaveAThreadForEachMachineAtATime) {
  wire::Launch launch;
  launch.container = ContainerId(1u);
  const std::int64_t without = record_of(launch, Resources(1'000, 64)).pids;
  launch.work.shuffle_sources = 9;
  launch.work.shuffle_length = 100;
  launch.work.shuffle_copies = 5;
  EXPECT_EQ(record_of(launch, Resources(1'000, 64)).pids, without + 5);
}

TEST(Launches, CarryWhatMemoryIsLookedAtAndNotTooOften) {
  wire::Launch launch;
  launch.container = ContainerId(1u);
  launch.limits = Resources(1'000, 64);
  launch.work.virtual_memory_mib = 96;
  launch.virtual_memory_limit_mib = 134;
  launch.memory_look = std::chrono::milliseconds(150);
  const launcher::LaunchRecord record = record_of(launch, Resources(1'000, 64));
  EXPECT_EQ(record.work, to_numbers(launch.work));
  EXPECT_EQ(record.virtual_memory_limit_mib, 134);
  EXPECT_EQ(record.memory_look_us, 150'000);
  launch.memory_look = std::chrono::microseconds(3);
  EXPECT_EQ(record_of(launch, Resources(1'000, 64)).memory_look_us, 1'000);
}

TEST(Launches, CarryTheDevicesForTheEnvironment) {
  wire::Launch launch;
  launch.container = ContainerId(1u);
  EXPECT_STREQ(record_of(launch, Resources(1'000, 64)).devices.data(), "");
  launch.devices = "gpu_milli:0 gpu_milli:3";
  EXPECT_STREQ(record_of(launch, Resources(1'000, 64)).devices.data(), "gpu_milli:0 gpu_milli:3");
  launch.devices.assign(device_text_bytes_max, 'd');
  EXPECT_EQ(record_of(launch, Resources(1'000, 64)).devices.data(), launch.devices);
}

TEST(Exits, AreTheProjectsEnds) {
  struct Case {
    launcher::ExitCause cause;
    std::int32_t exit_code;
    std::int32_t signal;
    ContainerEnd end;
  };
  using launcher::ExitCause;
  const std::vector<Case> cases = {
      {ExitCause::by_itself, 0, 0, ContainerEnd::succeeded},
      {ExitCause::by_itself, 1, 0, ContainerEnd::failed},
      {ExitCause::by_itself, 0, 11, ContainerEnd::failed},
      {ExitCause::out_of_memory, 0, 9, ContainerEnd::out_of_memory},
      {ExitCause::timed_out, 0, 9, ContainerEnd::timed_out},
      {ExitCause::killed, 0, 9, ContainerEnd::killed},
      {ExitCause::orphaned, 0, 9, ContainerEnd::killed},
      {ExitCause::launch_failed, 0, 0, ContainerEnd::launch_failed},
      {ExitCause::checkpointed, 0, 0, ContainerEnd::checkpointed},
      {ExitCause::checkpointed, 0, 9, ContainerEnd::checkpointed},
      {ExitCause::by_itself, heap_exhausted_exit, 0, ContainerEnd::heap_exhausted},
      {ExitCause::virtual_memory_exceeded, 0, 9, ContainerEnd::virtual_memory_exceeded},
  };
  for (const Case& test : cases) {
    launcher::ExitedRecord record;
    record.container = 4;
    record.cause = test.cause;
    record.exit_code = test.exit_code;
    record.signal = test.signal;
    record.cpu_time_us = 12;
    record.progress = 34;
    const wire::ContainerExit exit = to_exit(record);
    EXPECT_EQ(exit.end, test.end);
    EXPECT_EQ(exit.container, ContainerId(4u));
    EXPECT_EQ(exit.cpu_time, std::chrono::microseconds(12));
    EXPECT_EQ(exit.progress, 34);
  }
}

}  // namespace
}  // namespace tracebed::agent
