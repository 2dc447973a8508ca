// How long tasks on this machine have waited for I/O lately (Linux' pressure stall information).
#pragma once

#include <cstdint>
#include <string_view>

namespace tracebed::agent {

// From the text of /proc/pressure/io, "some avg10" in thousandths; -1 if the text is malformed.
std::int32_t parse_io_pressure(std::string_view text);
// -1 if the kernel does not report it.
std::int32_t read_io_pressure();

}  // namespace tracebed::agent
