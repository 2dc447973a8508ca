#include "coordinator/api/daemon_flags.h"

#include <CLI/CLI.hpp>

#include "coordinator/api/control_server.h"

namespace tracebed {

void add_daemon_flags(CLI::App& program, std::string& config, CoordinatorFile& file) {
  program.name("tracebed-coordinator");
  program.description("Run submitted experiments, one after another.");
  program.set_version_flag("--version", "tracebed-coordinator " TRACEBED_VERSION);
  program.add_option("--config", config, "Configuration file; flags override it")
      ->type_name("FILE");
  program.add_option("--state", file.state, "Folder for the runs; created if it does not exist")
      ->type_name("FOLDER");
  program
      .add_option("--traces", file.traces,
                  "Folder of the traces that experiments name as ${TRACEBED_TRACES}/…; without "
                  "it, no experiment is accepted")
      ->type_name("FOLDER");
  file.port = control_port_default;
  program.add_option("--port", file.port, "Control port on 127.0.0.1; 0: any free port")
      ->check(CLI::Range(0, 65'535))
      ->capture_default_str();
  program
      .add_option("--listen", file.listen,
                  "Endpoint where agents register: ipc://PATH, for this user's agents and "
                  "root's, or tcp://ADDRESS:PORT, which needs keys and thus --config")
      ->type_name("ENDPOINT");
}

}  // namespace tracebed
