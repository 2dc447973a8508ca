// The flags of tracebed-coordinator.
#pragma once

#include <string>

#include "coordinator/api/coordinator_file.h"

namespace CLI {
class App;
}

namespace tracebed {

// Names the program and adds its flags. What they say is stored in `file`, and the name of a file
// that has more in `config`.
void add_daemon_flags(CLI::App& program, std::string& config, CoordinatorFile& file);

}  // namespace tracebed
