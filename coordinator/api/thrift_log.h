// What Thrift's library logs about connections that fail or send garbage.
#pragma once

#include <mutex>
#include <string_view>

#include "daemon/line_limit.h"

namespace tracebed {

// Drops it. For programs whose own errors report the same.
void silence_thrift();

// Writes it to the log of the process as long as this lives, a few lines of each kind in a minute.
// For daemons; one at a time, since the library has one output.
class ThriftLog {
 public:
  ThriftLog();
  ~ThriftLog();
  ThriftLog(const ThriftLog&) = delete;
  ThriftLog& operator=(const ThriftLog&) = delete;

  // From any thread.
  void write(std::string_view message);
  // To be called now and then: sums up what was left out in windows that are over at this moment;
  // all of it, at a program's end, at Moment::max().
  void tell_left_out(LineLimit::Moment now);

 private:
  std::mutex mutex_;
  LineLimit limit_;
};

}  // namespace tracebed
