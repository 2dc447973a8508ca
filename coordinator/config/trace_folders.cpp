#include "coordinator/config/trace_folders.h"

#include <string>

namespace tracebed {
namespace {

constexpr std::string_view traces_variable = "${TRACEBED_TRACES}/";

bool lies_below(const std::filesystem::path& file, const std::filesystem::path& folder) {
  const std::filesystem::path relative = std::filesystem::weakly_canonical(file).lexically_relative(
      std::filesystem::weakly_canonical(folder));
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

bool begins_with_traces(std::string_view text) {
  return text.starts_with(traces_variable);
}

Result<std::filesystem::path> below_traces(std::string_view text, const TraceFolders& folders) {
  if (!folders.traces) {
    return Error{"\"" + std::string(text) +
                 "\" needs the environment variable TRACEBED_TRACES, the folder of the traces, "
                 "which is not set"};
  }
  return std::filesystem::absolute(*folders.traces) / text.substr(traces_variable.size());
}

std::filesystem::path path_of_trace(const TomlValue& value, const TraceFolders& folders) {
  const std::string text = value.text();
  std::filesystem::path file;
  if (begins_with_traces(text)) {
    const auto path = below_traces(text, folders);
    if (!path) value.fail(path.error().message);
    file = *path;
  } else {
    if (text.find("${") != std::string::npos) {
      value.fail_expected("a path, or one that begins with ${TRACEBED_TRACES}/");
    }
    file = folders.folder / text;
  }
  if (folders.confined && !(folders.traces && lies_below(file, *folders.traces))) {
    value.fail_expected("a trace below the coordinator's trace folder: ${TRACEBED_TRACES}/…");
  }
  return file;
}

}  // namespace tracebed
