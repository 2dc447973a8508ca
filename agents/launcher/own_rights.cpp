#include "agents/launcher/own_rights.h"

#include <cerrno>
#include <sys/prctl.h>

#include "system/file_descriptor.h"

namespace tracebed::launcher {

Status drop_capability_bounds() {
  // The kernel may know more capabilities than these headers; it reports the last one.
  for (unsigned long capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; ++capability) {
    if (prctl(PR_CAPBSET_DROP, capability) != 0) {
      return Error{"capability " + std::to_string(capability) +
                   " cannot be taken out of reach: " + error_text(errno)};
    }
  }
  return success();
}

}  // namespace tracebed::launcher
