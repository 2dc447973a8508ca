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

// Whose records are counted together: a token's from one host, whose connections have many ports.
std::string source_of(const AuditRecord& record) {
  const std::string host = record.peer.substr(0, record.peer.rfind(':'));
  return record.who.empty() ? host : fmt::format("{} at {}", record.who, host);
}

}  // namespace

void AuditLog::write(const AuditRecord& record) {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (record.is_refused && !refusals_.admits(source_of(record), now)) return;
  const bool reads = record.only_reads && !record.is_refused;
  if (reads && !readings_.admits(source_of(record), now)) return;
  put(record.is_refused ? refused_ : done_, record);
}

void AuditLog::tell_left_out(LineLimit::Moment now) {
  const std::lock_guard lock(mutex_);
  const auto tell = [&](LineLimit& limit, File& file, std::string_view what) {
    for (const LineLimit::LeftOut& of_peer : limit.take_left_out(now)) {
      put(file, {.who = of_peer.kind,
                 .action = "more",
                 .outcome = fmt::format("{} more were {} within {} s", of_peer.lines, what,
                                        LineLimit::window.count())});
    }
  };
  tell(refusals_, refused_, "refused");
  tell(readings_, done_, "read");
}

void AuditLog::put(File& file, const AuditRecord& record) {
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
  append(file, line + '\n');
}

void AuditLog::append(File& file, const std::string& line) {
  const auto fail = [&file](int error) {
    if (!file.is_failing) {
      spdlog::error("cannot write {}; its entries are only in this log: {}", file.path.string(),
                    error_text(error));
    }
    file.is_failing = true;
  };
  const FileDescriptor opened(::open(
      file.path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, audit_mode));
  struct stat status = {};
  if (!opened.is_open() || ::fstat(opened.number(), &status) != 0) return fail(errno);
  const ssize_t written = ::write(opened.number(), line.data(), line.size());
  if (written != static_cast<ssize_t>(line.size())) {
    const int error = written < 0 ? errno : ENOSPC;
    // No half of a line stays, which would spoil the next.
    if (::ftruncate(opened.number(), status.st_size) != 0) spdlog::error("{}", error_text(errno));
    return fail(error);
  }
  file.is_failing = false;
  if (static_cast<std::uint64_t>(status.st_size) + line.size() >= file_bytes_max) rotate(file);
}

void AuditLog::rotate(const File& file) {
  std::error_code error;
  const std::string path = file.path.string();
  for (int i = file.old_max; i > 0; --i) {
    const std::string from = i == 1 ? path : fmt::format("{}.{}", path, i - 1);
    std::filesystem::rename(from, fmt::format("{}.{}", path, i), error);
    const bool is_the_log = i == 1;
    if (error && is_the_log) spdlog::error("{} cannot be renamed: {}", path, error.message());
  }
}

}  // namespace tracebed
