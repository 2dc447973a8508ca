// Reads bytes as a trace, as every fuzz target of a reader does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "core/names.h"
#include "traces/parts/trace_options.h"
#include "traces/parts/trace_reader.h"

namespace tracebed::fuzz {

// As a trace of this format ("auto": of the one that it is told to be), once so that bad rows are
// skipped and once so that the first one ends it; checks what readers promise of every job.
void read_as(std::string_view format, const std::uint8_t* data, std::size_t size);

// The same of a reader that `open` makes.
using OpenReader =
    std::function<std::unique_ptr<TraceReader>(const TraceOptions& options, Names& names)>;
void read_with(std::string_view format, const OpenReader& open);

}  // namespace tracebed::fuzz
