// Answers GET /metrics, and nothing else, over HTTP.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace tracebed {

struct MetricsDoor {
  std::string address = "127.0.0.1";  // IPv4
  std::uint16_t port = 0;             // 0: a free one
  std::string token;                  // wanted as "Authorization: Bearer TOKEN"; empty: none is
};

class MetricsServer {
 public:
  // Listens at once and answers from a thread of its own until destroyed. `page` is called by that
  // thread, and makes the text. Throws EnvironmentError if the port cannot be had.
  MetricsServer(const MetricsDoor& door, std::function<std::string()> page);
  ~MetricsServer();
  MetricsServer(const MetricsServer&) = delete;
  MetricsServer& operator=(const MetricsServer&) = delete;

  std::uint16_t port() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tracebed
