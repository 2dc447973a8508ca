// What identifies a call of Hadoop IPC, in its request and in its reply.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tracebed::hdfs {

constexpr std::uint32_t rpc_version = 9;

// Calls with ids of their own (org.apache.hadoop.ipc.RpcConstants, Server.AuthProtocol).
constexpr std::int32_t invalid_call_id = -1;  // of replies to no call
constexpr std::int32_t connection_context_call_id = -3;
constexpr std::int32_t ping_call_id = -4;
constexpr std::int32_t sasl_call_id = -33;

// Hadoop's clients draw a UUID; some calls have none.
struct RpcClientId {
  static constexpr std::size_t bytes_max = 16;
  std::array<char, bytes_max> bytes{};
  std::uint8_t size = 0;

  std::string_view view() const { return {bytes.data(), size}; }
  bool operator==(const RpcClientId&) const = default;
};

struct RpcCallKey {
  std::int32_t call_id = invalid_call_id;
  std::int32_t retry_count = -1;
  RpcClientId client_id;

  bool operator==(const RpcCallKey&) const = default;
};

}  // namespace tracebed::hdfs
