#include "agents/datanode_web/request_body.h"

#include <algorithm>
#include <utility>

namespace tracebed {
namespace {

// What is read at once: a few packets of the pipeline.
constexpr std::size_t input_bytes = 256 * 1024;

}  // namespace

RequestBody::RequestBody(const webhdfs::HttpHead& head, TransferInput& input,
                         std::chrono::milliseconds timeout)
    : input_(input), timeout_(timeout), is_chunked_(head.is_chunked), left_(head.body_bytes) {
  input_.reserve(input_bytes);
}

TransferResult<hdfs::Bytes> RequestBody::next() {
  input_.consume(std::exchange(returned_, 0));
  return is_chunked_ ? next_of_chunks() : next_of_length();
}

TransferResult<hdfs::Bytes> RequestBody::next_of_length() {
  if (left_ == 0) return hdfs::Bytes();
  const auto deadline = TransferSocket::Clock::now() + timeout_;
  if (TransferStatus filled = input_.fill(1, deadline); !filled) return filled.error();
  const hdfs::Bytes unread = input_.unread();
  returned_ = static_cast<std::size_t>(std::min<std::uint64_t>(left_, unread.size()));
  left_ -= returned_;
  return unread.first(returned_);
}

TransferResult<hdfs::Bytes> RequestBody::next_of_chunks() {
  if (has_ended_) return hdfs::Bytes();
  const auto deadline = TransferSocket::Clock::now() + timeout_;
  const auto parsed = input_.next<hdfs::Bytes>(
      [this](hdfs::Bytes unread) { return chunks_.next(unread); }, deadline);
  if (!parsed) return parsed.error();
  returned_ = parsed->bytes;
  has_ended_ = parsed->value.empty();
  return parsed->value;
}

}  // namespace tracebed
