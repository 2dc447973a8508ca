#include "protocol/webhdfs/http_head.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

namespace tracebed::webhdfs {
namespace {

using hdfs::Malformed;
using hdfs::NeedMore;
using hdfs::Parsed;
// Why a head is none; nothing if it may be one.
using Trouble = std::optional<std::string>;

constexpr std::string_view head_end = "\r\n\r\n";

bool is_token(std::string_view text) {
  constexpr std::string_view signs = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           signs.find(c) != std::string_view::npos;
  });
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t') || byte == 0x7f;
  });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool is_same_word(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

bool lists_word(std::string_view list, std::string_view lower) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (is_same_word(trimmed(list.substr(0, comma)), lower)) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

Trouble read_request_line(std::string_view line, HttpHead& head) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return "the request line has three words";
  head.method = line.substr(0, first);
  head.target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return "the version is HTTP/1.1 or HTTP/1.0";
  if (!is_token(head.method)) return "a method is a word";
  if (!head.target.starts_with('/')) return "the target is a path, which begins with /";
  if (has_control(head.target) || head.target.find(' ') != std::string_view::npos) {
    return "the target has no blanks";
  }
  head.keeps_connection = version == "HTTP/1.1";
  return std::nullopt;
}

struct BodyLength {
  std::optional<std::uint64_t> bytes;
};

Trouble read_header(std::string_view line, HttpHead& head, BodyLength& length) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon)) || has_control(line)) {
    return "a header has a name, a colon and a value";
  }
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (is_same_word(name, "content-length")) {
    std::uint64_t bytes = 0;
    const char* const end = value.data() + value.size();
    const auto [at, error] = std::from_chars(value.data(), end, bytes);
    if (value.empty() || at != end || error != std::errc()) return "Content-Length is a number";
    if (length.bytes && *length.bytes != bytes) return "the body has one length";
    length.bytes = bytes;
  } else if (is_same_word(name, "transfer-encoding")) {
    if (!is_same_word(value, "chunked") || head.is_chunked) return "Transfer-Encoding is chunked";
    head.is_chunked = true;
  } else if (is_same_word(name, "connection")) {
    if (lists_word(value, "close")) head.keeps_connection = false;
  } else if (is_same_word(name, "expect")) {
    head.expects_continue |= is_same_word(value, "100-continue");
  }
  return std::nullopt;
}

Trouble read_head(std::string_view text, HttpHead& head) {
  BodyLength length;
  for (bool is_first = true; !text.empty(); is_first = false) {
    const std::size_t end = text.find(line_end);
    const std::string_view line = text.substr(0, end);
    if (Trouble trouble =
            is_first ? read_request_line(line, head) : read_header(line, head, length)) {
      return trouble;
    }
    text.remove_prefix(end + line_end.size());
  }
  if (length.bytes && head.is_chunked) return "a chunked body has no Content-Length";
  head.body_bytes = length.bytes.value_or(0);
  return std::nullopt;
}

}  // namespace

hdfs::ParseResult<HttpHead> parse_http_head(hdfs::Bytes unread, const HttpLimits& limits) {
  const std::string_view text(reinterpret_cast<const char*>(unread.data()), unread.size());
  const std::size_t end = text.find(head_end);
  if (std::min(end, text.size()) > limits.head_bytes_max) {
    return Malformed{"a head has at most " + std::to_string(limits.head_bytes_max) + " bytes"};
  }
  if (end == std::string_view::npos) return NeedMore{unread.size() + 1};
  HttpHead head;
  if (Trouble trouble = read_head(text.substr(0, end + line_end.size()), head)) {
    return Malformed{std::move(*trouble)};
  }
  return Parsed<HttpHead>{head, end + head_end.size()};
}

}  // namespace tracebed::webhdfs
