#include "protocol/webhdfs/chunked_body.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "core/check.h"
#include "protocol/webhdfs/http_head.h"

namespace tracebed::webhdfs {
namespace {

using hdfs::Bytes;
using hdfs::Malformed;
using hdfs::NeedMore;
using hdfs::Parsed;

std::string_view chunk_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Hexadecimal digits, then nothing or an extension.
std::optional<std::uint64_t> chunk_size(std::string_view line) {
  std::uint64_t size = 0;
  const char* const end = line.data() + line.size();
  const auto [at, error] = std::from_chars(line.data(), end, size, 16);
  if (error != std::errc() || (at != end && *at != ';' && *at != ' ' && *at != '\t')) {
    return std::nullopt;
  }
  return size;
}

}  // namespace

hdfs::ParseResult<Bytes> ChunkedBody::next(Bytes unread) {
  TRACEBED_CHECK(state_ != State::ended, "a body is read to its end once");
  ChunkedBody ahead = *this;
  auto result = ahead.parse(unread);
  if (std::holds_alternative<Parsed<Bytes>>(result)) *this = ahead;
  return result;
}

hdfs::ParseResult<Bytes> ChunkedBody::parse(Bytes unread) {
  std::size_t skipped = 0;
  for (;;) {
    const std::string_view text = chunk_text(unread.subspan(skipped));
    if (state_ == State::data) return take_data(unread, skipped);
    if (state_ == State::data_end) {
      if (text.size() < line_end.size()) return NeedMore{skipped + line_end.size()};
      if (!text.starts_with(line_end)) return Malformed{"a chunk is longer than its size"};
      skipped += line_end.size();
      state_ = State::size;
      continue;
    }
    const std::size_t end = text.substr(0, line_bytes_max).find(line_end);
    if (end == std::string_view::npos) {
      if (text.size() >= line_bytes_max) return Malformed{"a line of a chunked body is too long"};
      return NeedMore{unread.size() + 1};
    }
    const std::string_view line = text.substr(0, end);
    if (state_ == State::size) {
      const std::optional<std::uint64_t> size = chunk_size(line);
      if (!size) return Malformed{"a chunk has no size"};
      left_ = *size;
      state_ = left_ > 0 ? State::data : State::trailer;
    } else if (line.empty()) {
      state_ = State::ended;
      return Parsed<Bytes>{Bytes(), skipped + line_end.size()};
    } else if (++trailers_ > trailers_max) {
      return Malformed{"a chunked body has too many trailer fields"};
    }
    skipped += end + line_end.size();
  }
}

hdfs::ParseResult<Bytes> ChunkedBody::take_data(Bytes unread, std::size_t skipped) {
  const Bytes rest = unread.subspan(skipped);
  if (rest.empty()) return NeedMore{unread.size() + 1};
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, rest.size()));
  left_ -= count;
  if (left_ == 0) state_ = State::data_end;
  return Parsed<Bytes>{rest.first(count), skipped + count};
}

}  // namespace tracebed::webhdfs
