// The chunked transfer coding of HTTP/1.1 (RFC 9112, section 7.1), decoded piece by piece. Chunk
// extensions and trailer fields are skipped, within a bound.
#pragma once

#include <cstddef>
#include <cstdint>

#include "protocol/hdfs/parse_result.h"

namespace tracebed::webhdfs {

class ChunkedBody {
 public:
  // Of a line: a chunk's size with extensions, or a trailer field.
  static constexpr std::size_t line_bytes_max = 4'096;
  static constexpr std::size_t trailers_max = 64;

  // The next bytes of the body, as far as they are there: what was unread at the last call less
  // what that took. Empty, but taking bytes, at the end of the body, and never else. Not to be
  // called after that (checked).
  hdfs::ParseResult<hdfs::Bytes> next(hdfs::Bytes unread);

 private:
  enum class State : std::uint8_t { size, data, data_end, trailer, ended };

  // May change the state though more is needed.
  hdfs::ParseResult<hdfs::Bytes> parse(hdfs::Bytes unread);
  hdfs::ParseResult<hdfs::Bytes> take_data(hdfs::Bytes unread, std::size_t skipped);

  State state_ = State::size;
  std::uint64_t left_ = 0;  // of the chunk
  std::size_t trailers_ = 0;
};

}  // namespace tracebed::webhdfs
