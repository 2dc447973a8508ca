#include "agents/cgroups/account_files.h"

#include <algorithm>
#include <time.h>

#include "system/files.h"

namespace tracebed {
namespace {

template <class Handle>
void for_each_line(std::string_view text, Handle handle) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    handle(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::int64_t number_after(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return 0;
  return parse_number(line.substr(at + key.size())).value_or(0);
}

}  // namespace

BlockBytes parse_io_stat(std::string_view text) {
  BlockBytes bytes;
  for_each_line(text, [&](std::string_view line) {
    bytes.read += number_after(line, " rbytes=");
    bytes.written += number_after(line, " wbytes=");
  });
  return bytes;
}

std::optional<std::int64_t> read_number(int directory, const char* path) {
  const auto text = read_kernel_file(directory, path);
  return text ? parse_number(*text) : std::nullopt;
}

bool freeze_v1(int directory, const char* state_path) {
  // Reading the state is what moves it on from FREEZING once all have stopped.
  constexpr int polls = 200;
  constexpr timespec pause = {0, 500'000};
  for (int i = 0; i < polls; ++i) {
    // Written again each time: a task that forked in between may have escaped the first freeze.
    if (write_kernel_file(directory, state_path, "FROZEN") != 0) return false;
    const auto state = read_kernel_file(directory, state_path);
    if (state && state->starts_with("FROZEN")) return true;
    nanosleep(&pause, nullptr);
  }
  return false;
}

}  // namespace tracebed
