#include "agents/agent/io_pressure.h"

#include <array>
#include <charconv>
#include <cmath>
#include <fcntl.h>
#include <unistd.h>

#include "system/file_descriptor.h"

namespace tracebed::agent {

std::int32_t parse_io_pressure(std::string_view text) {
  constexpr std::string_view before = "some avg10=";
  if (!text.starts_with(before)) return -1;
  text.remove_prefix(before.size());
  double percent = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), percent);
  const bool is_share = parsed.ec == std::errc{} && percent >= 0 && percent <= 100;
  return is_share ? static_cast<std::int32_t>(std::lround(percent * 10)) : -1;
}

std::int32_t read_io_pressure() {
  const FileDescriptor file(open("/proc/pressure/io", O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return -1;
  std::array<char, 256> text = {};
  const ssize_t size = read(file.number(), text.data(), text.size());
  if (size <= 0) return -1;
  return parse_io_pressure({text.data(), static_cast<std::size_t>(size)});
}

}  // namespace tracebed::agent
