#include "lint/architecture.h"

namespace tracebed::lint {

const std::vector<Room>& rooms() {
  static const std::vector<Room> all = {
      {"core", {}, true},
      {"system", {"core"}},
      {"command_line", {}},
      {"daemon", {"core", "system"}},
      {"protocol/hdfs", {"core"}, true},
      {"protocol/webhdfs", {"core", "protocol/hdfs"}, true},
      {"protocol/shuffle", {"core", "protocol/hdfs"}, true},
      {"hdfs_client", {"core", "system", "protocol/hdfs"}},
      {"shuffle_client", {"core", "system", "protocol/hdfs", "protocol/shuffle", "hdfs_client"}},
      {"kernels", {"core"}, true},
      {"protocol", {"core"}},
      {"traces", {"core", "system", "protocol"}},
      {"schedulers", {"core"}, true},
      {"controllers", {"core"}, true},
      {"applications", {"core"}, true},
      {"report", {"core", "system"}},
      {"coordinator/engine", {"core", "coordinator/storage"}, true},
      {"coordinator/virtual", {"core"}},
      {"coordinator/storage", {"core"}, true},
      {"coordinator/config", {"core", "system"}},
      {"coordinator/real", {"core", "system", "protocol", "coordinator/storage"}},
      {"coordinator/resolving",
       {"core", "system", "traces", "schedulers", "controllers", "applications", "report",
        "coordinator/engine", "coordinator/storage", "coordinator/config"}},
      {"coordinator/workload",
       {"core", "system", "traces", "coordinator/engine", "coordinator/config",
        "coordinator/resolving"}},
      {"coordinator/monitoring", {"core", "schedulers", "report", "coordinator/engine"}},
      {"coordinator/worlds",
       {"core", "system", "protocol", "schedulers", "applications", "report", "coordinator/virtual",
        "coordinator/storage", "coordinator/real", "coordinator/namenode_server",
        "coordinator/config", "coordinator/resolving", "coordinator/monitoring"}},
      {"coordinator/disturbances",
       {"core", "system", "coordinator/engine", "coordinator/config", "coordinator/resolving",
        "coordinator/worlds", "coordinator/monitoring"}},
      {"coordinator/recorded",
       {"core", "system", "protocol", "schedulers", "applications", "report", "coordinator/engine",
        "coordinator/storage", "coordinator/config", "coordinator/resolving"}},
      {"coordinator/runner",
       {"core", "system", "schedulers", "applications", "report", "coordinator/engine",
        "coordinator/real", "coordinator/config", "coordinator/resolving", "coordinator/workload",
        "coordinator/worlds", "coordinator/monitoring", "coordinator/disturbances"}},
      {"coordinator/reproductions",
       {"core", "system", "traces", "schedulers", "report", "coordinator/config",
        "coordinator/monitoring", "coordinator/worlds", "coordinator/runner"}},
      {"coordinator/sweeps",
       {"core", "system", "traces", "schedulers", "report", "coordinator/config",
        "coordinator/real", "coordinator/resolving", "coordinator/monitoring",
        "coordinator/runner"}},
      {"coordinator/thrift", {"core", "system"}},
      {"coordinator/namenode_server",
       {"core", "system", "daemon", "protocol", "protocol/hdfs", "protocol/webhdfs",
        "coordinator/storage", "coordinator/real", "coordinator/thrift"}},
      {"coordinator/api",
       {"core", "system", "daemon", "schedulers", "report", "coordinator/config",
        "coordinator/real", "coordinator/namenode_server", "coordinator/resolving",
        "coordinator/monitoring", "coordinator/runner", "coordinator/thrift"}},
      {"coordinator/scenario",
       {"core", "system", "schedulers", "report", "coordinator/config", "coordinator/engine",
        "coordinator/resolving"}},
      {"coordinator/cli",
       {"command_line",
        "core",
        "system",
        "traces",
        "schedulers",
        "controllers",
        "applications",
        "report",
        "coordinator/config",
        "coordinator/real",
        "coordinator/resolving",
        "coordinator/monitoring",
        "coordinator/recorded",
        "coordinator/reproductions",
        "coordinator/runner",
        "coordinator/scenario",
        "coordinator/sweeps",
        "coordinator/api",
        "hdfs_client",
        "kernels"}},
      {"agents",
       {"core", "system", "daemon", "protocol", "protocol/hdfs", "protocol/shuffle",
        "protocol/webhdfs", "hdfs_client", "shuffle_client", "kernels", "applications"}},
  };
  return all;
}

const Room* room_of(std::string_view path) {
  for (const Room& room : rooms()) {
    if (path.starts_with(room.folder) && path.substr(room.folder.size()).starts_with('/')) {
      return &room;
    }
  }
  return nullptr;
}

}  // namespace tracebed::lint
