#include "coordinator/config/trace_folders.h"

#include <string>

namespace tracebed {
namespace {

constexpr std::string_view traces_variable = "${TRACEBED_TRACES}/";

}  // namespace

bool begins_with_traces(std::string_view text) {
  return text.starts_with(traces_variable);
}

Result<std::filesystem::path> below_traces(std::string_view text, const TraceFolders& folders) {
  if (!folders.traces) {
    return Error{"\"" + std::string(text) +
                 "\" needs the environment variable TRACEBED_TRACES to name the folder that the "
                 "traces are in, and it is not set"};
  }
  return std::filesystem::absolute(*folders.traces) / text.substr(traces_variable.size());
}

}  // namespace tracebed
