#include "system/temporary_folder.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>

#include "core/input_error.h"
#include "system/file_descriptor.h"

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

std::string temporary_folder_pattern(std::string_view prefix) {
  return temporary_folder() / (std::string(prefix) + "XXXXXX");
}

std::filesystem::path make_temporary_folder(std::string_view prefix) {
  std::string pattern = temporary_folder_pattern(prefix);
  if (mkdtemp(pattern.data()) == nullptr) {
    throw EnvironmentError("cannot create a folder at " + pattern + ": " + error_text(errno));
  }
  return pattern;
}

void remove_abandoned_folders(std::string_view prefix,
                              const std::function<bool(const std::filesystem::path&)>& is_in_use) {
  const auto young = std::filesystem::file_time_type::clock::now() - std::chrono::minutes(1);
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(temporary_folder(), ignored)) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    if (entry.last_write_time(ignored) > young || is_in_use(entry.path())) continue;
    std::filesystem::remove_all(entry.path(), ignored);
  }
}

}  // namespace tracebed
