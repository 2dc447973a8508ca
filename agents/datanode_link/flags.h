// The flags of tracebed-datanode.
#pragma once

#include <cstdint>
#include <string>

#include "core/datanode_options.h"

namespace CLI {
class App;
}

namespace tracebed {

struct DatanodeFlags {
  std::string config;
  std::string run;
  std::string name;
  std::string address;
  std::string folder;
  std::string store = "generated";
  std::uint64_t capacity = std::uint64_t{1} << 40;
  std::int64_t socket_timeout_ms = default_datanode_socket_timeout.count();
  std::string isolation = "auto";
  std::string links;
  int lifeline_descriptor = -1;
};

// Names the program and adds its flags, which are stored in `flags`.
void add_flags(CLI::App& app, DatanodeFlags& flags);

}  // namespace tracebed
