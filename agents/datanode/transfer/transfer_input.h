// What a connection has sent and is not read yet.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "agents/datanode/transfer/transfer_socket.h"
#include "core/visit.h"
#include "protocol/hdfs/delimited.h"

namespace tracebed {

// Used by one thread; the socket outlives it. Its memory is a page until a value needs more, and
// never more than twice the largest value that a parser accepts.
class TransferInput {
 public:
  using Deadline = TransferSocket::Clock::time_point;

  explicit TransferInput(TransferSocket& socket) : socket_(socket) {}

  hdfs::Bytes unread() const { return hdfs::Bytes(buffer_.get() + begin_, end_ - begin_); }
  void consume(std::size_t bytes) { begin_ += bytes; }
  // The number of bytes that can be read at once, at least.
  void reserve(std::size_t bytes);
  // Gives all memory but a page back, unless unread bytes are in it.
  void release();

  // Until this number of bytes is unread.
  TransferStatus fill(std::size_t bytes, Deadline deadline);

  // The next value, by a parser of protocol/hdfs. It may view the buffer: to be consumed when it
  // has been used.
  template <class T, class Parser>
  TransferResult<hdfs::Parsed<T>> next(const Parser& parser, Deadline deadline) {
    using Outcome = TransferResult<hdfs::Parsed<T>>;
    for (;;) {
      hdfs::ParseResult<T> result = parser(unread());
      if (auto* parsed = std::get_if<hdfs::Parsed<T>>(&result)) return Outcome(std::move(*parsed));
      if (auto* malformed = std::get_if<hdfs::Malformed>(&result)) {
        return TransferError{TransferFailure::malformed, std::move(malformed->reason)};
      }
      const std::size_t needed = std::get<hdfs::NeedMore>(result).bytes;
      if (TransferStatus status = fill(needed, deadline); !status) return status.error();
    }
  }

  // A message with its length before it; consumed.
  template <class Message>
  TransferResult<Message> next_message(std::size_t bytes_max, Deadline deadline) {
    const auto parser = [&](hdfs::Bytes bytes) { return hdfs::parse_delimited(bytes, bytes_max); };
    const auto parsed = next<hdfs::Bytes>(parser, deadline);
    if (!parsed) return parsed.error();
    Message message;
    if (!hdfs::parse_message(parsed->value, message)) {
      return TransferError{TransferFailure::malformed, "a message cannot be parsed"};
    }
    consume(parsed->bytes);
    return message;
  }

 private:
  static constexpr std::size_t first_bytes = 4'096;
  void resize(std::size_t bytes);

  TransferSocket& socket_;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t size_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace tracebed
