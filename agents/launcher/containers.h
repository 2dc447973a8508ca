// The containers of one launcher from start to acknowledged exit. No sockets here: what happened is
// fetched by take_started() and take_exited().
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <queue>
#include <unordered_map>
#include <vector>

#include "agents/launcher/container_pipe.h"
#include "agents/launcher/enclosure.h"
#include "agents/launcher/memory_monitor.h"
#include "agents/launcher/messages.h"
#include "agents/launcher/process_start.h"
#include "agents/launcher/syscall_filter.h"
#include "agents/task/stated_progress.h"
#include "agents/task/work_spec.h"
#include "system/file_descriptor.h"

namespace tracebed::launcher {

using SteadyTime = std::chrono::steady_clock::time_point;

struct ContainerOptions {
  FileDescriptor program;           // tracebed-task, opened
  FileDescriptor master_program;    // tracebed-appmaster, opened; if not open, masters are refused
  std::optional<TaskUsers> run_as;  // else the launcher's own
  bool filters_syscalls = true;
  std::size_t containers_max = 65'536;  // each holds a descriptor
  // Of the first exit. A launcher that starts later begins higher, so that an agent's exits ascend
  // through its launchers' restarts.
  std::uint64_t first_sequence = 1;
  std::size_t first_cpu = 0;  // of bound_cpus()
};

class Containers {
 public:
  Containers(Enclosure& enclosure, ContainerOptions options);

  // True if the container runs, or its exit is not acknowledged.
  bool knows(std::uint32_t container) const {
    return containers_.contains(container) || kept_containers_.contains(container);
  }
  // Starts a container, or makes an exit of cause launch_failed with the reason. A known one is
  // ignored.
  void launch(const LaunchRecord& record);
  void launch(const MasterLaunchRecord& record);
  // How tasks that are launched from now on reach HDFS.
  void set_input_source(InputSource source) { input_source_ = std::move(source); }
  // Those that are launched from now on share that many by weight; 0: each has a quota.
  // Throws EnvironmentError as usable_cpus() does.
  void share_by_weight(std::int64_t milli_vcores);
  // Makes an exit of a container that was killed before it was launched.
  void cancel(std::uint32_t container);
  // The same for one that was to be checkpointed before: there is nothing to keep.
  void cancel_checkpointed(std::uint32_t container);
  // Lets the work of a held container begin.
  void release(std::uint32_t container);
  // `cause` is what the exit will report, unless it ends by itself first. An unknown container is
  // ignored.
  void kill(std::uint32_t container, ExitCause cause);
  void kill_all(ExitCause cause);
  // Notifies the container's task that it must keep its progress and end. Ignored for a master, an
  // unknown container and one that was notified before.
  void checkpoint(std::uint32_t container);

  // Waits for children that have ended, but for a bounded number of them, so that a container which
  // makes children as fast cannot keep the caller here: true if there may be more. Unknown ones
  // among them are descendants of containers whose parents died before them.
  bool reap();
  // Acts on time limits and on containers whose other processes outlived their first, and checks
  // those whose virtual memory is limited.
  void tick(SteadyTime now);
  // When tick() is due next.
  std::optional<SteadyTime> next_tick() const;

  // True when no process and no enclosure is left.
  bool empty() const { return containers_.empty(); }
  std::size_t size() const { return containers_.size(); }

  // Those since the last call.
  std::vector<StartedRecord> take_started() { return std::exchange(started_, {}); }
  std::vector<ExitedRecord> take_exited() { return std::exchange(exited_, {}); }
  // Of running tasks that state it, each once in its interval.
  std::vector<ProgressRecord> progress(SteadyTime now);

  // What a newly connected agent is sent.
  std::vector<StartedRecord> running() const;
  std::vector<ExitedRecord> unacknowledged() const { return {kept_.begin(), kept_.end()}; }
  void acknowledge(std::uint64_t exits_up_to);

 private:
  struct Container {
    pid_t process = 0;
    std::int64_t started_ns = 0;
    bool is_task = false;
    bool is_held = false;
    bool is_checkpoint_requested = false;
    ContainerPipe pipe;
    std::optional<ProgressFile> stated;      // of a task that states its progress while it runs
    std::chrono::microseconds interval{};    // likewise
    SteadyTime next_progress{};              // likewise
    std::optional<std::uint32_t> progress;   // as it reported
    std::chrono::microseconds time_limit{};  // for its work; 0: none
    std::string kill_text;                   // for the text of its exit
    std::string output;                      // likewise, of a task whose input or output failed
    TaskAccount account;                     // as the task reported it
    std::optional<ExitCause> killed_for;
    // Set when the first process has been waited for, while others may be left.
    std::optional<Reaped> reaped;
    std::int64_t ended_ns = 0;
    SteadyTime give_up_at{};  // removing the enclosure
    bool reported = false;
  };
  struct TimeLimit {
    SteadyTime at;
    std::uint32_t container;
    bool operator>(const TimeLimit& other) const { return at > other.at; }
  };
  using ContainerMap = std::unordered_map<std::uint32_t, Container>;

  void fail(std::uint32_t container, const std::string& why);
  void keep_unstarted(std::uint32_t container, ExitCause cause, const std::string& text);
  std::optional<std::string> why_refused(const CgroupLimits& limits) const;
  // What a container runs, under which limits.
  struct Contents {
    int program = -1;
    std::vector<std::string> words;
    FileDescriptor input;  // none: /dev/null
    CgroupLimits limits;
    bool is_task = false;
    bool is_held = false;
    std::chrono::microseconds time_limit{};  // 0: none
    std::int64_t reserved_bytes = 0;         // address space in addition to its memory
    MemoryLimit memory = {};
    std::chrono::microseconds stating_interval{};  // in which it states how far it is; 0: never
    std::vector<std::string> environment = {};     // each NAME=VALUE
  };
  void start(std::uint32_t id, Contents contents);
  void limit_time(std::uint32_t id, std::chrono::microseconds limit);
  // Reads what it wrote while it ran: its progress, if that was requested.
  void listen_to(std::uint32_t id, Container& container);
  // Tries to close the enclosure of a container whose first process has ended. True when it is
  // gone.
  bool finish(std::uint32_t id, Container& container);
  void report(std::uint32_t id, const Container& container, const CgroupAccount& account);
  void keep(ExitedRecord record);

  Enclosure& enclosure_;
  ContainerOptions options_;
  ProcessStarter starter_;
  std::optional<SyscallFilter> filter_;
  InputSource input_source_;
  std::int64_t weighted_milli_vcores_ = 0;
  std::optional<cpu_set_t> cpus_;  // of containers; none: all
  std::uint64_t false_progress_ = 0;
  ContainerMap containers_;
  std::unordered_map<pid_t, std::uint32_t> by_process_;
  std::priority_queue<TimeLimit, std::vector<TimeLimit>, std::greater<>> time_limits_;
  MemoryMonitor memory_;
  std::vector<std::uint32_t> finishing_;  // first process gone, enclosure still busy
  SteadyTime next_finish_{};
  std::uint64_t next_sequence_;
  std::deque<ExitedRecord> kept_;  // until acknowledged, ascending by sequence
  std::unordered_map<std::uint32_t, std::uint64_t> kept_containers_;
  std::vector<StartedRecord> started_;
  std::vector<ExitedRecord> exited_;
};

// CLOCK_REALTIME.
std::int64_t wall_clock_ns();

}  // namespace tracebed::launcher
