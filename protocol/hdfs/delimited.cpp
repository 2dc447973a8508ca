#include "protocol/hdfs/delimited.h"

#include <limits>

#include "core/check.h"
#include "hdfs_types.pb.h"

namespace tracebed::hdfs {
namespace {

constexpr std::size_t varint_bytes_max = 5;  // of 32 bits

}  // namespace

ParseResult<Bytes> parse_delimited(Bytes unread, std::size_t bytes_max) {
  std::uint64_t length = 0;
  std::size_t at = 0;
  for (bool more = true; more; ++at) {
    if (at == varint_bytes_max) return Malformed{"a message's length has more than five bytes"};
    if (at == unread.size()) return NeedMore{at + 1};
    const auto byte = std::to_integer<std::uint64_t>(unread[at]);
    length |= (byte & 0x7f) << (7 * at);
    more = (byte & 0x80) != 0;
  }
  if (length > bytes_max) {
    return Malformed{"a message of " + std::to_string(length) + " bytes exceeds the limit of " +
                     std::to_string(bytes_max)};
  }
  const auto size = static_cast<std::size_t>(length);
  if (unread.size() - at < size) return NeedMore{at + size};
  return Parsed<Bytes>{unread.subspan(at, size), at + size};
}

// Protobuf's own check of required fields logs to standard error.
bool parse_message(Bytes bytes, google::protobuf::MessageLite& message) {
  return bytes.size() <= std::size_t{std::numeric_limits<int>::max()} &&
         message.ParsePartialFromArray(bytes.data(), static_cast<int>(bytes.size())) &&
         message.IsInitialized();
}

void append_varint(std::string& out, std::uint32_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>((value & 0x7f) | 0x80);
  out += static_cast<char>(value);
}

void append_delimited(std::string& out, const google::protobuf::MessageLite& message) {
  TRACEBED_CHECK(message.IsInitialized(), "a message is sent with its required fields");
  const std::size_t size = message.ByteSizeLong();
  TRACEBED_CHECK(size <= std::size_t{std::numeric_limits<std::int32_t>::max()},
                 "a message has less than 2 GiB");
  append_varint(out, static_cast<std::uint32_t>(size));
  const std::size_t at = out.size();
  out.resize(at + size);
  message.SerializeWithCachedSizesToArray(reinterpret_cast<std::uint8_t*>(out.data() + at));
}

std::uint32_t big_endian32(const std::byte* bytes) {
  return std::to_integer<std::uint32_t>(bytes[0]) << 24 |
         std::to_integer<std::uint32_t>(bytes[1]) << 16 |
         std::to_integer<std::uint32_t>(bytes[2]) << 8 | std::to_integer<std::uint32_t>(bytes[3]);
}

std::uint16_t big_endian16(const std::byte* bytes) {
  return static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[0]) << 8 |
                                    std::to_integer<unsigned>(bytes[1]));
}

void store_big_endian32(std::uint32_t value, std::byte* bytes) {
  for (int i = 3; i >= 0; --i, value >>= 8) bytes[i] = static_cast<std::byte>(value & 0xff);
}

void append_big_endian32(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((value >> shift) & 0xff);
}

}  // namespace tracebed::hdfs
