// A client of a coordinator's control service. Every failure is EnvironmentError (no coordinator,
// lost connection) or ControlRefusal (it refused, with the reason).
#pragma once

#include <cstdint>
#include <exception>
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

// It refused what was submitted: an experiment, or a change to a run.
class ContentRefusal : public ControlRefusal {
 public:
  explicit ContentRefusal(const std::string& message) : ControlRefusal(message) {}
};

// The sentence of an exception of the service.
std::string refusal_text(const std::exception_ptr& thrown);

class ControlClient {
 public:
  // Connects within five seconds. `host` is an address or name, `port` from 1. A token that is not
  // empty is sent at once.
  ControlClient(const std::string& host, std::uint16_t port, const std::string& token = {});

  std::int64_t submit(const control::Submission& submission);
  // The latest runs, newest first, without the first `skip`; fetches as many pages as needed.
  std::vector<control::RunStatus> list_runs(std::int32_t limit, std::int64_t skip = 0);
  control::RunStatus status(std::int64_t run);
  // The next of a run's files, after that path; empty: there are no more.
  std::vector<control::RunFile> list_files(std::int64_t run, const std::string& after);
  // The bytes from `offset` on; empty at the file's end.
  std::string read_file(std::int64_t run, const std::string& path, std::int64_t offset);
  void cancel(std::int64_t run);
  void delete_run(std::int64_t run);
  // With all agents.
  control::ClusterStatus cluster();
  std::vector<control::LogLine> log_lines(const std::string& daemon, std::int64_t after,
                                          std::int32_t limit);
  void tune(std::int64_t run, const std::string& parameter, const std::string& value);
  void refresh(std::int64_t run, const std::string& setting, const std::string& value,
               const std::string& file = {});
  void set_drained(const std::string& agent, bool is_drained, std::int64_t grace_microseconds);
  void execute(std::int64_t run, const control::AdministratorCommand& command);

 private:
  template <class Call>
  auto guarded(Call call);

  std::string address_;
  std::unique_ptr<control::ControlClient> client_;
};

std::string_view name(control::RunState::type state);

}  // namespace tracebed
