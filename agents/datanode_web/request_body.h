// The body of a request over HTTP, as it comes.
#pragma once

#include <chrono>
#include <cstdint>

#include "agents/datanode/transfer/transfer_input.h"
#include "protocol/webhdfs/chunked_body.h"
#include "protocol/webhdfs/http_head.h"

namespace tracebed {

class RequestBody {
 public:
  // `input` outlives it, and is at the body's first byte.
  RequestBody(const webhdfs::HttpHead& head, TransferInput& input,
              std::chrono::milliseconds timeout);

  // The next bytes, valid until the next call; empty at the end of the body.
  TransferResult<hdfs::Bytes> next();

 private:
  TransferResult<hdfs::Bytes> next_of_length();
  TransferResult<hdfs::Bytes> next_of_chunks();

  TransferInput& input_;
  std::chrono::milliseconds timeout_;
  bool is_chunked_;
  webhdfs::ChunkedBody chunks_;
  bool has_ended_ = false;
  std::uint64_t left_;        // of a body that is not chunked
  std::size_t returned_ = 0;  // bytes of the input that the last call took
};

}  // namespace tracebed
