// A limit on the size of files (ulimit -f, a service's LimitFSIZE).
#pragma once

namespace tracebed {

// From now on a file that may not grow is an error of the write (EFBIG), as a full disk is one; the
// kernel's own way is a signal that kills (SIGXFSZ). For main.
void report_file_size_limit();

}  // namespace tracebed
