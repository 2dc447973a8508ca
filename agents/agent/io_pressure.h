// How long tasks on this machine have waited for I/O lately (Linux' pressure stall information).
#pragma once

#include <cstdint>
#include <string_view>

namespace tracebed::agent {

// Of the text of /proc/pressure/io, "some avg10" in thousandths; -1 if that is not what it is.
std::int32_t parse_io_pressure(std::string_view text);
// -1 on a kernel that does not tell.
std::int32_t read_io_pressure();

}  // namespace tracebed::agent
