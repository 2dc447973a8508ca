// A change of a running scheduler's configuration, as YARN's clients ask for it
// (org.apache.hadoop.yarn.webapp.dao.SchedConfUpdateInfo).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracebed {

// Names and values in the order of the request; none of a value removes what there is.
using UpdatedProperties = std::vector<std::pair<std::string, std::optional<std::string>>>;

struct ConfigurationUpdate {
  // Properties without what begins their names for every queue, and the queue's path.
  struct Queue {
    std::string path;
    UpdatedProperties properties;
  };

  std::vector<std::string> removed;  // paths of queues
  std::vector<Queue> added;
  std::vector<Queue> updated;
  UpdatedProperties global;  // by their full names

  bool is_empty() const {
    return removed.empty() && added.empty() && updated.empty() && global.empty();
  }
};

}  // namespace tracebed
