// Reads bytes as a trace, as every fuzz target of a reader does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tracebed::fuzz {

// As a trace of this format ("auto": of the one that it is told to be), once so that bad rows are
// skipped and once so that the first one ends it; checks what readers promise of every job.
void read_as(std::string_view format, const std::uint8_t* data, std::size_t size);

}  // namespace tracebed::fuzz
