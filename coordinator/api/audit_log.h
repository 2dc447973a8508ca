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
  std::string who;   // the name of the token; empty where none is wanted
  std::string peer;  // ADDRESS:PORT of the connection; "signal" for what a signal asked for
  std::string action;
  std::int64_t run = 0;  // 0: of no run
  std::string detail;    // what was asked for, in a few words
  std::string outcome;   // "done", or why it was refused
};

class AuditLog {
 public:
  // A file that has grown to so much becomes audit.log.1, that one audit.log.2, and so on; the
  // oldest is deleted.
  static constexpr std::uint64_t file_bytes_max = std::uint64_t{8} << 20;
  static constexpr int old_files_max = 4;
  // Longer texts of a record are cut.
  static constexpr std::size_t text_bytes_max = 300;

  explicit AuditLog(const std::filesystem::path& folder) : file_(folder / "audit.log") {}

  // A record that the disk does not take is in the daemon's log alone, and that is said.
  void write(const AuditRecord& record);

 private:
  void append(const std::string& line);
  void rotate() const;

  const std::filesystem::path file_;
  std::mutex mutex_;
  bool is_failing_ = false;
};

}  // namespace tracebed
