#include "agents/task/stated_progress.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/preemption.h"

namespace tracebed {
namespace {

// One more than what is stated; 0: nothing.
using Stated = std::uint32_t;
constexpr int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

// A task that was started by hand may have anything behind that number.
bool is_progress_file(int file) {
  return fcntl(file, F_GET_SEALS) == seals;
}

}  // namespace

Result<ProgressFile> ProgressFile::make() {
  ProgressFile made;
  made.file_.reset(memfd_create("tracebed-progress", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  const Stated nothing = 0;
  // Written here, so that it is not memory of the task's.
  if (!made.file_.is_open() ||
      pwrite(made.file_.number(), &nothing, sizeof(nothing), 0) != sizeof(nothing) ||
      fcntl(made.file_.number(), F_ADD_SEALS, seals) != 0) {
    return Error{"a file for its progress cannot be made: " + error_text(errno)};
  }
  return made;
}

std::optional<std::uint32_t> ProgressFile::stated() const {
  Stated stated = 0;
  if (pread(file_.number(), &stated, sizeof(stated), 0) != sizeof(stated) || stated == 0) {
    return std::nullopt;
  }
  return std::min(stated - 1, whole_work);
}

StatedProgress::StatedProgress(std::size_t threads) : done_(threads) {
  const char* const text = std::getenv(progress_variable);
  if (text == nullptr) return;
  const char* const end = text + std::strlen(text);
  int file = -1;
  const auto parsed = std::from_chars(text, end, file);
  if (parsed.ec == std::errc{} && parsed.ptr == end && is_progress_file(file)) file_ = file;
}

void StatedProgress::note(std::size_t thread, std::uint32_t done) {
  if (file_ < 0) return;
  done_[thread].store(done, std::memory_order_relaxed);
  if (thread != 0) return;
  Stated least = done;
  for (const auto& one : done_) least = std::min(least, one.load(std::memory_order_relaxed));
  ++least;
  // What cannot be written is not known to the launcher, and harms nobody.
  static_cast<void>(pwrite(file_, &least, sizeof(least), 0));
}

}  // namespace tracebed
