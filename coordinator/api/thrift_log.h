// What Thrift's library logs about connections that fail or send garbage.
#pragma once

namespace tracebed {

// Drops it. For programs whose own errors report the same.
void silence_thrift();
// Writes it to the log of the process. For daemons.
void log_thrift();

}  // namespace tracebed
