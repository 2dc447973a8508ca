// The flags of tracebed-launcher.
#pragma once

#include <cstdint>
#include <string>

#include "agents/cgroups/open_tree.h"

namespace CLI {
class App;
}

namespace tracebed::launcher {

struct Flags {
  AgentName name;
  std::string task_program;
  std::string master_program;
  int agent_descriptor = -1;
  std::string listen_path;
  std::string agent_user;
  int lifeline_descriptor = -1;
  std::string task_user;
  std::string task_users;
  double orphan_grace_seconds = 60;
  std::string isolation = "auto";
  std::size_t first_cpu = 0;
  std::string sweep_run;
};

// Names the program and adds its flags, which are stored in `flags`.
void add_flags(CLI::App& app, Flags& flags);

}  // namespace tracebed::launcher
