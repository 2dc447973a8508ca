#include "agents/launcher/process_files.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <unistd.h>

#include "system/files.h"

namespace tracebed::launcher {
namespace {

std::string process_file(pid_t process, const char* file) {
  std::array<char, 64> path;
  std::snprintf(path.data(), path.size(), "/proc/%d/%s", process, file);
  return read_kernel_file(AT_FDCWD, path.data()).value_or("");
}

}  // namespace

ProcessIo read_process_io(pid_t process) {
  const std::string text = process_file(process, "io");
  const auto figure = [&](std::string_view key) { return find_number(text, key).value_or(0); };
  ProcessIo io;
  io.bytes_read = figure("read_bytes:");
  io.bytes_written =
      std::max<std::int64_t>(figure("write_bytes:") - figure("cancelled_write_bytes:"), 0);
  return io;
}

ProcessUse read_process_use(pid_t process) {
  const std::string text = process_file(process, "stat");
  // The name in parentheses may hold anything; the fields after it are numbers: state is the 3rd,
  // utime the 14th, stime the 15th, vsize the 23rd, rss the 24th.
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return {};
  unsigned long user_ticks = 0;
  unsigned long system_ticks = 0;
  unsigned long virtual_bytes = 0;
  long pages = 0;
  if (std::sscanf(text.c_str() + name_end + 1,
                  " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %*d %*d "
                  "%*u %lu %ld",
                  &user_ticks, &system_ticks, &virtual_bytes, &pages) != 4) {
    return {};
  }
  const std::int64_t ticks = static_cast<std::int64_t>(user_ticks + system_ticks);
  return {ticks * 1'000'000 / sysconf(_SC_CLK_TCK), std::int64_t{pages} * sysconf(_SC_PAGESIZE),
          static_cast<std::int64_t>(virtual_bytes)};
}

}  // namespace tracebed::launcher
