// Traces as text in a test, and what is read from them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/names.h"
#include "core/workload.h"
#include "traces/open_trace.h"

namespace tracebed::testing {

struct ReadTrace {
  std::vector<Job> jobs;
  Names names;
  LoadReport report;
  std::uint64_t bad_rows = 0;
};

// All jobs of the trace `text`, which messages call "t".
ReadTrace read_trace(std::string_view text, const TraceOptions& options = {});
// What the InputError says that reading it ends in; "no error" if it does not.
std::string read_error(std::string_view text, const TraceOptions& options = {});

// Options with one rule set; the rule must exist.
TraceOptions with_rule(std::string_view name, std::string_view value, TraceOptions options = {});

std::string gzip(std::string_view text);
std::string zstd(std::string_view text);

std::string file_text(const std::filesystem::path& path);

// A folder of its own that is gone afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(std::string_view name) const { return (path_ / name).string(); }
  // Writes `text` there and returns the path.
  std::string write(std::string_view name, std::string_view text) const;

 private:
  std::filesystem::path path_;
};

}  // namespace tracebed::testing
