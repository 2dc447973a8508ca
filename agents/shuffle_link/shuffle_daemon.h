// tracebed-shuffle: connects a ShuffleServer to the daemon that started this process.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "agents/cgroups/daemon_cgroup.h"
#include "agents/shuffle/shuffle_server.h"
#include "agents/shuffle_link/shuffle_messages.h"
#include "core/exit_codes.h"
#include "system/file_descriptor.h"
#include "system/shared_links.h"

namespace tracebed {

class ShuffleDaemon {
 public:
  // Waits for the daemon's first packet and begins as it says. Throws InputError or
  // EnvironmentError, also if the connection is none.
  explicit ShuffleDaemon(FileDescriptor connection);

  // Until the connection is closed.
  ExitCode run();

 private:
  // None: the connection was closed before.
  std::optional<ShuffleBegin> receive_begin();
  void begin(const ShuffleBegin& how);
  void receive_orders();
  void execute(const ShuffleOrder& order);

  FileDescriptor connection_;
  bool is_connected_ = true;
  std::vector<std::byte> packet_;
  std::chrono::milliseconds figures_period_{};
  std::optional<DaemonCgroup> cgroup_;
  std::unique_ptr<SharedLinks> links_;  // may be null; outlives the server
  std::unique_ptr<ShuffleServer> server_;
};

}  // namespace tracebed
