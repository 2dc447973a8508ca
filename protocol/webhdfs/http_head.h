// The head of a request over HTTP/1.1 (RFC 9112): all that precedes its body. Stricter than the
// RFC allows where a lenient reading is how requests are smuggled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "protocol/hdfs/parse_result.h"

namespace tracebed::webhdfs {

// Between lines of a head, and around chunks (RFC 9112).
inline constexpr std::string_view line_end = "\r\n";

struct HttpLimits {
  // Hadoop's limit of a request's headers (hadoop.http.max.request.header.size).
  std::size_t head_bytes_max = 65'536;
};

// Texts view the unread bytes.
struct HttpHead {
  std::string_view method;  // "GET"
  std::string_view target;  // begins with "/"
  bool keeps_connection = true;
  bool expects_continue = false;  // the client waits before it sends the body
  bool is_chunked = false;
  std::uint64_t body_bytes = 0;  // of a body that is not chunked

  bool has_body() const { return is_chunked || body_bytes > 0; }
};

// Takes the head with the empty line that ends it, and nothing of the body.
hdfs::ParseResult<HttpHead> parse_http_head(hdfs::Bytes unread, const HttpLimits& limits = {});

}  // namespace tracebed::webhdfs
