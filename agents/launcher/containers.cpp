#include "agents/launcher/containers.h"

#include <algorithm>
#include <csignal>
#include <spdlog/spdlog.h>
#include <sys/wait.h>

#include "agents/launcher/process_files.h"
#include "agents/task/work_spec.h"
#include "core/preemption.h"

namespace tracebed::launcher {
namespace {

using std::chrono::steady_clock;

constexpr auto finish_pause = std::chrono::milliseconds(1);
constexpr auto finish_time = std::chrono::seconds(5);
constexpr auto left_over_pause = std::chrono::milliseconds(100);

ExitCause cause_of(int status, std::optional<ExitCause> killed_for, std::int64_t oom_kills) {
  if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) return ExitCause::by_itself;
  if (killed_for) return *killed_for;
  // The kernel does not say which process it took. A SIGKILL that nobody here sent, in a cgroup
  // where it took one, was the kernel's.
  return oom_kills > 0 ? ExitCause::out_of_memory : ExitCause::by_itself;
}

}  // namespace

std::int64_t wall_clock_ns() {
  using std::chrono::duration_cast;
  return duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Containers::Containers(Enclosure& enclosure, ContainerOptions options)
    : enclosure_(enclosure), options_(std::move(options)), next_sequence_(options_.first_sequence) {
  if (options_.filters_syscalls) filter_.emplace();
}

void Containers::limit_time(std::uint32_t id, std::chrono::microseconds limit) {
  if (limit.count() > 0) time_limits_.push({steady_clock::now() + limit, id});
}

void Containers::release(std::uint32_t id) {
  const auto found = containers_.find(id);
  if (found == containers_.end() || !found->second.is_held || found->second.reaped) return;
  found->second.is_held = false;
  limit_time(id, found->second.time_limit);
  // Its own child, which was not waited for: the number is still its.
  ::kill(found->second.process, begin_signal);
}

void Containers::checkpoint(std::uint32_t id) {
  const auto found = containers_.find(id);
  if (found == containers_.end()) return;
  Container& container = found->second;
  if (!container.is_task || container.is_checkpoint_requested || container.reaped) return;
  container.is_checkpoint_requested = true;
  ::kill(container.process, checkpoint_signal);  // as above
  // A task that burns has used up its quota most of the time, and would be notified a tenth of a
  // second later. It keeps its quota, since it may not obey.
  if (const Status status = enclosure_.renew_cpu_quota(id); !status) {
    spdlog::warn("container {} received its checkpoint request late: {}", id,
                 status.error().message);
  }
}

void Containers::listen_to(std::uint32_t id, Container& container) {
  const ContainerPipe::Output output = container.pipe.take();
  if (!output.text.empty()) spdlog::warn("container {} printed: {}", id, output.text);
  container.output = std::move(output.text);
  if (!output.report) return;
  const ProgressReport& report = *output.report;
  const bool is_its_own =
      container.is_task && report.container == id && is_possible(report.account);
  const bool keeps_nothing = report.progress == 0 || report.progress >= whole_work;
  // One that has failed says why after it; progress is all that a task says that keeps it.
  const bool is_plain = report.progress == 0 || container.output.empty();
  if (is_its_own && is_plain && (container.is_checkpoint_requested || keeps_nothing)) {
    container.account = report.account;
    const bool is_kept = container.is_checkpoint_requested && report.progress < whole_work;
    if (is_kept) container.progress = report.progress;
  } else if (false_progress_++ == 0) {
    spdlog::error("dropped the progress report of container {}: none was requested", id);
  }
}

std::vector<ProgressRecord> Containers::progress(SteadyTime now) {
  std::vector<ProgressRecord> records;
  for (auto& [id, container] : containers_) {
    if (!container.stated || container.reaped || now < container.next_progress) continue;
    const auto done = container.stated->stated();
    if (!done) continue;
    container.next_progress = now + container.interval;
    records.push_back({id, *done});
  }
  std::sort(records.begin(), records.end(),
            [](const auto& a, const auto& b) { return a.container < b.container; });
  return records;
}

void Containers::fail(std::uint32_t container, const std::string& why) {
  spdlog::warn("container {} cannot be launched: {}", container, why);
  keep_unstarted(container, ExitCause::launch_failed, why);
}

void Containers::cancel(std::uint32_t container) {
  keep_unstarted(container, ExitCause::killed, "killed before it was started");
}

void Containers::cancel_checkpointed(std::uint32_t container) {
  keep_unstarted(container, ExitCause::checkpointed, "checkpointed before it was started");
}

void Containers::keep_unstarted(std::uint32_t container, ExitCause cause, const std::string& text) {
  ExitedRecord record;
  record.container = container;
  record.cause = cause;
  record.started_ns = record.ended_ns = wall_clock_ns();
  text.copy(record.text.data(), record.text.size() - 1);
  keep(record);
}

void Containers::kill(std::uint32_t id, ExitCause cause) {
  const auto found = containers_.find(id);
  if (found == containers_.end() || found->second.reaped) return;
  if (!found->second.killed_for) found->second.killed_for = cause;
  if (const Status status = enclosure_.kill(id); !status) {
    spdlog::error("container {} cannot be killed: {}", id, status.error().message);
  }
}

void Containers::kill_all(ExitCause cause) {
  for (auto& [id, container] : containers_) kill(id, cause);
}

bool Containers::reap() {
  constexpr int at_once = 256;
  for (int i = 0; i < at_once; ++i) {
    // First only looked at: /proc still shows the account of a process that was not waited for.
    siginfo_t ended = {};
    if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == 0) {
      return false;
    }
    Reaped reaped;
    reaped.process = ended.si_pid;
    const auto found = by_process_.find(ended.si_pid);
    if (found != by_process_.end()) {
      const ProcessIo io = read_process_io(ended.si_pid);
      reaped.bytes_read = io.bytes_read;
      reaped.bytes_written = io.bytes_written;
    }
    wait4(ended.si_pid, &reaped.status, WNOHANG, &reaped.used);
    if (found == by_process_.end()) continue;

    const std::uint32_t id = found->second;
    Container& container = containers_.at(id);
    listen_to(id, container);
    by_process_.erase(found);
    memory_.forget(id);
    container.reaped = reaped;
    container.ended_ns = wall_clock_ns();
    container.give_up_at = steady_clock::now() + finish_time;
    if (finish(id, container)) {
      containers_.erase(id);
    } else {
      finishing_.push_back(id);
      next_finish_ = steady_clock::now() + finish_pause;
    }
  }
  return true;
}

