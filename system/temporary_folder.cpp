#include "system/temporary_folder.h"

#include <cstdlib>
#include <fmt/format.h>

#include "core/input_error.h"

namespace tracebed {

std::filesystem::path temporary_folder() {
  const char* const named = std::getenv("TMPDIR");
  if (named == nullptr || *named == '\0') return "/tmp";
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::absolute(named, error);
  const bool is_folder = !error && std::filesystem::is_directory(folder, error);
  if (is_folder) return folder;
  throw EnvironmentError(fmt::format("TMPDIR: expected a folder for temporary files, got {}: {}",
                                     named, error ? error.message() : "not a folder"));
}

}  // namespace tracebed
