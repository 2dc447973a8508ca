// The one way in: a trace file of any known format as a workload.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/names.h"
#include "traces/parts/byte_source.h"
#include "traces/parts/trace_options.h"
#include "traces/parts/trace_reader.h"
#include "traces/parts/trace_rows.h"

namespace tracebed {

// Users and queues of the jobs are interned in `names`, which outlives the reader. Throws
// InputError if the file cannot be read or its format not determined.
std::unique_ptr<TraceReader> open_trace(const std::string& path, const TraceOptions& options,
                                        Names& names);
// The same from bytes in memory; `name` is what messages call them.
std::unique_ptr<TraceReader> open_trace(std::string name, std::unique_ptr<ByteSource> bytes,
                                        const TraceOptions& options, Names& names);

// The rows of the file in file order; null unless its format has a job in each row (SWF, SWIM). If
// TraceRows::takes_any_order(), they are not in the order of their submit times.
std::unique_ptr<TraceRows> open_rows(const std::string& path, const TraceOptions& options);

// What is read of a trace or of machines: the file itself, or the tables of a folder; none without
// a path.
std::vector<std::string> files_of_trace(const std::string& path);

}  // namespace tracebed
