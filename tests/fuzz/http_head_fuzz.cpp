// Heads of requests over HTTP, from whoever reaches the port of WebHDFS, and chunked bodies after
// them.
#include <span>
#include <string_view>

#include "core/check.h"
#include "fuzz/fuzz_target.h"
#include "protocol/webhdfs/chunked_body.h"
#include "protocol/webhdfs/http_head.h"

namespace tracebed::fuzz {

std::vector<std::string> seeds() {
  return {
      "GET /webhdfs/v1/a?op=OPEN&offset=3 HTTP/1.1\r\nHost: h:1\r\nAccept: */*\r\n\r\n",
      "PUT / HTTP/1.1\r\nContent-Length: 12\r\nExpect: 100-continue\r\n\r\nhello",
      "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n",
      "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nT: x\r\n\r\n"};
}

namespace {

using namespace tracebed::webhdfs;

void check_chunks(hdfs::Bytes unread) {
  ChunkedBody body;
  for (bool goes_on = true; goes_on;) {
    const auto result = body.next(unread);
    if (const auto* more = std::get_if<hdfs::NeedMore>(&result)) {
      TRACEBED_CHECK(more->bytes > unread.size(), "what is missing is more than what is there");
    }
    const auto* parsed = std::get_if<hdfs::Parsed<hdfs::Bytes>>(&result);
    if (parsed == nullptr) return;
    TRACEBED_CHECK(parsed->bytes > 0 && parsed->bytes <= unread.size() &&
                       parsed->value.size() < parsed->bytes + 1,
                   "a piece is of the bytes");
    unread = unread.subspan(parsed->bytes);
    goes_on = !parsed->value.empty();
  }
}

}  // namespace
}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tracebed;
  using namespace tracebed::webhdfs;
  const hdfs::Bytes bytes = std::as_bytes(std::span(data, size));
  const auto parsed = parse_http_head(bytes, {.head_bytes_max = 512});
  if (const auto* more = std::get_if<hdfs::NeedMore>(&parsed)) {
    TRACEBED_CHECK(more->bytes > size, "what is missing is more than what is there");
  }
  const auto* head = std::get_if<hdfs::Parsed<HttpHead>>(&parsed);
  if (head == nullptr) return 0;
  TRACEBED_CHECK(head->bytes <= size && head->bytes <= 512 + 4, "a head is of the bytes");
  TRACEBED_CHECK(head->value.target.starts_with('/') && !head->value.method.empty(),
                 "a request has a method and a target");
  TRACEBED_CHECK(!head->value.is_chunked || head->value.body_bytes == 0, "a body has one length");
  const auto again = parse_http_head(bytes.first(head->bytes), {.head_bytes_max = 512});
  TRACEBED_CHECK(std::holds_alternative<hdfs::Parsed<HttpHead>>(again),
                 "what follows a head is none of it");
  if (head->value.is_chunked) fuzz::check_chunks(bytes.subspan(head->bytes));
  return 0;
}
