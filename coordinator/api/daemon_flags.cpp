#include "coordinator/api/daemon_flags.h"

#include <CLI/CLI.hpp>

#include "coordinator/api/control_server.h"

namespace tracebed {

void add_daemon_flags(CLI::App& program, std::string& config, CoordinatorFile& file) {
  program.name("tracebed-coordinator");
  program.description("Runs submitted experiments, one after another.");
  program.set_version_flag("--version", "tracebed-coordinator " TRACEBED_VERSION);
  program.add_option("--config", config, "File that says what these flags say, and more")
      ->type_name("FILE");
  program.add_option("--state", file.state, "Folder that keeps the runs; made if it is not there")
      ->type_name("FOLDER");
  program
      .add_option("--traces", file.traces,
                  "Folder whose traces experiments may name, as ${TRACEBED_TRACES}/…; without "
                  "it no experiment is taken")
      ->type_name("FOLDER");
  file.port = control_port_default;
  program.add_option("--port", file.port, "On 127.0.0.1; 0 takes a free one")
      ->check(CLI::Range(0, 65'535))
      ->capture_default_str();
  program
      .add_option("--listen", file.listen,
                  "Where agents of a cluster register: ipc://PATH, for this user's and root's; "
                  "tcp://ADDRESS:PORT needs keys, and so --config")
      ->type_name("ENDPOINT");
}

}  // namespace tracebed
