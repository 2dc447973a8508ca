// Where the real traces lie on this machine: the folder in TRACEBED_TRACES, or the one that the
// build assumes.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace tracebed {

inline std::filesystem::path traces_folder() {
  const char* set = std::getenv("TRACEBED_TRACES");
  return set != nullptr ? set : TRACEBED_TRACES_DEFAULT;
}

}  // namespace tracebed
