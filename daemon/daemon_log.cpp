#include "daemon/daemon_log.h"

#include <cstdlib>
#include <deque>
#include <fmt/format.h>
#include <mutex>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "system/plain_text.h"

namespace tracebed {
namespace {

constexpr std::size_t lines_max = 1'000;

bool is_stderr_the_journal() {
  const char* journal = std::getenv("JOURNAL_STREAM");
  struct stat status = {};
  if (journal == nullptr || ::fstat(STDERR_FILENO, &status) != 0) return false;
  return fmt::format("{}:{}", status.st_dev, status.st_ino) == journal;
}

// "<4>" of a warning, in syslog's numbers.
class Priority final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&,
              spdlog::memory_buf_t& into) override {
    int priority = 6;
    if (message.level >= spdlog::level::critical) {
      priority = 2;
    } else if (message.level >= spdlog::level::err) {
      priority = 3;
    } else if (message.level >= spdlog::level::warn) {
      priority = 4;
    }
    fmt::format_to(std::back_inserter(into), "<{}>", priority);
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<Priority>();
  }
};

std::string plain_payload(const spdlog::details::log_msg& message) {
  return plain_line({message.payload.data(), message.payload.size()});
}

// What was logged, which is one line whatever names are in it.
class OneLine final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&,
              spdlog::memory_buf_t& into) override {
    const std::string line = plain_payload(message);
    into.append(line.data(), line.data() + line.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<OneLine>();
  }
};

std::unique_ptr<spdlog::formatter> formatter_for(const std::string& name) {
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<OneLine>('Z');
  if (is_stderr_the_journal()) {
    formatter->add_flag<Priority>('*').set_pattern("%*%Z");
  } else {
    formatter->set_pattern("%H:%M:%S.%e " + name + " %l: %Z");
  }
  return formatter;
}

}  // namespace

class DaemonLog::Keeper final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  std::vector<LoggedLine> take(std::size_t count) {
    const std::lock_guard lock(mutex_);
    std::vector<LoggedLine> taken;
    for (; taken.size() < count && !lines_.empty(); lines_.pop_front()) {
      taken.push_back(std::move(lines_.front()));
    }
    return taken;
  }
  std::uint64_t take_lost() {
    const std::lock_guard lock(mutex_);
    return std::exchange(lost_, 0);
  }

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    LoggedLine line;
    line.at = std::chrono::time_point_cast<std::chrono::nanoseconds>(message.time);
    if (message.level >= spdlog::level::warn) line.severity = LineSeverity::warning;
    if (message.level >= spdlog::level::err) line.severity = LineSeverity::error;
    line.text = plain_payload(message);
    lines_.push_back(std::move(line));
    if (lines_.size() <= lines_max) return;
    lines_.pop_front();
    ++lost_;
  }
  void flush_() override {}

  std::deque<LoggedLine> lines_;  // guarded, as is the next, by the base's mutex
  std::uint64_t lost_ = 0;
};

DaemonLog::DaemonLog(const std::string& name) : keeper_(std::make_shared<Keeper>()) {
  const auto stderr_sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  stderr_sink->set_formatter(formatter_for(name));
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>(name, spdlog::sinks_init_list{stderr_sink, keeper_}));
}

std::vector<LoggedLine> DaemonLog::take(std::size_t count) {
  return keeper_->take(count);
}

std::uint64_t DaemonLog::take_lost() {
  return keeper_->take_lost();
}

}  // namespace tracebed
