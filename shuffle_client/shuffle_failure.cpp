#include "shuffle_client/shuffle_failure.h"

#include "core/check.h"

namespace tracebed::shuffle {
namespace {

FailureKind kind_of_client(hdfs::ClientFailureKind kind) {
  using Kind = hdfs::ClientFailureKind;
  switch (kind) {
    case Kind::connection:
      return FailureKind::connection;
    case Kind::timeout:
    case Kind::slow:
      return FailureKind::timeout;
    case Kind::interrupted:
      return FailureKind::interrupted;
    case Kind::protocol:
    case Kind::remote:
    case Kind::exhausted:
      return FailureKind::protocol;
    case Kind::corrupt:
      return FailureKind::corrupt;
  }
  return FailureKind::protocol;
}

}  // namespace

FailureKind kind_of(OutputStatus status) {
  switch (status) {
    case OutputStatus::unknown_output:
      return FailureKind::unknown_output;
    case OutputStatus::beyond_end:
      return FailureKind::beyond_end;
    case OutputStatus::ending:
      return FailureKind::ending;
    case OutputStatus::damaged:
      return FailureKind::damaged;
    case OutputStatus::failed:
      return FailureKind::failed;
    case OutputStatus::no_space:
      return FailureKind::no_space;
    case OutputStatus::differs:
      return FailureKind::differs;
    case OutputStatus::ok:
      break;
  }
  TRACEBED_CHECK(false, "an answer that is ok is no failure");
}

Failure failure_of(const hdfs::Endpoint& host, const hdfs::ClientFailure& failure) {
  return {kind_of_client(failure.kind), failure.message, host};
}

Failure failure_of(const hdfs::Endpoint& host, FailureKind kind, std::string_view why) {
  return {kind, host.text() + ": " + std::string(why), host};
}

Failure about(std::uint32_t job, std::uint32_t container, Failure failure) {
  if (failure.container) return failure;
  failure.container = container;
  failure.message +=
      " (output of container " + std::to_string(container) + " of job " + std::to_string(job) + ")";
  return failure;
}

}  // namespace tracebed::shuffle
