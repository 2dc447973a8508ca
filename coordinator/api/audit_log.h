// Who submitted, cancelled, drained and changed what, and when: one JSON object per line of
// STATE/audit.log, and a line in the daemon's log. What was refused has a file of its own,
// STATE/audit-refused.log, so that nobody who may do nothing can make the other roll over; of it,
// and of what only reads, the first few records of each peer in a minute are written, and the rest
// is counted. Any thread may use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>

#include "daemon/line_limit.h"

namespace tracebed {

struct AuditRecord {
  std::string who;   // the name of the token; empty if none is required
  std::string peer;  // ADDRESS:PORT of the connection; "signal" for what a signal requested
  std::string action;
  std::int64_t run = 0;  // 0: of no run
  std::string detail;    // the request, in a few words
  std::string outcome;   // "done", or why it was refused
  bool is_refused = false;
  bool only_reads = false;
};

class AuditLog {
 public:
  // At this size a file is renamed to NAME.1, that one to NAME.2, and so on; the oldest is deleted.
  static constexpr std::uint64_t file_bytes_max = std::uint64_t{8} << 20;
  static constexpr int old_files_max = 4;
  static constexpr int old_refused_files_max = 1;
  // Longer texts of a record are truncated.
  static constexpr std::size_t text_bytes_max = 300;

  explicit AuditLog(const std::filesystem::path& folder)
      : done_{folder / "audit.log", old_files_max},
        refused_{folder / "audit-refused.log", old_refused_files_max} {}

  // A record that cannot be written to disk is in the daemon's log alone, which reports that.
  void write(const AuditRecord& record);
  // To be called now and then: a record for what was only counted, as ThriftLog's.
  void tell_left_out(LineLimit::Moment now);

 private:
  struct File {
    std::filesystem::path path;
    int old_max = 0;
    bool is_failing = false;
  };

  void put(File& file, const AuditRecord& record);
  static void append(File& file, const std::string& line);
  static void rotate(const File& file);

  std::mutex mutex_;  // guards what follows
  File done_;
  File refused_;
  LineLimit refusals_;
  LineLimit readings_;
};

}  // namespace tracebed
