#include "protocol/webhdfs/chunked_body.h"

#include <gtest/gtest.h>
#include <optional>
#include <string>

namespace tracebed::webhdfs {
namespace {

hdfs::Bytes bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

// What the coding holds if so many bytes of it arrive at a time; nothing if it is malformed.
std::optional<std::string> decoded(const std::string& coding, std::size_t step,
                                   std::string* rest = nullptr) {
  ChunkedBody body;
  std::string text;
  std::size_t taken = 0;
  for (std::size_t there = 0;;) {
    const auto result = body.next(bytes_of(std::string_view(coding).substr(taken, there - taken)));
    if (std::holds_alternative<hdfs::Malformed>(result)) return std::nullopt;
    if (const auto* more = std::get_if<hdfs::NeedMore>(&result)) {
      EXPECT_GT(more->bytes, there - taken);
      if (there == coding.size()) return std::nullopt;
      there = std::min(there + step, coding.size());
      continue;
    }
    const auto& parsed = std::get<hdfs::Parsed<hdfs::Bytes>>(result);
    taken += parsed.bytes;
    text.append(reinterpret_cast<const char*>(parsed.value.data()), parsed.value.size());
    if (!parsed.value.empty()) continue;
    if (rest != nullptr) *rest = coding.substr(taken);
    return text;
  }
}

TEST(ChunkedBody, IsWhatItsChunksHold) {
  const std::string coding =
      "5\r\nhello\r\n1;name=value\r\n \r\n00A \r\n0123456789\r\n0\r\nTrailer: x\r\n\r\nNext";
  for (std::size_t step = 1; step <= coding.size(); ++step) {
    std::string rest;
    EXPECT_EQ(decoded(coding, step, &rest), "hello 0123456789") << step;
    EXPECT_EQ(rest, "Next");
  }
  EXPECT_EQ(decoded("0\r\n\r\n", 1), "");
}

TEST(ChunkedBody, IsMalformedWithoutSizesEndsOrBounds) {
  for (const std::string coding :
       {"x\r\n", "\r\n", "-1\r\n", "1\r\nab\r\n", "fffffffffffffffff\r\n", "5 x"}) {
    EXPECT_EQ(decoded(coding + std::string(5'000, ' '), 1'000), std::nullopt) << coding;
  }
  std::string trailers = "0\r\n";
  for (int i = 0; i < 100; ++i) trailers += "a: b\r\n";
  EXPECT_EQ(decoded(trailers + "\r\n", 64), std::nullopt);
}

}  // namespace
}  // namespace tracebed::webhdfs
