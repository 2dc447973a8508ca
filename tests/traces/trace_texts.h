// Traces as text in a test, and what is read from them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/names.h"
#include "core/workload.h"
#include "support/temporary_folder.h"
#include "traces/open_trace.h"

namespace tracebed::testing {

struct ReadTrace {
  std::vector<Job> jobs;
  Names names;
  LoadReport report;
  std::uint64_t bad_rows = 0;
};

// Options with which bad rows are counted and passed over.
inline TraceOptions skipping() {
  TraceOptions options;
  options.skip_bad = true;
  return options;
}

// All jobs of the trace `text`, which messages call "t".
ReadTrace read_trace(std::string_view text, const TraceOptions& options = {});
// What the InputError says that reading it ends in; "no error" if it does not.
std::string read_error(std::string_view text, const TraceOptions& options = {});

// Options with one rule set; the rule must exist.
TraceOptions with_rule(std::string_view name, std::string_view value, TraceOptions options = {});

std::string gzip(std::string_view text);
std::string zstd(std::string_view text);

std::string file_text(const std::filesystem::path& path);

}  // namespace tracebed::testing
