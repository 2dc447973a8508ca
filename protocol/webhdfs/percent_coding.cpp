#include "protocol/webhdfs/percent_coding.h"

#include <charconv>

namespace tracebed::webhdfs {
namespace {

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~/").find(c) != std::string_view::npos;
}

// Nothing for "%00", too.
std::optional<char> decoded_byte(std::string_view digits) {
  unsigned value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.size() != 2 || end != digits.data() + 2 || error != std::errc() || value == 0) {
    return std::nullopt;
  }
  return static_cast<char>(value);
}

}  // namespace

std::optional<std::string> percent_decoded(std::string_view text, bool is_query) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '%') {
      const std::optional<char> byte = decoded_byte(text.substr(at + 1, 2));
      if (!byte) return std::nullopt;
      decoded += *byte;
      at += 2;
    } else if (text[at] == '\0') {
      return std::nullopt;
    } else {
      decoded += is_query && text[at] == '+' ? ' ' : text[at];
    }
  }
  return decoded;
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (is_unreserved(c)) {
      encoded += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      encoded += {'%', digits[byte >> 4], digits[byte & 0xf]};
    }
  }
  return encoded;
}

}  // namespace tracebed::webhdfs
