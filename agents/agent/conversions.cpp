// Between the coordinator's messages and the launcher's records.
#include <algorithm>
#include <span>

#include "agents/agent/agent_session.h"
#include "agents/task/work_spec.h"
#include "core/check.h"
#include "core/shuffle_work.h"
#include "protocol/shuffle/shuffle_token.h"

namespace tracebed::agent {
namespace {

using launcher::ExitCause;

ContainerEnd end_of(const launcher::ExitedRecord& record) {
  switch (record.cause) {
    case ExitCause::by_itself:
      if (record.signal == 0 && record.exit_code == heap_exhausted_exit) {
        return ContainerEnd::heap_exhausted;
      }
      return record.exit_code == 0 && record.signal == 0 ? ContainerEnd::succeeded
                                                         : ContainerEnd::failed;
    case ExitCause::out_of_memory:
      return ContainerEnd::out_of_memory;
    case ExitCause::timed_out:
      return ContainerEnd::timed_out;
    case ExitCause::killed:
    case ExitCause::orphaned:
      return ContainerEnd::killed;
    case ExitCause::launch_failed:
      return ContainerEnd::launch_failed;
    case ExitCause::checkpointed:
      return ContainerEnd::checkpointed;
    case ExitCause::virtual_memory_exceeded:
      return ContainerEnd::virtual_memory_exceeded;
  }
  TRACEBED_CHECK(false, "a verified exit has a known cause");
}

std::string diagnostics_of(const launcher::ExitedRecord& record) {
  if (record.cause == ExitCause::orphaned) return "ended without a coordinator or agent";
  return record.text.data();
}

wire::WallTime wall_time(std::int64_t nanoseconds) {
  return wire::WallTime(std::chrono::nanoseconds(nanoseconds));
}

// Rounded up, so that work of less than a microsecond is still work.
std::int64_t microseconds_of(wire::WallDuration duration) {
  const std::int64_t us = std::chrono::ceil<std::chrono::microseconds>(duration).count();
  return std::min(us, work_duration_us_max);
}

std::int64_t limit_of(std::int64_t asked, std::int64_t capacity) {
  return asked > 0 ? asked : std::max<std::int64_t>(capacity, 1);
}

// A task gets the token of its own job alone.
void add_shuffle_token(const TaskWork& work, const std::string& shuffle_key,
                       launcher::LaunchRecord& record) {
  if (!shuffles(work) || shuffle_key.size() != shuffle::RunKey::size) return;
  const shuffle::RunKey key(std::as_bytes(std::span(shuffle_key)).first<shuffle::RunKey::size>());
  const shuffle::JobToken token = shuffle::job_token(key, shuffle_job_of(work).value());
  std::copy(token.bytes().begin(), token.bytes().end(), record.shuffle_token.begin());
}

}  // namespace

wire::ContainerExit to_exit(const launcher::ExitedRecord& record) {
  wire::ContainerExit exit;
  exit.sequence = record.sequence;
  exit.container = ContainerId(record.container);
  exit.end = end_of(record);
  exit.started = wall_time(record.started_ns);
  exit.ended = wall_time(record.ended_ns);
  exit.cpu_time = std::chrono::microseconds(record.cpu_time_us);
  exit.memory_peak_bytes = record.memory_peak_bytes;
  exit.bytes_read = record.bytes_read;
  exit.bytes_written = record.bytes_written;
  exit.account = record.account;
  exit.exit_code = record.exit_code;
  exit.signal = record.signal;
  exit.progress = record.progress;
  exit.diagnostics = diagnostics_of(record);
  return exit;
}

launcher::LaunchRecord to_launch(const wire::Launch& launch, const Resources& capacity,
                                 const std::string& shuffle_key, CpuEnforcement enforcement) {
  launcher::LaunchRecord record;
  record.container = launch.container.value();
  record.milli_vcores = limit_of(launch.limits.milli_vcores(), capacity.milli_vcores());
  record.memory_mib = limit_of(launch.limits.memory_mib(), capacity.memory_mib());
  record.work = to_numbers(launch.work);
  record.time_limit_us = microseconds_of(launch.time_limit);
  record.held = launch.is_held ? 1 : 0;
  record.virtual_memory_limit_mib = std::min(launch.virtual_memory_limit_mib, work_memory_mib_max);
  // A look at every container more often than this would be the launcher's whole work.
  constexpr std::int64_t look_us_min = 1'000;
  record.memory_look_us = std::max(microseconds_of(launch.memory_look), look_us_min);
  // As many threads as it takes to burn the CPU time within the duration, if the vcores that the
  // container can have let so many run at a time.
  const std::int64_t duration_us = launch.work.duration.count();
  const std::int64_t wanted =
      duration_us > 0 ? (launch.work.cpu_time.count() + duration_us - 1) / duration_us : 1;
  const std::int64_t obtainable = enforcement == CpuEnforcement::weight
                                      ? limit_of(0, capacity.milli_vcores())
                                      : record.milli_vcores;
  const std::int64_t useful = (obtainable + 999) / 1'000;
  record.threads = static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(wanted, 1, std::min(useful, work_threads_max)));
  constexpr std::int64_t pids_to_spare = 8;
  record.pids = record.threads + pids_to_spare;
  record.pids += fetches_at_a_time(launch.work);
  add_shuffle_token(launch.work, shuffle_key, record);
  TRACEBED_CHECK(launch.devices.size() < record.devices.size(),
                 "a verified launch fits a launcher's record");
  launch.devices.copy(record.devices.data(), launch.devices.size());
  return record;
}

launcher::MasterLaunchRecord to_launch(const wire::LaunchMaster& launch, const Identity& identity,
                                       const std::string& run, std::uint64_t epoch) {
  launcher::MasterLaunchRecord record;
  record.container = launch.container.value();
  record.application = launch.application.value();
  record.attempt = launch.attempt;
  record.milli_vcores = limit_of(launch.limits.milli_vcores(), identity.capacity.milli_vcores());
  record.memory_mib = limit_of(launch.limits.memory_mib(), identity.capacity.memory_mib());
  constexpr std::int64_t master_pids = 16;  // ZeroMQ's threads, and some to spare
  record.pids = master_pids;
  record.epoch = epoch;
  record.session = launch.session;
  const auto copy = [](const std::string& text, auto& into) {
    TRACEBED_CHECK(text.size() < into.size(), "an agent's own names fit its launcher's records");
    text.copy(into.data(), text.size());
  };
  copy(run, record.run);
  copy(identity.coordinator, record.coordinator);
  copy(identity.address, record.address);
  if (launch.keys) {
    copy(launch.keys->own_public, record.own_public);
    copy(launch.keys->own_secret, record.own_secret);
    copy(launch.keys->coordinator, record.coordinator_key);
  }
  return record;
}

}  // namespace tracebed::agent
