// tracebed-datanode: connects a DatanodeService to the coordinator's socket and the clock by a
// CoordinatorSession, in the thread that calls run().
//
// In the local world it serves one run, and ends with it, on SIGTERM, SIGINT, or when the
// lifeline's other end is closed. A long-running one has a datanode of each run that it serves, at
// the same port; between runs it has none.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "agents/datanode/service/datanode_service.h"
#include "agents/datanode_link/coordinator_session.h"
#include "agents/datanode_link/queued_link.h"
#include "agents/datanode_web/datanode_web_server.h"
#include "agents/link/coordinator_socket.h"
#include "agents/link/log_sender.h"
#include "core/datanode_options.h"
#include "core/exit_codes.h"
#include "protocol/wire_codec.h"
#include "system/file_descriptor.h"
#include "system/folders_of_runs.h"
#include "system/listening_clock.h"
#include "system/service_notice.h"
#include "system/shared_links.h"

namespace tracebed {

struct DatanodeDaemonOptions {
  DatanodeIdentity identity;  // of one that serves one run: without ports
  std::string coordinator;    // endpoint
  std::optional<LinkKeys> keys;
  // Of its replicas alone: those of another run are removed from it. With a lifeline it is below
  // the run's own folder, and removed when the owner of the run ends.
  std::filesystem::path folder;
  // 0: a free one, which a long-running one cannot state.
  std::uint16_t transfer_port = 0;
  std::uint16_t http_port = 0;  // WebHDFS
  // Of a daemon that serves one run. A long-running one gets them from its coordinator (Welcome).
  StoreOptions store;
  std::chrono::milliseconds socket_timeout = default_datanode_socket_timeout;
  FileDescriptor lifeline;             // may be closed
  std::unique_ptr<SharedLinks> links;  // may be null
  DaemonLog* log = nullptr;  // outlives the daemon; a long-running one sends it to its coordinator
};

class DatanodeDaemon {
 public:
  // Blocks SIGTERM and SIGINT. Throws InputError or EnvironmentError.
  explicit DatanodeDaemon(DatanodeDaemonOptions options);

  ExitCode run();

 private:
  CoordinatorSession::Now now() const;
  void make_datanode(const std::string& run, const StoreOptions& store,
                     std::chrono::milliseconds socket_timeout);
  void end_datanode();
  void leave_run();
  void take_news();
  void receive();
  void carry_out();
  void execute(const wire::DatanodeWelcome& welcome);
  void execute(const wire::MachineNews& news);
  void execute(const wire::DatanodeOrders& orders);
  void execute(const wire::ReportAnswer& answer);
  void execute(const wire::StoreOrder& order);
  void execute(const wire::AdministrationOrder& order);
  Status administer(const DatanodeOrder& order);
  void send_messages();
  void send_log();
  void log_status();
  void wait();
  bool has_stop_request();
  ExitCode finish(const std::string& reason);
  void remove_replicas();

  DatanodeDaemonOptions options_;
  FileDescriptor signals_;
  agent::CoordinatorSocket coordinator_;
  wire::Encoder encoder_;
  ListeningClock listening_;  // the session's time
  ServiceNotice notice_;
  QueuedLink link_;
  FoldersOfRuns pools_;                        // block pools, one of each run
  std::string pool_;                           // of the datanode
  std::unique_ptr<DatanodeService> datanode_;  // null between runs, as the next
  std::unique_ptr<DatanodeWebServer> web_;
  std::optional<CoordinatorSession> session_;
  agent::LogSender log_;
  bool was_welcome_ = false;
  std::string logged_refusal_;
  std::optional<std::string> stop_;  // why it is to end
  bool is_owner_gone_ = false;
  std::uint64_t garbage_ = 0;
  std::uint64_t unsent_ = 0;
};

}  // namespace tracebed
