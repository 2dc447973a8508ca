// A client's connection to a shuffle server. Every wait has a deadline, and is interrupted by the
// descriptor of the options.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "hdfs_client/connection.h"
#include "hdfs_client/receive_buffer.h"
#include "protocol/shuffle/shuffle_frames.h"
#include "shuffle_client/shuffle_failure.h"

namespace tracebed::shuffle {

// One thread uses it. After a failure it is of no more use.
class ShuffleChannel {
 public:
  static ClientResult<ShuffleChannel> open(const hdfs::Endpoint& host, const JobToken& token,
                                           const hdfs::ConnectionOptions& options);

  // Signs it, too, with the weight that the options state.
  template <class Request>
  ClientStatus send(Request request) {
    if constexpr (requires { request.weight; }) request.weight = weight_;
    const Frame frame = frame_of(request, {token_, nonce_, signed_requests_++});
    code_before_ = std::exchange(code_, signed_code(frame));
    return send_bytes(frame);
  }
  ClientStatus send_bytes(Bytes bytes);
  // Whether something has arrived, or the connection has broken.
  bool has_reply() const;

  // What the server says next; a denial is a failure, and so is an answer to the last request that
  // is not by the run's server. A chunk is valid until the next call, and not compared with its
  // checksum.
  ClientResult<Reply> receive();

  const hdfs::Endpoint& host() const { return connection_.peer(); }

 private:
  ShuffleChannel(hdfs::Connection connection, const JobToken& token,
                 const hdfs::ConnectionOptions& options);

  // The reply that was returned last, which is the answer.
  bool is_to_request(const Answer& answer) const;

  hdfs::Connection connection_;
  hdfs::ReceiveBuffer buffer_;
  std::size_t seen_bytes_ = 0;  // at the buffer's begin, of the reply that was returned last
  std::chrono::milliseconds read_timeout_;
  std::chrono::milliseconds write_timeout_;
  std::uint16_t weight_;
  JobToken token_;
  Nonce nonce_{};
  std::uint64_t signed_requests_ = 0;
  Code code_{};         // of the last one
  Code code_before_{};  // of the one before
};

}  // namespace tracebed::shuffle
