// The heap in large pages. The state of a long virtual run is spread over more pages than a
// processor keeps the addresses of, and looking them up costs about a tenth of the run.
#pragma once

#include <string_view>

namespace tracebed {

// What a program should do about its heap, by the kernel's mode
// (/sys/kernel/mm/transparent_hugepage/enabled) and the C library's settings (GLIBC_TUNABLES; null
// if there are none).
enum class LargePages {
  leave,     // given without asking, never given, or somebody has settings of their own
  ask,       // the kernel gives them to who asks, and nobody has asked yet
  was_asked  // this program was started by its own asking
};
LargePages large_pages(std::string_view kernel_mode, const char* tunables);

// To be called first in main(). The C library asks for large pages only if it is told before the
// program begins, so where they have to be asked for the program is started once more, in the same
// process. Children inherit nothing of it. Where that can't be done, everything works as before.
void heap_in_large_pages(char** arguments);

}  // namespace tracebed
