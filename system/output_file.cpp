#include "system/output_file.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

#include "core/input_error.h"

namespace tracebed {
namespace {

constexpr int standard_output_number = 1;
constexpr mode_t output_file_mode = 0666;  // less the umask
constexpr int drafts_max = 1000;           // of one process and one place
constexpr int links_max = 40;              // as Linux follows (path_resolution(7))

// The number in "-", "/dev/stdout" and "/dev/fd/N". Opening such a path anew would begin at the
// file's start, whatever the descriptor's position.
std::optional<int> descriptor_named(std::string_view path) {
  if (path == standard_stream || path == "/dev/stdout") return standard_output_number;
  if (path == "/dev/stderr") return 2;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = 0;
    const char* const end = path.data() + path.size();
    const auto read = std::from_chars(path.data() + folder.size(), end, number);
    if (read.ec == std::errc{} && read.ptr == end && number >= 0) return number;
  }
  return std::nullopt;
}

std::optional<struct stat> status_of(const std::string& path) {
  struct stat status {};
  const auto number = descriptor_named(path);
  const int result = number ? fstat(*number, &status) : stat(path.c_str(), &status);
  if (result != 0) return std::nullopt;
  return status;
}

bool is_same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Where a chain of symbolic links leads to, whether there is anything or not.
std::string link_target(const std::string& path) {
  std::filesystem::path target = path;
  std::error_code error;
  for (int i = 0; i < links_max; ++i) {
    const std::filesystem::path next = std::filesystem::read_symlink(target, error);
    if (error) return target.string();
    target = target.parent_path() / next;  // which is `next` itself if that is absolute
  }
  return target.string();
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (const auto number = descriptor_named(path_)) {
    file_ = FileDescriptor(fcntl(*number, F_DUPFD_CLOEXEC, 0));
    if (!file_.is_open()) fail(errno);
    return;
  }
  const auto status = status_of(path_);
  if (!status && errno != ENOENT) fail(errno);
  if (status && S_ISDIR(status->st_mode)) fail(EISDIR);
  if (status && !S_ISREG(status->st_mode)) {
    file_ = FileDescriptor(open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (!file_.is_open()) fail(errno);
    return;
  }
  target_ = link_target(path_);
  open_draft(status ? status->st_mode & 0777U : 0);
}

OutputFile::~OutputFile() {
  if (!draft_.empty()) std::remove(draft_.c_str());
}

void OutputFile::open_draft(unsigned mode) {
  for (int i = 0; i < drafts_max; ++i) {
    std::string draft = fmt::format("{}.partial-{}-{}", target_, getpid(), i);
    file_ = FileDescriptor(open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                                output_file_mode));
    if (!file_.is_open() && errno == EEXIST) continue;
    if (!file_.is_open()) fail(errno);
    draft_ = std::move(draft);
    if (mode != 0 && fchmod(file_.number(), mode) != 0) {
      const int error = errno;
      std::remove(draft_.c_str());  // there is no destructor to do it yet
      fail(error);
    }
    return;
  }
  fail(EEXIST);
}

void OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void OutputFile::finish() {
  if (close(file_.release()) != 0) fail(errno);
  if (draft_.empty()) return;
  if (std::rename(draft_.c_str(), target_.c_str()) != 0) fail(errno);
  draft_.clear();
}

void OutputFile::fail(int error) const {
  throw EnvironmentError(fmt::format("{} cannot be written: {}",
                                     path_ == standard_stream ? "standard output" : path_,
                                     error_text(error)));
}

void write_output_file(const std::string& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.finish();
}

bool is_output_stream(const std::string& path) {
  if (descriptor_named(path)) return true;
  const auto status = status_of(path);
  return status && !S_ISREG(status->st_mode) && !S_ISDIR(status->st_mode);
}

bool is_standard_output(const std::string& path) {
  const auto number = descriptor_named(path);
  if (number == standard_output_number) return true;
  const auto status = status_of(path);
  const auto of_output = status_of(std::string(standard_stream));
  return status && of_output && is_same(*status, *of_output);
}

void expect_other_file(const std::string& output, const std::vector<std::string>& inputs) {
  const auto written = status_of(output);
  if (!written || S_ISCHR(written->st_mode)) return;
  for (const std::string& input : inputs) {
    const auto read = status_of(input == standard_stream ? "/dev/fd/0" : input);
    if (!read || !is_same(*written, *read)) continue;
    throw InputError(
        fmt::format("{}: expected an output file other than the input, got the same file as {}",
                    output, input == standard_stream ? "standard input" : input));
  }
}

}  // namespace tracebed
