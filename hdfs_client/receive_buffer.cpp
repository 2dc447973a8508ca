#include "hdfs_client/receive_buffer.h"

#include <algorithm>
#include <cstring>

#include "core/check.h"

namespace tracebed::hdfs {

void ReceiveBuffer::consume(std::size_t count) {
  TRACEBED_CHECK(count <= end_ - begin_, "only bytes that have arrived are read");
  begin_ += count;
  if (begin_ == end_) begin_ = end_ = 0;
}

std::span<std::byte> ReceiveBuffer::room(std::size_t count) {
  if (begin_ > 0 && (end_ == bytes_.size() || bytes_.size() - begin_ < count)) {
    std::memmove(bytes_.data(), bytes_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == bytes_.size()) bytes_.resize(std::max<std::size_t>(2 * bytes_.size(), 64));
  return std::span(bytes_).subspan(end_);
}

ClientStatus ReceiveBuffer::receive(Connection& connection, std::size_t count,
                                    const Deadline& deadline) {
  while (end_ - begin_ < count) {
    const ClientResult<std::size_t> received = connection.receive(room(count), deadline);
    if (!received) return received.error();
    end_ += *received;
  }
  return client_success();
}

ClientStatus ReceiveBuffer::try_receive(Connection& connection) {
  const ClientResult<std::size_t> received = connection.try_receive(room(1));
  if (!received) return received.error();
  end_ += *received;
  return client_success();
}

}  // namespace tracebed::hdfs
