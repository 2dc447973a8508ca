#include "agents/launcher/container_pipe.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace tracebed::launcher {
namespace {

constexpr std::size_t bytes_read_max = 2'048;
constexpr std::size_t text_bytes_max = 500;

// Only what a terminal shows as it is.
std::string printable(const char* bytes, std::size_t count) {
  std::string text(bytes, std::min(count, text_bytes_max));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (char& c : text) {
    if (c < ' ' || c > '~') c = c == '\n' ? '|' : '?';
  }
  return text;
}

}  // namespace

Result<ContainerPipe> ContainerPipe::make() {
  std::array<int, 2> ends = {-1, -1};
  // Each end has flags of its own: what the container changes are the writing end's.
  if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    return Error{"a pipe for its output cannot be created: " + error_text(errno)};
  }
  ContainerPipe pipe;
  pipe.reading_end_.reset(ends[0]);
  pipe.writing_end_.reset(ends[1]);
  return pipe;
}

ContainerPipe::Output ContainerPipe::take() {
  std::array<char, bytes_read_max> bytes;
  const ssize_t got = read(reading_end_.number(), bytes.data(), bytes.size());
  reading_end_.reset();
  Output output;
  if (got <= 0) return output;
  const auto count = static_cast<std::size_t>(got);
  std::size_t text_begin = 0;
  ProgressReport report;
  if (count >= sizeof(report)) {
    std::memcpy(&report, bytes.data(), sizeof(report));
    if (report.magic == ProgressReport::mark) {
      output.report = report;
      text_begin = sizeof(report);
    }
  }
  output.text = printable(bytes.data() + text_begin, count - text_begin);
  return output;
}

}  // namespace tracebed::launcher
