// The half of Containers that starts them.
#include <csignal>

#include "agents/launcher/containers.h"
#include "agents/launcher/cpu_binding.h"
#include "agents/task/work_spec.h"
#include "core/mebibyte.h"
#include "system/secret_number.h"

namespace tracebed::launcher {
namespace {

std::uint64_t bit_of(int signal) {
  return std::uint64_t{1} << (signal - 1);
}

// Zero-terminated, as for execve.
std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

std::optional<std::string> Containers::why_refused(const CgroupLimits& limits) const {
  if (containers_.size() >= options_.containers_max) {
    return "the launcher holds at most " + std::to_string(options_.containers_max) + " containers";
  }
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
  std::vector<std::string> environment;
  if (record.devices.front() != 0) {
    environment.push_back(std::string(device_variable) + "=" + record.devices.data());
  }
  start(id, {options_.program.number(),
             to_arguments(spec),
             std::move(token_pipe),
             {record.milli_vcores, record.memory_mib, record.pids},
             true,
             spec.held != 0,
             std::chrono::microseconds(record.time_limit_us),
             std::max<std::int64_t>(work->virtual_memory_mib - work->memory_mib, 0) * mebibyte,
             {mapped_max, std::chrono::microseconds(record.memory_look_us)},
             work->progress_interval,
             std::move(environment)});
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

void Containers::share_by_weight(std::int64_t milli_vcores) {
  weighted_milli_vcores_ = milli_vcores;
  cpus_.reset();
  if (milli_vcores > 0 && enclosure_.isolation() != Isolation::none) {
    cpus_ = bound_cpus(milli_vcores, options_.first_cpu, usable_cpus());
  }
}

void Containers::start(std::uint32_t id, Contents contents) {
  if (const auto reason = why_refused(contents.limits)) return fail(id, *reason);
  contents.limits.milli_vcores_of_all = weighted_milli_vcores_;
  const Result<Enclosure::Opened> opened = enclosure_.open(id, contents.limits);
  if (!opened) return fail(id, opened.error().message);
  const auto give_up = [&](const std::string& why) {
    enclosure_.remove(id);
    fail(id, why);
  };
  Result<ContainerPipe> pipe = ContainerPipe::make();
  if (!pipe) return give_up(pipe.error().message);
  Container container;
  if (contents.stating_interval.count() > 0) {
    Result<ProgressFile> stated = ProgressFile::make();
    if (!stated) return give_up(stated.error().message);
    contents.environment.push_back(std::string(progress_variable) + "=" +
                                   std::to_string(stated->number()));
    container.stated = *std::move(stated);
    container.interval = contents.stating_interval;
  }
  const std::vector<char*> arguments = pointers_to(contents.words);
  const std::vector<char*> environment = pointers_to(contents.environment);
  ProcessToStart process;
  process.program = contents.program;
  process.arguments = arguments.data();
  process.environment = environment.data();
  process.input = contents.input.number();
  process.entry = opened->entry ? &*opened->entry : nullptr;
  process.output = pipe->writing_end();
  if (container.stated) process.kept = container.stated->number();
  process.run_as = options_.run_as;
  process.filter = filter_ ? &*filter_ : nullptr;
  process.cpus = cpus_ ? &*cpus_ : nullptr;
  const bool has_own_user = options_.run_as && options_.run_as->is_range();
  if (has_own_user) process.processes_max = contents.limits.pids;
  process.address_space_bytes = opened->address_space_bytes;
  if (process.address_space_bytes > 0) process.address_space_bytes += contents.reserved_bytes;
  if (contents.is_task) {
    process.blocked_signals = bit_of(begin_signal) | bit_of(checkpoint_signal);
  }
  container.is_task = contents.is_task;
  container.is_held = contents.is_held;
  container.time_limit = contents.time_limit;
  container.started_ns = wall_clock_ns();
  const Result<pid_t, StartFailure> pid = starter_.start(process);
  if (!pid) return give_up(describe(pid.error()));
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

}  // namespace tracebed::launcher
