// The coordinator's configuration file, /etc/tracebed/coordinator.toml where it is installed.
// docs/operating.md has an example with every key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace tracebed {

struct CoordinatorFile {
  std::filesystem::path state;   // folder that keeps the runs
  std::filesystem::path traces;  // folder of traces that experiments may name; empty: none

  bool allow_local_runs = false;           // experiments of world "local", on this host
  std::size_t max_completed_runs = 1'000;  // older ones are deleted

  // Of the control service. Another address than one of the loopback interface needs a token.
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;
  std::filesystem::path token_file;  // empty: anyone who reaches the port may use it

  // Of the HTTP server (figures for Prometheus, queues as YARN's REST has them), as above; none if
  // there is no such table.
  std::string metrics_address = "127.0.0.1";
  std::optional<std::uint16_t> metrics_port;

  // Where agents register, tcp://ADDRESS:PORT; empty: nowhere. The files are given both or neither.
  std::string listen;
  std::filesystem::path key_file;    // the coordinator's own keys
  std::filesystem::path agent_keys;  // NAME = "public key" of each agent that may connect

  // Of the servers of HDFS clients; none if there is no such table. Hadoop RPC and WebHDFS know no
  // tokens: whoever reaches the address may read and write the data of runs.
  std::string storage_address = "127.0.0.1";
  std::optional<std::uint16_t> rpc_port;
  std::uint16_t http_port = 0;
  // Of the administrators' Thrift service. Another address than one of the loopback interface needs
  // a token.
  std::string thrift_address = "127.0.0.1";
  std::uint16_t thrift_port = 0;

  std::string redis;  // of runs on the cluster; empty: each run has one of its own
  std::string redis_user;
  std::filesystem::path redis_password_file;  // its first line
};

// Throws InputError naming file, key, expected and actual value; EnvironmentError if the file
// cannot be read.
CoordinatorFile read_coordinator_file(const std::filesystem::path& file);

}  // namespace tracebed
