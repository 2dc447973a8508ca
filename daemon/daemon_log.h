// The log of a daemon: lines on stderr, the latest of which are also kept to be fetched. What is
// logged is one line each, without control characters, whatever names are in it
// (system/plain_text.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tracebed {

// In the numbers of wire::Severity (protocol/wire_messages.h).
enum class LineSeverity : std::uint8_t { info, warning, error };

struct LoggedLine {
  std::chrono::sys_time<std::chrono::nanoseconds> at{};
  LineSeverity severity = LineSeverity::info;
  std::string text;
};

class DaemonLog {
 public:
  // From now on everything that this process logs, by spdlog's default logger, goes through this.
  // If stderr is the service manager's journal (JOURNAL_STREAM, systemd.exec(5)), a line begins
  // with its priority (sd-daemon(3)), and the journal records the process and the time; otherwise
  // it begins with the time and `name`.
  explicit DaemonLog(const std::string& name);

  // Those that were not taken yet, at most `count`, the oldest first.
  std::vector<LoggedLine> take(std::size_t count);
  // Number of lines that were pushed out before they were taken, since the last call.
  std::uint64_t take_lost();

 private:
  class Keeper;
  std::shared_ptr<Keeper> keeper_;  // shared with spdlog, which requires it
};

}  // namespace tracebed
