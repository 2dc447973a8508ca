#include "system/files_below.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tracebed {
namespace {

constexpr std::size_t words_max = 16;
constexpr std::size_t word_bytes_max = 255;
constexpr mode_t folder_mode = 0755;
constexpr mode_t file_mode = 0644;

std::vector<std::string> words_of(std::string_view path) {
  std::vector<std::string> words;
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/')) {
    words.emplace_back(path.substr(0, slash));
    path.remove_prefix(slash + 1);
  }
  words.emplace_back(path);
  return words;
}

bool is_plain(const std::string& word) {
  return !word.empty() && word.size() <= word_bytes_max && word != "." && word != ".." &&
         std::all_of(word.begin(), word.end(),
                     [](unsigned char c) { return c >= ' ' && c != 127; });
}

Error failure(std::string_view path, int error) {
  return Error{std::string(path) + ": " + error_text(error)};
}

// The folder of the path's last word, which is left in `name`.
Result<FileDescriptor> walk(const FileDescriptor& folder, std::string_view path, bool makes_folders,
                            std::string& name) {
  if (!is_path_below(path)) return Error{"expected a path below the folder"};
  const std::vector<std::string> words = words_of(path);
  name = words.back();
  FileDescriptor at(fcntl(folder.number(), F_DUPFD_CLOEXEC, 0));
  if (!at.is_open()) return failure(path, errno);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (makes_folders && mkdirat(at.number(), words[i].c_str(), folder_mode) != 0 &&
        errno != EEXIST) {
      return failure(path, errno);
    }
    FileDescriptor next(
        openat(at.number(), words[i].c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!next.is_open()) return failure(path, errno);
    at = std::move(next);
  }
  return at;
}

}  // namespace

bool is_path_below(std::string_view path) {
  if (path.size() > words_max * (word_bytes_max + 1)) return false;
  const std::vector<std::string> words = words_of(path);
  return words.size() <= words_max && std::all_of(words.begin(), words.end(), is_plain);
}

Result<FileDescriptor> open_folder(const std::filesystem::path& folder) {
  FileDescriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) return failure(folder.string(), errno);
  return opened;
}

Result<FileDescriptor> open_below(const FileDescriptor& folder, std::string_view path) {
  std::string name;
  const Result<FileDescriptor> parent = walk(folder, path, false, name);
  if (!parent) return parent.error();
  // A pipe of that name must keep nobody waiting.
  FileDescriptor file(
      openat(parent->number(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status = {};
  if (!file.is_open() || fstat(file.number(), &status) != 0) return failure(path, errno);
  if (!S_ISREG(status.st_mode)) return Error{std::string(path) + ": not a plain file"};
  return file;
}

Result<FileDescriptor> create_below(const FileDescriptor& folder, std::string_view path) {
  std::string name;
  const Result<FileDescriptor> parent = walk(folder, path, true, name);
  if (!parent) return parent.error();
  FileDescriptor file(openat(parent->number(), name.c_str(),
                             O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, file_mode));
  if (!file.is_open()) return failure(path, errno);
  return file;
}

std::vector<FileBelow> files_below(const std::filesystem::path& folder, const std::string& after,
                                   std::size_t files_max) {
  std::vector<FileBelow> files;
  std::error_code error;
  const auto options = std::filesystem::directory_options::skip_permission_denied;
  for (std::filesystem::recursive_directory_iterator at(folder, options, error), end;
       !error && at != end; at.increment(error)) {
    std::error_code unreadable;
    if (at->symlink_status(unreadable).type() != std::filesystem::file_type::regular) continue;
    const std::string path = at->path().lexically_relative(folder).string();
    if (path <= after || !is_path_below(path)) continue;
    const std::uint64_t bytes = at->file_size(unreadable);
    if (!unreadable) files.push_back({path, bytes});
  }
  const auto by_path = [](const FileBelow& a, const FileBelow& b) { return a.path < b.path; };
  if (files.size() > files_max) {
    const auto middle = files.begin() + static_cast<std::ptrdiff_t>(files_max);
    std::nth_element(files.begin(), middle, files.end(), by_path);
    files.resize(files_max);
  }
  std::sort(files.begin(), files.end(), by_path);
  return files;
}

}  // namespace tracebed
