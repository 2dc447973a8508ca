#include "system/taken_folder.h"

#include <fmt/format.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/input_error.h"

namespace tracebed {
namespace {

// Whether it was not there. A folder that another process makes meanwhile is that one's.
bool make_folder(const std::filesystem::path& folder) {
  const std::filesystem::path parent = folder.parent_path();
  std::error_code error;
  if (!parent.empty()) std::filesystem::create_directories(parent, error);
  const bool is_made = std::filesystem::create_directory(folder, error);
  std::error_code ignored;
  if (is_made || std::filesystem::is_directory(folder, ignored)) return is_made;
  throw EnvironmentError(
      fmt::format("{} cannot be created: {}", folder.string(),
                  error ? error.message() : std::string("there is something else")));
}

// "runs/" is "runs", whose parent is another folder.
std::filesystem::path without_slash(std::filesystem::path folder) {
  return folder.has_filename() || !folder.has_parent_path() ? folder : folder.parent_path();
}

}  // namespace

TakenFolder::TakenFolder(std::filesystem::path folder)
    : folder_(std::filesystem::absolute(without_slash(std::move(folder)))),
      is_made_(make_folder(folder_)),
      lock_(folder_) {}

TakenFolder::~TakenFolder() {
  lock_.remove();
  if (is_made_) static_cast<void>(::rmdir(folder_.c_str()));
}

std::filesystem::path make_new_folder(const std::filesystem::path& name) {
  std::filesystem::path folder = name;
  for (int i = 2; !make_folder(folder); ++i) folder = fmt::format("{}-{}", name.string(), i);
  return folder;
}

}  // namespace tracebed
