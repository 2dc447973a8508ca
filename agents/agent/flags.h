// The flags of tracebed-agent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agents/agent/agent.h"
#include "agents/agent/agent_file.h"

namespace CLI {
class App;
}

namespace tracebed::agent {

struct Flags {
  std::string config;
  std::string run;
  std::string name;
  std::string rack = "/default-rack";
  std::vector<std::string> labels;
  std::uint32_t speed = 1'000;
  std::string coordinator;
  std::string address;
  std::int64_t milli_vcores = 0;
  std::int64_t memory_mib = 0;
  std::vector<std::int64_t> more_resources;
  std::string launcher_program;
  std::string task_program;
  std::string master_program;
  std::string launcher_path;
  std::string isolation = "auto";
  std::size_t first_cpu = 0;
  std::string task_user;
  int lifeline_descriptor = -1;
  std::string shuffle_program;
  std::string map_outputs;
  std::uint16_t shuffle_port = 0;
  std::uint32_t shuffle_connections = AgentShuffle().connections_max;
  std::string links;
  Resources capacity;  // unless a flag overrides it
  std::optional<LinkKeys> keys;
  std::optional<HttpServerOptions> metrics;
};

// Names the program and adds its flags, which are stored in `flags`.
void add_flags(CLI::App& app, Flags& flags);

}  // namespace tracebed::agent
