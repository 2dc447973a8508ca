// What clients and servers of a shuffle send each other over a TCP connection: frames of a head and
// a body, all numbers little endian (org.apache.hadoop.mapred.ShuffleHandler has HTTP instead).
//
// Head: the version (1 byte), the kind (1), of a `fetch`, `put`, `keep` and `take` what it weighs
// among the server's transfers, or 0 (core/transfer_weight.h), and otherwise zero (2), the bytes of
// the body (4). The server begins
// with a `greeting`. Then the client sends any number of requests, each of which is answered before
// the next one is read:
//
// `fetch`: ranges of outputs of one job, 1 to ranges_max. For each range, in their order, there is
// an `answer`; if it is `ok`, `chunk`s of exactly the range's bytes follow, unless another answer
// for the range that is not `ok` ends it.
//
// `put`: the output of a container, or one of its spills, which is answered; then `chunk`s, and a
// `commit` with the length and CRC-32C of all of them, which is answered. A server that cannot go
// on answers the put once more, even if the commit is on its way, and closes the connection.
//
// `drop`: the spills of a container, which are deleted; it is answered.
//
// `keep`: a block of input, for the memory of an executor of the job; otherwise as `put`.
//
// `take`: a block of input that an executor has kept, whichever. It is answered with its length,
// then as a range of all of it is.
//
// `fetch`, `put`, `commit`, `drop`, `keep` and `take` are signed: they end with a code
// (shuffle_token.h) by the job's token of "request", the greeting's nonce, the number of signed
// requests before it on the connection, and the frame up to the code. An answer's code is of
// "answer", the same numbers, the request's code, and the frame up to the code. So neither can be
// used again, there or elsewhere. A request with a wrong code is answered by a `denial`, upon which
// the server closes the connection.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "protocol/shuffle/shuffle_token.h"

namespace tracebed::shuffle {

inline constexpr std::uint8_t frame_version = 4;
inline constexpr std::size_t head_bytes = 8;
inline constexpr std::size_t ranges_max = 20;  // MAX_MAPS_AT_ONCE of Hadoop's fetchers
inline constexpr std::size_t chunk_bytes_max = 128 * 1024;
inline constexpr std::uint64_t output_bytes_max = std::uint64_t{1} << 40;

enum class FrameKind : std::uint8_t {
  greeting = 1,
  fetch,
  put,
  commit,
  chunk,
  answer,
  denial,
  drop,
  keep,
  take,
};

enum class OutputStatus : std::uint8_t {
  ok,
  unknown_output,  // not, or not yet, or no longer
  beyond_end,      // the range ends after the output
  ending,          // the server
  damaged,         // the output's file
  failed,          // the server, to read or write
  no_space,        // for what is put
  differs,         // what was put has another length or checksum than its commit
};

using Nonce = std::array<std::byte, 16>;

struct Greeting {
  Nonce nonce{};
  bool operator==(const Greeting&) const = default;
};

// A container has one output, and any number of spills: sorted runs that it reads again itself.
inline constexpr std::uint32_t no_spill = 0;

struct OutputRange {
  std::uint32_t container = 0;
  std::uint64_t offset = 0;  // with the length at most output_bytes_max
  std::uint64_t length = 0;  // may be 0
  std::uint32_t spill = no_spill;
  bool operator==(const OutputRange&) const = default;
};
struct Fetch {
  std::uint32_t job = 0;
  std::vector<OutputRange> ranges;
  std::uint16_t weight = 0;  // at most transfer_weight_max, as in what follows
  bool operator==(const Fetch&) const = default;
};
struct Put {
  std::uint32_t job = 0;
  std::uint32_t container = 0;
  std::uint32_t spill = no_spill;
  std::uint16_t weight = 0;
  bool operator==(const Put&) const = default;
};
struct Drop {
  std::uint32_t job = 0;
  std::uint32_t container = 0;
  bool operator==(const Drop&) const = default;
};
// What a task reads of a file.
struct InputBlock {
  std::uint64_t file = 0;    // its inode id
  std::uint64_t offset = 0;  // with the length at most output_bytes_max
  std::uint64_t length = 0;  // from 1 on
  auto operator<=>(const InputBlock&) const = default;
};
// What follows may be longer than the block by records that begin in it.
inline constexpr std::uint64_t bytes_behind_block_max = 4'096;
struct Keep {
  std::uint32_t job = 0;
  std::uint32_t executor = 0;        // of the job
  std::uint64_t executor_bytes = 0;  // that it may keep, at most output_bytes_max
  InputBlock block = {};
  std::uint16_t weight = 0;
  bool operator==(const Keep&) const = default;
};
struct Take {
  std::uint32_t job = 0;
  InputBlock block = {};
  std::uint16_t weight = 0;
  bool operator==(const Take&) const = default;
};
struct Commit {
  std::uint64_t length = 0;  // at most output_bytes_max
  std::uint32_t crc = 0;
  bool operator==(const Commit&) const = default;
};
// Of 1 to chunk_bytes_max bytes, which are a view of the buffer that was parsed. The checksum is
// what the peer stated.
struct Chunk {
  std::uint32_t crc = 0;
  Bytes data;

  bool is_intact() const;
};
struct Answer {
  std::uint16_t index = 0;  // of the range; 0 if it answers another request
  OutputStatus status = OutputStatus::ok;
  std::uint64_t length = 0;  // of what follows; 0 unless a fetch or a take is `ok`
  bool operator==(const Answer&) const = default;
};
struct Denial {
  bool operator==(const Denial&) const = default;
};

using Request = std::variant<Fetch, Put, Commit, Chunk, Drop, Keep, Take>;  // from a client
using Reply = std::variant<Greeting, Answer, Chunk, Denial>;

// The first frame of the unread bytes. Every number is checked; checksums and codes are not.
hdfs::ParseResult<Request> parse_request(Bytes unread);
hdfs::ParseResult<Reply> parse_reply(Bytes unread);

// Where a signed request is, and by whom.
struct Signature {
  const JobToken& token;
  const Nonce& nonce;
  std::uint64_t number = 0;  // of the signed requests before it on the connection
};
// Of frames that end with a code.
Code signed_code(Bytes frame);
// `frame` is a whole one that was parsed (checked).
bool is_signed(Bytes frame, const Signature& by);
bool is_answer_signed(Bytes frame, const Signature& by, const Code& request);

using Frame = std::vector<std::byte>;

Frame frame_of(const Greeting& greeting);
Frame frame_of(const Denial& denial);
// Bounds are checked.
Frame frame_of(const Fetch& fetch, const Signature& by);
Frame frame_of(const Put& put, const Signature& by);
Frame frame_of(const Commit& commit, const Signature& by);
Frame frame_of(const Drop& drop, const Signature& by);
Frame frame_of(const Keep& keep, const Signature& by);
Frame frame_of(const Take& take, const Signature& by);
Frame frame_of(const Answer& answer, const Signature& by, const Code& request);
// What is sent before the data of a chunk.
inline constexpr std::size_t chunk_head_bytes = head_bytes + 4;
std::array<std::byte, chunk_head_bytes> chunk_head(Bytes data);

}  // namespace tracebed::shuffle
