// Why an operation of a shuffle's client failed. Nothing here throws for what servers do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "core/result.h"
#include "hdfs_client/client_failure.h"
#include "hdfs_client/connection.h"
#include "protocol/shuffle/shuffle_frames.h"

namespace tracebed::shuffle {

enum class FailureKind : std::uint8_t {
  connection,      // refused, unreachable, reset, or closed by the server
  timeout,         // the server did not answer within the operation's time
  interrupted,     // by the caller's own order
  protocol,        // the server sent what no server sends
  denied,          // the token is not that of the job
  untrusted,       // an answer is not by the run's server
  corrupt,         // bytes differ from their checksum
  unknown_output,  // it is not there, or not yet
  beyond_end,      // the range is not within the output
  ending,          // the server ends; another may come
  damaged,         // the server's own file is
  failed,          // the server, to read or to write
  no_space,        // for what was put
  differs,         // the server received something else than was put
};

// Whether trying the same again may help: Hadoop's fetchers report others to the master,
// which runs the map again.
constexpr bool may_help_to_retry(FailureKind kind) {
  switch (kind) {
    case FailureKind::connection:
    case FailureKind::timeout:
    case FailureKind::unknown_output:
    case FailureKind::ending:
    case FailureKind::failed:
      return true;
    case FailureKind::interrupted:
    case FailureKind::protocol:
    case FailureKind::denied:
    case FailureKind::untrusted:
    case FailureKind::corrupt:
    case FailureKind::beyond_end:
    case FailureKind::damaged:
    case FailureKind::no_space:
    case FailureKind::differs:
      return false;
  }
  return false;
}

struct Failure {
  FailureKind kind = FailureKind::connection;
  std::string message;  // one sentence without its full stop; names the host, and the output if any
  hdfs::Endpoint host = {};
  std::optional<std::uint32_t> container = {};  // none: it is about the host

  bool may_retry() const { return may_help_to_retry(kind); }
};

template <class T>
using ClientResult = Result<T, Failure>;
using ClientStatus = ClientResult<std::monostate>;

// `status` is not ok.
FailureKind kind_of(OutputStatus status);
Failure failure_of(const hdfs::Endpoint& host, const hdfs::ClientFailure& failure);
Failure failure_of(const hdfs::Endpoint& host, FailureKind kind, std::string_view why);
// The failure as one of an output: one that is about another already is not changed.
Failure about(std::uint32_t job, std::uint32_t container, Failure failure);

}  // namespace tracebed::shuffle
