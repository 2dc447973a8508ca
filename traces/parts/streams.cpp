#include "traces/parts/streams.h"

#include <sys/stat.h>

#include "core/input_error.h"

namespace tracebed {

bool is_stream(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

void expect_no_stream(const std::string& path) {
  if (!is_stream(path)) return;
  throw InputError(path + ": expected a file, since it is read more than once, got a pipe");
}

}  // namespace tracebed
