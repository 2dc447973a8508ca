// What Thrift's library writes about connections that fail or send garbage.
#pragma once

namespace tracebed {

// Nothing of it is written. For programs whose errors say the same.
void silence_thrift();
// It goes to the log of the process. For daemons.
void log_thrift();

}  // namespace tracebed
