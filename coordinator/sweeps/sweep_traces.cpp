#include "coordinator/sweeps/sweep_traces.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include "core/input_error.h"
#include "system/file_descriptor.h"
#include "system/replace_file.h"
#include "traces/convert/trace_convert.h"

namespace tracebed {
namespace {

// Held until it is closed; the kernel frees the lock of a process that is killed.
FileDescriptor wait_for_lock(const std::filesystem::path& path) {
  constexpr mode_t lock_mode = 0644;
  FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, lock_mode));
  int result = file.is_open() ? 0 : -1;
  if (file.is_open()) {
    do {
      result = ::flock(file.number(), LOCK_EX);
    } while (result != 0 && errno == EINTR);
  }
  if (result != 0) {
    throw EnvironmentError(
        fmt::format("{} cannot be locked: {}", path.string(), error_text(errno)));
  }
  return file;
}

}  // namespace

std::optional<std::filesystem::path> binary_trace(
    const SweptTrace& trace, const std::filesystem::path& folder,
    const std::function<void(const std::string&)>& noted) {
  constexpr std::size_t digits_of_name = 16;
  const std::string name = (std::filesystem::absolute(folder) / trace.id.substr(0, digits_of_name))
                               .lexically_normal()
                               .string();
  const std::string file = name + ".trace";
  const std::string marked_lossy = name + ".lossy";
  const FileDescriptor lock = wait_for_lock(folder / "lock");
  if (std::filesystem::exists(marked_lossy)) return std::nullopt;
  if (std::filesystem::exists(file)) return file;
  // Under another name until it is known that nothing was lost.
  const std::string draft = name + ".draft";
  const ConvertResult result = convert_trace(trace.file.string(), draft, "binary", trace.options);
  if (!result.lost.empty()) {
    std::filesystem::remove(draft);
    replace_file(marked_lossy, result.lost.front().name + "\n");
    noted(fmt::format("{}: each point reads it: the binary form would lose {}", trace.file.string(),
                      result.lost.front().name));
    return std::nullopt;
  }
  std::filesystem::rename(draft, file);
  noted(fmt::format(
      "{}: {} jobs read once, for all points{}", trace.file.string(), result.jobs_written,
      result.bad_rows == 0 ? "" : fmt::format("; {} bad rows skipped", result.bad_rows)));
  return file;
}

}  // namespace tracebed
