#include "coordinator/api/audit_log.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "coordinator/api/run_entry.h"
#include "system/file_descriptor.h"

namespace tracebed {
namespace {

constexpr mode_t audit_mode = 0640;

// "2026-11-23T06:47:49.123Z"
std::string moment_text() {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto second = std::chrono::floor<std::chrono::seconds>(now);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(second)),
                     (now - second).count());
}

}  // namespace

void AuditLog::write(const AuditRecord& record) {
  const auto cut = [](const std::string& text) { return clipped(text, text_bytes_max); };
  nlohmann::ordered_json json{{"at", moment_text()},
                              {"who", cut(record.who)},
                              {"peer", cut(record.peer)},
                              {"action", record.action}};
  if (record.run != 0) json["run"] = record.run;
  if (!record.detail.empty()) json["detail"] = cut(record.detail);
  json["outcome"] = cut(record.outcome);
  const std::string line = json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  spdlog::info("audit: {}", line);
  const std::lock_guard lock(mutex_);
  append(line + '\n');
}

void AuditLog::append(const std::string& line) {
  const auto fail = [this](int error) {
    if (!is_failing_) {
      spdlog::error("cannot write {}; its entries are only in this log: {}", file_.string(),
                    error_text(error));
    }
    is_failing_ = true;
  };
  const FileDescriptor file(
      ::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, audit_mode));
  struct stat status = {};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0) return fail(errno);
  const ssize_t written = ::write(file.number(), line.data(), line.size());
  if (written != static_cast<ssize_t>(line.size())) {
    const int error = written < 0 ? errno : ENOSPC;
    // No half of a line stays, which would spoil the next.
    if (::ftruncate(file.number(), status.st_size) != 0) spdlog::error("{}", error_text(errno));
    return fail(error);
  }
  is_failing_ = false;
  if (static_cast<std::uint64_t>(status.st_size) + line.size() >= file_bytes_max) rotate();
}

void AuditLog::rotate() const {
  std::error_code error;
  for (int i = old_files_max; i > 0; --i) {
    const std::string from = i == 1 ? file_.string() : fmt::format("{}.{}", file_.string(), i - 1);
    std::filesystem::rename(from, fmt::format("{}.{}", file_.string(), i), error);
    const bool is_the_log = i == 1;
    if (error && is_the_log) {
      spdlog::error("{} cannot be renamed: {}", file_.string(), error.message());
    }
  }
}

}  // namespace tracebed
