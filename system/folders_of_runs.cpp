#include "system/folders_of_runs.h"

#include <vector>

#include "core/input_error.h"
#include "system/files_below.h"

namespace tracebed {
namespace {

const std::filesystem::path& existing_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw EnvironmentError(folder.string() + ": " + error.message());
  return folder;
}

// A link is none, wherever it leads.
std::vector<std::filesystem::path> folders_in(const std::filesystem::path& folder,
                                              const std::string& prefix, std::error_code& error) {
  std::vector<std::filesystem::path> folders;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const bool is_of_run = entry->path().filename().string().starts_with(prefix);
    if (is_of_run && entry->symlink_status().type() == std::filesystem::file_type::directory) {
      folders.push_back(entry->path());
    }
  }
  return folders;
}

}  // namespace

FoldersOfRuns::FoldersOfRuns(std::filesystem::path folder, std::string prefix)
    : folder_(std::move(folder)), prefix_(std::move(prefix)), lock_(existing_folder(folder_)) {}

std::filesystem::path FoldersOfRuns::open(const std::string& run) const {
  const std::string name = prefix_ + run;
  if (!is_path_below(name) || name.find('/') != std::string::npos) {
    throw EnvironmentError("a run's name is expected to be one word of a path, got " + run);
  }
  std::error_code error;
  for (const std::filesystem::path& found : folders_in(folder_, prefix_, error)) {
    if (found.filename() != name) std::filesystem::remove_all(found, error);
    if (error) throw EnvironmentError(found.string() + ": " + error.message());
  }
  if (error) throw EnvironmentError(folder_.string() + ": " + error.message());
  return existing_folder(folder_ / name);
}

bool FoldersOfRuns::remove_all() const {
  std::error_code error;
  const std::vector<std::filesystem::path> folders = folders_in(folder_, prefix_, error);
  bool is_done = !error;
  for (const std::filesystem::path& found : folders) {
    std::filesystem::remove_all(found, error);
    is_done = is_done && !error;
  }
  return is_done;
}

}  // namespace tracebed
