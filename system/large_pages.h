// The heap in large pages. The state of a long virtual run is spread over more pages than a
// processor's TLB holds, and the misses cost about a tenth of the run.
#pragma once

#include <string_view>

namespace tracebed {

// What a program should do about its heap, by the kernel's mode
// (/sys/kernel/mm/transparent_hugepage/enabled) and the C library's settings (GLIBC_TUNABLES; null
// if there are none).
enum class LargePages {
  leave,     // always given, never given, or the user has settings of their own
  ask,       // the kernel gives them on request, and none was made yet
  was_asked  // this program was started again by ask
};
LargePages large_pages(std::string_view kernel_mode, const char* tunables);

// To be called first in main(). The C library requests large pages only if its settings say so
// before the program begins, so if they must be requested, the program is executed once more, in
// the same process, which takes some tens of milliseconds. Children inherit nothing of it. If that
// fails, everything works as before.
void heap_in_large_pages(char** arguments);

}  // namespace tracebed