bool Containers::finish(std::uint32_t id, Container& container) {
  // Read before the removal, which ends the account, and counted only if that shows it was final.
  const CgroupAccount account = enclosure_.account(id, *container.reaped);
  const Removal removal = enclosure_.remove(id);
  const bool gives_up = removal == Removal::failed || steady_clock::now() > container.give_up_at;
  if ((removal == Removal::removed || gives_up) && !container.reported) {
    container.reported = true;
    report(id, container, account);
  }
  if (removal == Removal::removed) return true;
  if (const Status status = enclosure_.kill(id); !status || gives_up) {
    spdlog::error("container {} has ended but cannot be removed{}", id,
                  status ? "" : ": " + status.error().message);
  }
  return removal == Removal::failed;
}

void Containers::tick(SteadyTime now) {
  while (!time_limits_.empty() && time_limits_.top().at <= now) {
    const std::uint32_t id = time_limits_.top().container;
    time_limits_.pop();
    kill(id, ExitCause::timed_out);
  }
  for (const MemoryMonitor::Excess& excess : memory_.look(now)) {
    containers_.at(excess.container).kill_text =
        "its virtual memory of " + std::to_string(excess.mapped_mib) +
        " MiB is over the limit of " + std::to_string(excess.limit_mib) + " MiB";
    kill(excess.container, ExitCause::virtual_memory_exceeded);
  }
  if (finishing_.empty() || now < next_finish_) return;
  bool has_left_over = false;
  std::erase_if(finishing_, [&](std::uint32_t id) {
    Container& container = containers_.at(id);
    if (!finish(id, container)) {
      has_left_over = has_left_over || container.reported;
      return false;
    }
    containers_.erase(id);
    return true;
  });
  next_finish_ = now + (has_left_over ? left_over_pause : finish_pause);
}

std::optional<SteadyTime> Containers::next_tick() const {
  std::optional<SteadyTime> next;
  if (!finishing_.empty()) next = next_finish_;
  if (!time_limits_.empty() && (!next || time_limits_.top().at < *next)) {
    next = time_limits_.top().at;
  }
  const std::optional<SteadyTime> look = memory_.next_look();
  if (look && (!next || *look < *next)) next = look;
  return next;
}

void Containers::report(std::uint32_t id, const Container& container,
                        const CgroupAccount& account) {
  const int status = container.reaped->status;
  ExitedRecord record;
  record.container = id;
  record.started_ns = container.started_ns;
  record.ended_ns = container.ended_ns;
  record.cpu_time_us = account.cpu_time_us;
  record.memory_peak_bytes = account.memory_peak_bytes;
  record.bytes_read = account.bytes_read;
  record.bytes_written = account.bytes_written;
  record.account = container.account;
  record.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  record.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  record.cause = container.progress ? ExitCause::checkpointed
                                    : cause_of(status, container.killed_for, account.oom_kills);
  record.progress = container.progress.value_or(0);
  if (record.cause == ExitCause::virtual_memory_exceeded) {
    container.kill_text.copy(record.text.data(), record.text.size() - 1);
  } else if (is_storage_failure(record.exit_code)) {
    container.output.copy(record.text.data(), record.text.size() - 1);
  }
  keep(record);
}

void Containers::keep(ExitedRecord record) {
  record.sequence = next_sequence_++;
  kept_.push_back(record);
  kept_containers_[record.container] = record.sequence;
  exited_.push_back(record);
}

std::vector<StartedRecord> Containers::running() const {
  std::vector<StartedRecord> running;
  for (const auto& [id, container] : containers_) {
    if (!container.reported) running.push_back({id, container.process, container.started_ns});
  }
  std::sort(running.begin(), running.end(),
            [](const auto& a, const auto& b) { return a.container < b.container; });
  return running;
}

void Containers::acknowledge(std::uint64_t exits_up_to) {
  while (!kept_.empty() && kept_.front().sequence <= exits_up_to) {
    kept_containers_.erase(kept_.front().container);
    kept_.pop_front();
  }
}

}  // namespace tracebed::launcher
