// A limit on the size of files (ulimit -f, a service's LimitFSIZE).
#pragma once

namespace tracebed {

// From now on a write beyond the limit fails with an error (EFBIG), as on a full disk; the kernel's
// default is a signal that kills (SIGXFSZ). To be called by main.
void report_file_size_limit();

}  // namespace tracebed
