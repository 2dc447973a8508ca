// Why an operation of the client failed. Peers that misbehave, and namenodes and datanodes that
// refuse, are values: nothing here throws for them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "core/result.h"

namespace tracebed::hdfs {

enum class ClientFailureKind : std::uint8_t {
  connection,   // refused, unreachable, reset, or closed by the peer
  timeout,      // the peer did not answer within the operation's time
  interrupted,  // by the caller's own order
  protocol,     // the peer sent what HDFS's protocols do not have
  remote,       // the peer answered that the operation failed
  corrupt,      // bytes differ from their checksums, or from generated content
  slow,         // bytes come more slowly than the caller accepts
  exhausted,    // no replica or attempt is left; the message names what became of each
};

struct ClientFailure {
  ClientFailureKind kind = ClientFailureKind::connection;
  std::string message;          // one sentence without its full stop; names the peer
  std::string exception_class;  // as Hadoop names it; empty unless a namenode answered so
};

template <class T>
using ClientResult = Result<T, ClientFailure>;
using ClientStatus = ClientResult<std::monostate>;
inline ClientStatus client_success() {
  return ClientStatus(std::monostate{});
}

}  // namespace tracebed::hdfs
