// Which applications or nodes a request asks for: the query parameters that YARN's ResourceManager
// knows (RMWebServices.getApps and getNodes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "coordinator/monitoring/run_snapshot.h"
#include "core/result.h"
#include "daemon/http_server.h"

namespace tracebed {

class ApplicationFilter {
 public:
  // Fails with a sentence about a parameter that is unknown, or whose value is wrong.
  static Result<ApplicationFilter> read(const HttpRequest& request);

  bool takes(const RunSnapshot& snapshot, const ApplicationSnapshot& application) const;
  // How many are answered at most.
  std::size_t limit() const { return limit_; }

 private:
  struct Times {
    std::int64_t first = 0;  // milliseconds since 1970
    std::int64_t last = std::numeric_limits<std::int64_t>::max();
  };

  std::set<std::string> states_;  // empty: all
  std::set<std::string> types_;
  std::optional<std::string> final_status_;
  std::optional<std::string> user_;
  std::optional<std::string> queue_;
  std::optional<std::string> name_;
  bool has_tags_ = false;  // asked for: no application here has any
  Times started_;
  std::optional<Times> finished_;
  std::size_t limit_ = std::numeric_limits<std::size_t>::max();
};

class NodeFilter {
 public:
  static Result<NodeFilter> read(const HttpRequest& request);
  bool takes(const NodeSnapshot& node) const;

 private:
  std::set<std::string> states_;
};

}  // namespace tracebed
