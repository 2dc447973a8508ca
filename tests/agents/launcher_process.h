// A real tracebed-launcher under test, and the agent's end of its socket.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <sys/types.h>
#include <vector>

#include "agents/launcher/client.h"
#include "support/eventually.h"
#include "support/temporary_folder.h"

namespace tracebed::launcher {

// Starts `program` with `arguments`; the descriptors in `inherited` stay open in it, and `input` is
// its standard input, if it is one.
pid_t spawn(const std::string& program, std::vector<std::string> arguments,
            const std::vector<int>& inherited, int input = -1);

// Waits for the process to end, for as long as `timeout` is; its wait status. Kills it when it
// does not end.
int wait_for_end(pid_t process);

// A connected pair of SEQPACKET sockets, and a pipe.
struct DescriptorPair {
  FileDescriptor first;
  FileDescriptor second;
};
DescriptorPair socket_pair();
DescriptorPair pipe_pair();

// Cgroup directories that a run has anywhere on this machine.
std::vector<std::string> cgroups_of_run(const std::string& run);
// Processes of a run: its daemons, by their command lines, and what is in its cgroups. No zombies.
std::vector<pid_t> processes_of_run(const std::string& run);
// Processes that execute this program; zombies do not.
std::vector<pid_t> processes_of(const std::string& program);

// The fields of /proc/PID/stat behind the name, state first; none if the process is gone.
std::vector<std::string> stat_of(pid_t process);

class LauncherProcess {
 public:
  struct Options {
    std::string task;  // program
    std::string run;
    std::string agent = "agent";
    std::vector<std::string> more;  // further flags
    bool listens = false;           // at socket_path() instead of an inherited connection
    std::string launcher = {};      // program; the one that was just built unless said
  };
  explicit LauncherProcess(const Options& options);
  ~LauncherProcess();
  LauncherProcess(const LauncherProcess&) = delete;
  LauncherProcess& operator=(const LauncherProcess&) = delete;

  pid_t process() const { return process_; }
  std::string socket_path() const;
  // The agent's end; after connect() where the launcher listens.
  LauncherClient& client() { return *client_; }
  void connect();
  void disconnect() { client_.reset(); }
  void cut_lifeline() { lifeline_.reset(); }
  int wait_for_end();

  void launch(const LaunchRecord& record) { client_->launch(std::span(&record, 1)); }
  // The next news of its kind; a test failure and zeros after `timeout`.
  StartedRecord next_started() { return next<StartedRecord>(); }
  ExitedRecord next_exited() { return next<ExitedRecord>(); }
  StateRecord next_state() { return next<StateRecord>(); }
  UsageRecord next_usage() { return next<UsageRecord>(); }
  // What the answer to hello tells to run.
  std::set<std::uint32_t> containers_in_answer();
  // News of that kind that are here already.
  std::vector<ExitedRecord> exits_so_far();
  // Asks for usage, which comes after it, and takes it.
  std::vector<ProgressRecord> progress();

 private:
  template <class Record>
  Record next();

  Options options_;
  pid_t process_ = -1;
  FileDescriptor lifeline_;
  TemporaryFolder folder_;  // of its socket
  std::optional<LauncherClient> client_;
  std::vector<LauncherClient::News> news_;
};

// A container of one vcore, 64 MiB and 32 processes.
LaunchRecord container(std::uint32_t id, const TaskWork& work = {});

}  // namespace tracebed::launcher
