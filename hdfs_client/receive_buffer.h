// Bytes that came over a connection and have not been read yet. The buffer grows with what has
// arrived, to less than twice as much, and never because a peer announces a length.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/visit.h"
#include "hdfs_client/connection.h"

namespace tracebed::hdfs {

class ReceiveBuffer {
 public:
  explicit ReceiveBuffer(std::size_t bytes) : bytes_(bytes) {}

  Bytes unread() const { return Bytes(bytes_).subspan(begin_, end_ - begin_); }
  // The first of the unread bytes have been read.
  void consume(std::size_t count);

  // Receives until this many bytes are unread. Views of unread bytes become invalid.
  ClientStatus receive(Connection& connection, std::size_t count, const Deadline& deadline);
  // What has arrived already; nothing is waited for. Views of unread bytes become invalid.
  ClientStatus try_receive(Connection& connection);

 private:
  // The free part of the buffer after what is unread: not empty, and if the buffer is as large, so
  // large that `count` bytes can be unread.
  std::span<std::byte> room(std::size_t count);

  std::vector<std::byte> bytes_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// Receives until `parse`, a function of the unread bytes that returns a ParseResult, finds a value
// at their beginning. The value may view the buffer: it is consumed by the caller.
template <class Parse>
auto receive_value(Connection& connection, ReceiveBuffer& buffer, const Deadline& deadline,
                   const Parse& parse)
    -> ClientResult<std::variant_alternative_t<1, decltype(parse(Bytes()))>> {
  using Value = std::variant_alternative_t<1, decltype(parse(Bytes()))>;
  using Outcome = ClientResult<Value>;
  while (true) {
    std::size_t missing = 0;
    Outcome outcome = visit_all(
        parse(buffer.unread()), [](Value&& value) -> Outcome { return std::move(value); },
        [&](NeedMore&& more) -> Outcome {
          missing = more.bytes;
          const ClientStatus received = buffer.receive(connection, more.bytes, deadline);
          if (!received) return received.error();
          return Value{};
        },
        [&](Malformed&& error) -> Outcome {
          return ClientFailure{
              ClientFailureKind::protocol, connection.peer().text() + ": " + error.reason, {}};
        });
    if (!outcome || missing == 0) return outcome;
  }
}

}  // namespace tracebed::hdfs
