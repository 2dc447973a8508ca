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
  // Connects within five seconds. `host` is an address or name, `port` from 1. A token that is not
  // empty is said at once.
  ControlClient(const std::string& host, std::uint16_t port, const std::string& token = {});

  std::int64_t submit(const control::Submission& submission);
  std::vector<control::RunStatus> list_runs(std::int32_t limit);
  control::RunStatus status(std::int64_t run);
  // The next of a run's files, after that path; none: there are no more.
  std::vector<control::RunFile> list_files(std::int64_t run, const std::string& after);
  // What comes from `offset` on; empty at the file's end.
  std::string read_file(std::int64_t run, const std::string& path, std::int64_t offset);
  void cancel(std::int64_t run);
  control::ClusterStatus cluster();
  std::vector<control::LogLine> log_lines(const std::string& daemon, std::int64_t after,
                                          std::int32_t limit);
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
