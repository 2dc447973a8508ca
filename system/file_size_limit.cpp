#include "system/file_size_limit.h"

#include <csignal>

namespace tracebed {

void report_file_size_limit() {
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace tracebed
