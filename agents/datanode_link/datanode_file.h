// The configuration file of a long-running datanode, /etc/tracebed/datanode.toml where it is
// installed. docs/operating.md has an example with every key. What a run's datanodes are like is
// said by its experiment.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tracebed {

struct DatanodeFile {
  std::string coordinator;  // tcp://ADDRESS:PORT
  std::string name;         // of its machine's agent; empty: this machine's host name
  std::string address;      // one of these two defines where it listens and connects from
  std::string interface;    // its first IPv4 address
  std::uint16_t transfer_port = 9'866;  // dfs.datanode.address
  std::uint16_t http_port = 9'864;      // dfs.datanode.http.address: WebHDFS
  std::string folder = "/var/lib/tracebed-datanode";
  std::string key_file;         // its agent's
  std::string coordinator_key;  // public
};

// Throws InputError naming file, key, expected and actual value; EnvironmentError if the file
// cannot be read.
DatanodeFile read_datanode_file(const std::filesystem::path& file);

}  // namespace tracebed
