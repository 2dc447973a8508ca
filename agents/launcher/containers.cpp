#include "agents/launcher/containers.h"

#include <algorithm>
#include <csignal>
#include <spdlog/spdlog.h>
#include <sys/wait.h>

#include "agents/launcher/process_files.h"
#include "agents/task/work_spec.h"
#include "core/mebibyte.h"
#include "core/preemption.h"
#include "system/secret_number.h"

namespace tracebed::launcher {
namespace {

using std::chrono::steady_clock;

constexpr auto finish_pause = std::chrono::milliseconds(1);
constexpr auto finish_time = std::chrono::seconds(5);
constexpr auto left_over_pause = std::chrono::milliseconds(100);

std::uint64_t bit_of(int signal) {
  return std::uint64_t{1} << (signal - 1);
}

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

std::optional<std::string> Containers::why_refused(const CgroupLimits& limits) const {
  if (containers_.size() >= options_.containers_max) {
    return "the launcher holds at most " + std::to_string(options_.containers_max) + " containers";
  }
  constexpr std::int64_t milli_vcores_max = 1'000'000'000;
  if (limits.milli_vcores < 1 || limits.milli_vcores > milli_vcores_max) {
    return "expected 1 to 1000000000 milli-vcores, got " + std::to_string(limits.milli_vcores);
  }
  if (limits.memory_mib < 1 || limits.memory_mib > work_memory_mib_max) {
    return "expected a memory limit of 1 to " + std::to_string(work_memory_mib_max) + " MiB, got " +
           std::to_string(limits.memory_mib);
  }
  constexpr std::int64_t pids_max = 4'194'304;  // the kernel's own limit
  if (limits.pids < 1 || limits.pids > pids_max) {
    return "expected a limit of 1 to 4194304 processes, got " + std::to_string(limits.pids);
  }
  return std::nullopt;
}

void Containers::launch(const LaunchRecord& record) {
  const std::uint32_t id = record.container;
  if (knows(id)) return;
  const Result<TaskWork> work = to_task_work(record.work);
  if (!work) return fail(id, work.error().message);
  const WorkSpec spec = {*work, record.threads, record.held, id, input_source_};
  if (record.time_limit_us < 0 || record.time_limit_us > work_duration_us_max) {
    return fail(id, "expected a time limit of 0 to " + std::to_string(work_duration_us_max) +
                        " us, got " + std::to_string(record.time_limit_us));
  }
  if (const Status status = check(spec); !status) return fail(id, status.error().message);
  const std::int64_t mapped_max = record.virtual_memory_limit_mib;
  const bool has_looks = record.memory_look_us > 0 && record.memory_look_us <= work_duration_us_max;
  if (mapped_max < 0 || mapped_max > work_memory_mib_max || (mapped_max > 0 && !has_looks)) {
    return fail(id, "expected a limit of virtual memory of 0 to " +
                        std::to_string(work_memory_mib_max) + " MiB, and looks at it, got " +
                        std::to_string(mapped_max) + " MiB every " +
                        std::to_string(record.memory_look_us) + " us");
  }
  // Not on its command line, which all can read, as a master's.
  FileDescriptor token_pipe;
  if (shuffles(*work)) {
    Result<FileDescriptor> holding = pipe_with(
        {reinterpret_cast<const char*>(record.shuffle_token.data()), record.shuffle_token.size()});
    if (!holding) return fail(id, holding.error().message);
    token_pipe = *std::move(holding);
  }
  start(id, {options_.program.number(),
             to_arguments(spec),
             std::move(token_pipe),
             {record.milli_vcores, record.memory_mib, record.pids},
             true,
             spec.held != 0,
             std::chrono::microseconds(record.time_limit_us),
             std::max<std::int64_t>(work->virtual_memory_mib - work->memory_mib, 0) * mebibyte,
             {mapped_max, std::chrono::microseconds(record.memory_look_us)}});
}

void Containers::launch(const MasterLaunchRecord& record) {
  const std::uint32_t id = record.container;
  if (knows(id)) return;
  if (!options_.master_program.is_open()) {
    return fail(id, "this launcher was started without --appmaster");
  }
  // What the master proves itself by is no word of its command line: those can be read by all.
  ProcessSecret secret{record.session, record.coordinator.data(), {}};
  if (record.has_keys()) {
    secret.keys = LinkKeys{{record.own_public.data(), record.own_secret.data()},
                           record.coordinator_key.data()};
  }
  Result<FileDescriptor> secret_pipe = pipe_that_holds(secret);
  if (!secret_pipe) return fail(id, secret_pipe.error().message);
  std::vector<std::string> words = {"tracebed-appmaster",
                                    "--run",
                                    record.run.data(),
                                    "--epoch",
                                    std::to_string(record.epoch),
                                    "--application",
                                    std::to_string(record.application),
                                    "--attempt",
                                    std::to_string(record.attempt)};
  const std::string address = record.address.data();
  if (!address.empty()) words.insert(words.end(), {"--address", address});
  start(id, {options_.master_program.number(),
             std::move(words),
             *std::move(secret_pipe),
             {record.milli_vcores, record.memory_mib, record.pids},
             false,
             false,
             {}});
}

void Containers::start(std::uint32_t id, Contents contents) {
  if (const auto reason = why_refused(contents.limits)) return fail(id, *reason);
  const Result<Enclosure::Opened> opened = enclosure_.open(id, contents.limits);
  if (!opened) return fail(id, opened.error().message);
  std::vector<char*> arguments;
  for (std::string& word : contents.words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  Result<ContainerPipe> pipe = ContainerPipe::make();
  if (!pipe) {
    enclosure_.remove(id);
    return fail(id, pipe.error().message);
  }
  ProcessToStart process;
  process.program = contents.program;
  process.arguments = arguments.data();
  process.input = contents.input.number();
  process.entry = opened->entry ? &*opened->entry : nullptr;
  process.output = pipe->writing_end();
  process.run_as = options_.run_as;
  process.filter = filter_ ? &*filter_ : nullptr;
  const bool has_own_user = options_.run_as && options_.run_as->is_range();
  if (has_own_user) process.processes_max = contents.limits.pids;
  process.address_space_bytes = opened->address_space_bytes;
  if (process.address_space_bytes > 0) process.address_space_bytes += contents.reserved_bytes;
  if (contents.is_task) {
    process.blocked_signals = bit_of(begin_signal) | bit_of(checkpoint_signal);
  }
  Container container;
  container.is_task = contents.is_task;
  container.is_held = contents.is_held;
  container.time_limit = contents.time_limit;
  container.started_ns = wall_clock_ns();
  const Result<pid_t, StartFailure> pid = starter_.start(process);
  if (!pid) {
    enclosure_.remove(id);
    return fail(id, describe(pid.error()));
  }
  container.process = *pid;
  container.pipe = *std::move(pipe);
  container.pipe.close_writing_end();
  enclosure_.started(id, *pid);
  by_process_[*pid] = id;
  started_.push_back({id, *pid, container.started_ns});
  if (!container.is_held) limit_time(id, container.time_limit);
  memory_.add(id, *pid, contents.memory);
  containers_.emplace(id, std::move(container));
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
  const ReadBytes& read = report.read;
  const bool is_its_own = container.is_task && report.container == id && read.node_local >= 0 &&
                          read.rack_local >= 0 && read.off_rack >= 0 && report.written >= 0 &&
                          report.shuffled.node_local >= 0 && report.shuffled.rack_local >= 0 &&
                          report.shuffled.off_rack >= 0;
  const bool keeps_nothing = report.progress == 0 || report.progress >= whole_work;
  // One that has failed says why after it; progress is all that a task says that keeps it.
  const bool is_plain = report.progress == 0 || container.output.empty();
  if (is_its_own && is_plain && (container.is_checkpoint_requested || keeps_nothing)) {
    container.input = read;
    container.written = report.written;
    container.shuffled = report.shuffled;
    const bool is_kept = container.is_checkpoint_requested && report.progress < whole_work;
    if (is_kept) container.progress = report.progress;
  } else if (false_progress_++ == 0) {
    spdlog::error("dropped the progress report of container {}: none was requested", id);
  }
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
  record.input = container.input;
  record.output = container.written;
  record.shuffled = container.shuffled;
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
