#include "lint/architecture.h"

namespace tracebed::lint {

const std::vector<Room>& rooms() {
  static const std::vector<Room> all = {
      {"core", {}, true},
      {"system", {"core"}},
      {"command_line", {}},
      {"daemon", {"core", "system"}},
      {"protocol", {"core"}},
      {"traces", {"core", "system", "protocol"}},
      {"schedulers", {"core"}, true},
      {"applications", {"core"}, true},
      {"report", {"core", "system"}},
      {"coordinator/engine", {"core"}, true},
      {"coordinator/virtual", {"core"}},
      {"coordinator/recorded", {"core"}},
      {"coordinator/config", {"core", "system"}},
      {"coordinator/real", {"core", "system", "protocol"}},
      {"coordinator/runner",
       {"core", "system", "protocol", "traces", "schedulers", "applications", "report",
        "coordinator/engine", "coordinator/virtual", "coordinator/recorded", "coordinator/config",
        "coordinator/real"}},
      {"coordinator/api",
       {"core", "system", "daemon", "schedulers", "report", "coordinator/config",
        "coordinator/real", "coordinator/runner"}},
      {"coordinator/scenario",
       {"core", "system", "schedulers", "report", "coordinator/config", "coordinator/engine",
        "coordinator/runner"}},
      {"coordinator/cli",
       {"command_line", "core", "system", "traces", "schedulers", "applications", "report",
        "coordinator/config", "coordinator/real", "coordinator/runner", "coordinator/scenario",
        "coordinator/api"}},
      {"agents", {"core", "system", "daemon", "protocol", "applications"}},
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
