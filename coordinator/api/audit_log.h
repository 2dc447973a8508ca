// Who submitted, cancelled, drained and changed what, and when: one JSON object per line of
// STATE/audit.log, and a line in the daemon's log. Any thread may use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>

namespace tracebed {

struct AuditRecord {
  std::string who;   // the name of the token; empty if none is required
  std::string peer;  // ADDRESS:PORT of the connection; "signal" for what a signal requested
  std::string action;
  std::int64_t run = 0;  // 0: of no run
  std::string detail;    // the request, in a few words
  std::string outcome;   // "done", or why it was refused
};

class AuditLog {
 public:
  // At this size the file is renamed to audit.log.1, that one to audit.log.2, and so on; the oldest
  // is deleted.
  static constexpr std::uint64_t file_bytes_max = std::uint64_t{8} << 20;
  static constexpr int old_files_max = 4;
  // Longer texts of a record are truncated.
  static constexpr std::size_t text_bytes_max = 300;

  explicit AuditLog(const std::filesystem::path& folder) : file_(folder / "audit.log") {}

  // A record that cannot be written to disk is in the daemon's log alone, which reports that.
  void write(const AuditRecord& record);

 private:
  void append(const std::string& line);
  void rotate() const;

  const std::filesystem::path file_;
  std::mutex mutex_;
  bool is_failing_ = false;
};

}  // namespace tracebed
