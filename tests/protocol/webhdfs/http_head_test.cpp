#include "protocol/webhdfs/http_head.h"

#include <gtest/gtest.h>

#include "protocol/hdfs/bytes.h"
#include "protocol/webhdfs/web_response.h"

namespace tracebed::webhdfs {
namespace {

using hdfs::Malformed;
using hdfs::NeedMore;
using hdfs::Parsed;

// Views the text, which outlives it.
HttpHead head_of(std::string_view text) {
  const auto parsed = parse_http_head(test::view(text));
  const auto* head = std::get_if<Parsed<HttpHead>>(&parsed);
  EXPECT_NE(head, nullptr) << text;
  if (head == nullptr) return {};
  EXPECT_EQ(head->bytes, text.find("\r\n\r\n") + 4);
  return head->value;
}

bool is_malformed(const std::string& text) {
  return std::holds_alternative<Malformed>(parse_http_head(test::view(text)));
}

TEST(HttpHeadTest, IsReadWithoutItsBody) {
  const HttpHead head = head_of(
      "PUT /webhdfs/v1/a?op=CREATE HTTP/1.1\r\nHost: h\r\ncontent-length:  12 \r\n"
      "Expect: 100-continue\r\n\r\nhello");
  EXPECT_EQ(head.method, "PUT");
  EXPECT_EQ(head.target, "/webhdfs/v1/a?op=CREATE");
  EXPECT_EQ(head.body_bytes, 12u);
  EXPECT_TRUE(head.expects_continue);
  EXPECT_TRUE(head.keeps_connection);
  EXPECT_TRUE(head.has_body());
}

TEST(HttpHeadTest, SaysWhetherTheConnectionStays) {
  EXPECT_FALSE(head_of("GET / HTTP/1.0\r\n\r\n").keeps_connection);
  EXPECT_FALSE(head_of("GET / HTTP/1.1\r\nConnection: x, Close\r\n\r\n").keeps_connection);
  EXPECT_TRUE(head_of("GET / HTTP/1.1\r\nConnection: keep-alive\r\n\r\n").keeps_connection);
  EXPECT_FALSE(head_of("GET / HTTP/1.1\r\n\r\n").has_body());
  EXPECT_TRUE(head_of("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n").is_chunked);
}

TEST(HttpHeadTest, MayArriveInPieces) {
  const std::string text = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
  for (std::size_t size = 0; size < text.size(); ++size) {
    const auto parsed = parse_http_head(test::view(std::string_view(text).substr(0, size)));
    ASSERT_TRUE(std::holds_alternative<NeedMore>(parsed)) << size;
    EXPECT_GT(std::get<NeedMore>(parsed).bytes, size);
  }
}

TEST(HttpHeadTest, IsStrict) {
  const std::string begin = "GET / HTTP/1.1\r\n";
  for (const std::string& text :
       {std::string("GET /\r\n\r\n"), std::string("GET / HTTP/2\r\n\r\n"),
        std::string("GET x HTTP/1.1\r\n\r\n"), std::string("G T / HTTP/1.1\r\n\r\n"),
        std::string("GET /a b HTTP/1.1\r\n\r\n"), std::string("GET /\x01 HTTP/1.1\r\n\r\n"),
        begin + "A : b\r\n\r\n", begin + " folded\r\n\r\n", begin + "A: \x01\r\n\r\n",
        begin + "Content-Length: 1x\r\n\r\n", begin + "Content-Length: \r\n\r\n",
        begin + "Content-Length: 99999999999999999999\r\n\r\n",
        begin + "Transfer-Encoding: gzip\r\n\r\n",
        begin + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        begin + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n"}) {
    EXPECT_TRUE(is_malformed(text)) << text;
  }
}

TEST(HttpHeadTest, HasALimitedLength) {
  const std::string long_header = "GET / HTTP/1.1\r\nA: " + std::string(65'000, 'x');
  EXPECT_FALSE(is_malformed(long_header + "\r\n\r\n"));
  EXPECT_TRUE(is_malformed(long_header + std::string(1'000, 'x')));
  EXPECT_TRUE(is_malformed(long_header + std::string(1'000, 'x') + "\r\n\r\n"));
}

TEST(WebResponseTest, HasItsLengthAndItsHeaders) {
  std::string out;
  append_response(out, json_response("{}"));
  EXPECT_EQ(out,
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
            "Cache-Control: no-cache\r\n\r\n{}");
  out.clear();
  append_response(out, redirection("http://a:1/x", false));
  EXPECT_EQ(out,
            "HTTP/1.1 307 Temporary Redirect\r\nContent-Type: application/octet-stream\r\n"
            "Content-Length: 0\r\nCache-Control: no-cache\r\nLocation: http://a:1/x\r\n\r\n");
  EXPECT_EQ(redirection("http://a:1/x", true).body, "{\"Location\":\"http://a:1/x\"}");
  EXPECT_EQ(failure_response(file_not_found("no")).status, 404);
}

}  // namespace
}  // namespace tracebed::webhdfs
