// The agent's configuration file, /etc/tracebed/agent.toml where it is installed. docs/operating.md
// has an example with every key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/resources.h"

namespace tracebed::agent {

// As a shuffle server takes it (agents/shuffle_link/shuffle_messages.h).
inline constexpr std::int64_t shuffle_connections_max = 100'000;

// Its part in runs with a shuffle.
struct AgentShuffle {
  // Of its shuffle server alone: outputs of earlier runs are removed from it.
  std::string folder = "/var/lib/tracebed-shuffle";
  std::uint16_t port = 13'562;          // mapreduce.shuffle.port
  std::uint32_t connections_max = 256;  // mapreduce.shuffle.max.connections
};

struct AgentFile {
  std::string coordinator;  // tcp://ADDRESS:PORT
  std::string name;         // empty: this machine's host name
  std::string rack = "/default-rack";
  std::vector<std::string> labels;
  std::uint32_t speed = 1'000;  // of its CPUs, in thousandths of those that traces were recorded on
  std::string address;          // one of these two defines where connections and tasks come from
  std::string interface;        // its first IPv4 address
  std::string launcher_socket = "/run/tracebed/launcher.sock";

  // Capacity: what is declared, else what was detected less the reserve.
  std::optional<std::int64_t> milli_vcores;
  std::optional<std::int64_t> memory_mib;
  std::int64_t reserved_milli_vcores = 0;
  std::int64_t reserved_memory_mib = 0;
  std::vector<std::int64_t> more_resources;  // of the further dimensions, in their order

  std::string key_file;         // with both keys, or without either
  std::string coordinator_key;  // public

  // Of the figures for Prometheus; none if there is no such table. Another address than one of the
  // loopback interface needs a token.
  std::string metrics_address = "127.0.0.1";
  std::optional<std::uint16_t> metrics_port;
  std::string metrics_token_file;
  std::optional<AgentShuffle> shuffle;  // without it, runs with a shuffle leave this agent out
};

// Throws InputError naming file, key, expected and actual value; EnvironmentError if the file
// cannot be read.
AgentFile read_agent_file(const std::filesystem::path& file);

// Throws InputError if the reserve leaves nothing.
Resources capacity_of(const AgentFile& file, const Resources& detected);

}  // namespace tracebed::agent
