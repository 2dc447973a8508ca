// Protobuf messages with their length before them, as a varint: the form of all messages in
// Hadoop's protocols.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "protocol/hdfs/parse_result.h"

namespace google::protobuf {
class MessageLite;
}

namespace tracebed::hdfs {

// The bytes of a message of at most `bytes_max`.
ParseResult<Bytes> parse_delimited(Bytes unread, std::size_t bytes_max);

// Replaces the message, which keeps its memory: reused ones are parsed without allocations. False
// if the bytes are none of its type, or lack a required field.
bool parse_message(Bytes bytes, google::protobuf::MessageLite& message);

// A varint has at most 32 significant bits here.
void append_varint(std::string& out, std::uint32_t value);
// The message must have its required fields and less than 2 GiB (checked).
void append_delimited(std::string& out, const google::protobuf::MessageLite& message);

// Integers of Java's streams.
std::uint32_t big_endian32(const std::byte* bytes);
std::uint16_t big_endian16(const std::byte* bytes);
void store_big_endian32(std::uint32_t value, std::byte* bytes);
void append_big_endian32(std::string& out, std::uint32_t value);

}  // namespace tracebed::hdfs
