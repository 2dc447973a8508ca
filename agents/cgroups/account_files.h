// The files that report a cgroup's usage, and the one that freezes it, if the format or the waiting
// is more than reading one number.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tracebed {

struct BlockBytes {
  std::int64_t read = 0;
  std::int64_t written = 0;
};

// Version 2, io.stat: lines "8:0 rbytes=4096 wbytes=0 rios=1 …", per device.
BlockBytes parse_io_stat(std::string_view text);

// A file that holds one number.
std::optional<std::int64_t> read_number(int directory, const char* path);

// Freezes a version 1 cgroup and waits until it is, for at most 100 ms. True if it is frozen.
bool freeze_v1(int directory, const char* state_path);

}  // namespace tracebed
