#include "lint/architecture.h"

namespace tracebed::lint {

const std::vector<Room>& rooms() {
  static const std::vector<Room> all = {
      {"core", {}, true},
      {"protocol", {"core"}},
      {"traces", {"core", "protocol"}},
      {"schedulers", {"core"}, true},
      {"applications", {"core"}, true},
      {"report", {"core", "protocol"}},
      {"coordinator/engine", {"core", "schedulers", "applications"}, true},
      {"coordinator/virtual", {"core", "schedulers", "applications", "coordinator/engine"}},
      {"coordinator/recorded", {"core", "schedulers", "applications", "coordinator/engine"}},
      {"coordinator/config", {"core"}},
      {"coordinator/real",
       {"core", "protocol", "schedulers", "applications", "coordinator/engine"}},
      {"coordinator/runner",
       {"core", "protocol", "traces", "schedulers", "applications", "report", "coordinator/engine",
        "coordinator/virtual", "coordinator/recorded", "coordinator/config", "coordinator/real"}},
      {"coordinator/api",
       {"core", "protocol", "traces", "schedulers", "applications", "report", "coordinator"}},
      {"coordinator/cli",
       {"core", "protocol", "traces", "schedulers", "applications", "report", "coordinator"}},
      {"agents", {"core", "protocol", "applications"}},
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
