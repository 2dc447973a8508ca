// tracebed-agent: one machine of a run. It connects an AgentSession to the coordinator's socket,
// the launcher and the clock.
//
// Local mode: it starts its own launcher and ends with it, on SIGTERM, SIGINT, the coordinator's
// Shutdown, or when the lifeline's other end is closed. A launcher that dies is replaced, a few
// times. Cluster mode: it connects to a launcher that listens at a path and outlives it; on SIGTERM
// it exits without a message, so that its successor finds the containers running.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/agent/agent_figures.h"
#include "agents/agent/agent_session.h"
#include "agents/agent/coordinator_monitor.h"
#include "agents/agent/launcher_child.h"
#include "agents/launcher/client.h"
#include "agents/link/coordinator_socket.h"
#include "agents/link/log_sender.h"
#include "agents/shuffle_link/shuffle_server_child.h"
#include "core/exit_codes.h"
#include "daemon/daemon_log.h"
#include "daemon/http_server.h"
#include "protocol/wire_codec.h"
#include "system/file_descriptor.h"
#include "system/folders_of_runs.h"
#include "system/listening_clock.h"
#include "system/service_notice.h"

namespace tracebed::agent {

// Where its shuffle server is, and keeps what tasks fetch from each other.
struct ShuffleServerProgram {
  std::string path;
  // Its own. A long-running agent has a folder of each run in it (system/folders_of_runs.h).
  std::string folder;
  std::uint16_t port = 0;             // 0: a free one
  std::uint32_t connections_max = 1;  // each takes up to 600 KiB, and a thread
  std::string links;                  // the file of SharedLinks; may be empty
  // Whether it has a cgroup of its own: auto, cgroup or none. A long-running agent's is in that of
  // the agent's service.
  std::string isolation = "auto";
};

struct AgentOptions {
  Identity identity;
  std::string coordinator;     // endpoint
  std::string source_address;  // of the connection to it; may be empty
  std::optional<LinkKeys> keys;
  std::optional<HttpServerOptions> metrics;  // where its figures are served, if anywhere
  DaemonLog* log = nullptr;  // outlives the agent; a long-running one sends it to its coordinator
  // Only with this it can serve runs with a shuffle.
  std::optional<ShuffleServerProgram> shuffle;
  // One of these two.
  std::optional<LauncherProgram> launcher_program;  // local mode
  std::string launcher_path;                        // cluster mode
  FileDescriptor lifeline;
};

class Agent {
 public:
  // Blocks SIGTERM and SIGINT. Throws InputError or EnvironmentError.
  explicit Agent(AgentOptions options);

  ExitCode run();

 private:
  Now now() const;
  void look_at_clock();
  void reach_launcher();
  void lose_launcher(const std::string& why);
  void give_up_silent_launcher();
  void wait(SteadyTime until);
  void receive_from_coordinator();
  void receive_from_launcher();
  void start_shuffle_server();
  void tend_shuffle_server();
  void give_up_shuffle_server(const std::string& why);
  void end_shuffle_server();
  void carry_out();
  void give(const Order& order);
  void report_link();
  void log_status();
  void report_figures();
  void send_log();
  void look_at_processors();
  bool has_stop_request();
  ExitCode finish();
  void end_launcher();

  AgentOptions options_;
  FileDescriptor signals_;
  CoordinatorSocket coordinator_;
  wire::Encoder encoder_;
  ListeningClock listening_;  // the session's time
  ServiceNotice notice_;
  AgentSession session_;
  std::optional<LauncherChild> child_;
  std::optional<launcher::LauncherClient> launcher_;
  std::optional<FoldersOfRuns> outputs_;              // of a long-running agent that keeps outputs
  bool has_old_outputs_ = true;                       // there, perhaps: a predecessor's
  std::optional<ShuffleServerChild> shuffle_server_;  // in runs with a shuffle
  SteadyTime next_shuffle_try_{};
  SteadyTime next_launcher_try_{};
  int launchers_lost_ = 0;
  bool says_launcher_is_back_ = false;  // when it has answered
  CoordinatorMonitor link_;
  std::string logged_refusal_;
  bool is_owner_gone_ = false;
  ExitCode exit_code_ = ExitCode::success;
  std::vector<launcher::LauncherClient::News> news_;
  std::uint64_t garbage_ = 0;
  std::uint64_t unsent_ = 0;
  LogSender log_;
  SteadyTime next_look_{};
  FigureBoard board_;
  std::optional<HttpServer> metrics_;  // last: its thread reads the board
};

// What this machine has: CPUs that this process may use, in thousandths, and memory in MiB.
Resources detected_capacity();

}  // namespace tracebed::agent
