// Talks to a coordinator's control service. Every failure is EnvironmentError (no coordinator, lost
// connection) or ControlRefusal (it said no, and why).
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "Control.h"

namespace tracebed {

class ControlRefusal : public std::runtime_error {
 public:
  explicit ControlRefusal(const std::string& message) : std::runtime_error(message) {}
};

class ControlClient {
 public:
  // Connects within five seconds. `host` is an address or name, `port` from 1.
  ControlClient(const std::string& host, std::uint16_t port);

  std::int64_t submit(const std::string& experiment, const std::string& name);
  std::vector<control::RunStatus> list_runs(std::int32_t limit);
  control::RunStatus status(std::int64_t run);
  void cancel(std::int64_t run);
  control::ClusterStatus cluster();
  void refresh(std::int64_t run, const std::string& setting, const std::string& value);
  void order(std::int64_t run, const control::Order& order);

 private:
  template <class Call>
  auto guarded(Call call);

  std::string address_;
  std::unique_ptr<control::ControlClient> client_;
};

std::string_view name(control::RunState::type state);

}  // namespace tracebed
