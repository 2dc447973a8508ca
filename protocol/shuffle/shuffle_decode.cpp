#include <cstring>
#include <optional>
#include <string>

#include "core/check.h"
#include "core/transfer_weight.h"
#include "core/visit.h"
#include "protocol/hdfs/chunk_checksums.h"
#include "protocol/shuffle/shuffle_frames.h"

namespace tracebed::shuffle {
namespace {

using hdfs::Malformed;
using hdfs::NeedMore;
using hdfs::Parsed;
using hdfs::ParseResult;

constexpr std::size_t code_bytes = std::tuple_size_v<Code>;
constexpr std::size_t fetch_fixed_bytes = 8;
constexpr std::size_t range_bytes = 24;

// Reads numbers of a body whose length was checked.
class BodyReader {
 public:
  explicit BodyReader(Bytes body) : rest_(body) {}

  template <class T>
  T next() {
    TRACEBED_CHECK(rest_.size() >= sizeof(T), "the length of a body is that of its kind");
    T value{};
    std::memcpy(&value, rest_.data(), sizeof(T));
    rest_ = rest_.subspan(sizeof(T));
    return value;
  }
  Bytes rest() const { return rest_; }

 private:
  Bytes rest_;
};

struct Head {
  FrameKind kind = FrameKind::greeting;
  std::uint16_t weight = 0;
  std::size_t body_bytes = 0;
};

bool is_length_of(FrameKind kind, std::size_t bytes) {
  switch (kind) {
    case FrameKind::greeting:
      return bytes == std::tuple_size_v<Nonce>;
    case FrameKind::fetch: {
      constexpr std::size_t fixed = fetch_fixed_bytes + code_bytes;
      return bytes > fixed && (bytes - fixed) % range_bytes == 0 &&
             bytes <= fixed + ranges_max * range_bytes;
    }
    case FrameKind::put:
      return bytes == 12 + code_bytes;
    case FrameKind::drop:
      return bytes == 8 + code_bytes;
    case FrameKind::commit:
    case FrameKind::answer:
      return bytes == 16 + code_bytes;
    case FrameKind::keep:
      return bytes == 40 + code_bytes;
    case FrameKind::take:
      return bytes == 32 + code_bytes;
    case FrameKind::chunk:
      return bytes > 4 && bytes <= 4 + chunk_bytes_max;
    case FrameKind::denial:
      return bytes == 0;
  }
  return false;
}

bool has_weight(FrameKind kind) {
  return kind == FrameKind::fetch || kind == FrameKind::put || kind == FrameKind::keep ||
         kind == FrameKind::take;
}

Malformed malformed(const std::string& reason) {
  return Malformed{reason};
}

// As soon as there is a head, so that nothing is waited for that nobody sends.
std::variant<Head, NeedMore, Malformed> parse_head(Bytes unread) {
  if (unread.size() < head_bytes) return NeedMore{head_bytes};
  BodyReader reader(unread);
  const auto version = reader.next<std::uint8_t>();
  const auto kind = reader.next<std::uint8_t>();
  const auto weight = reader.next<std::uint16_t>();
  const auto bytes = reader.next<std::uint32_t>();
  const Head head{static_cast<FrameKind>(kind), weight, bytes};
  if (version != frame_version || (weight != 0 && !has_weight(head.kind))) {
    return malformed("not a frame of version " + std::to_string(frame_version));
  }
  if (weight > transfer_weight_max) {
    return malformed("a frame with the weight " + std::to_string(weight));
  }
  if (!is_length_of(head.kind, bytes)) {
    return malformed("a frame of kind " + std::to_string(kind) + " with " + std::to_string(bytes) +
                     " bytes");
  }
  return head;
}

template <class T>
using Body = std::variant<T, Malformed>;

Body<Fetch> fetch_of(Bytes body) {
  BodyReader reader(body);
  Fetch fetch;
  fetch.job = reader.next<std::uint32_t>();
  const auto count = reader.next<std::uint16_t>();
  const auto zero = reader.next<std::uint16_t>();
  if (zero != 0 || body.size() != fetch_fixed_bytes + count * range_bytes + code_bytes) {
    return malformed("a request for " + std::to_string(count) + " ranges in " +
                     std::to_string(body.size()) + " bytes");
  }
  for (std::size_t i = 0; i < count; ++i) {
    OutputRange range;
    range.container = reader.next<std::uint32_t>();
    range.spill = reader.next<std::uint32_t>();
    range.offset = reader.next<std::uint64_t>();
    range.length = reader.next<std::uint64_t>();
    if (range.offset > output_bytes_max || range.length > output_bytes_max - range.offset) {
      return malformed("a range that no output has");
    }
    fetch.ranges.push_back(range);
  }
  return fetch;
}

Put put_of(Bytes body) {
  BodyReader reader(body);
  Put put;
  put.job = reader.next<std::uint32_t>();
  put.container = reader.next<std::uint32_t>();
  put.spill = reader.next<std::uint32_t>();
  return put;
}

Drop drop_of(Bytes body) {
  BodyReader reader(body);
  const auto job = reader.next<std::uint32_t>();
  return Drop{job, reader.next<std::uint32_t>()};
}

Body<InputBlock> block_of(BodyReader& reader) {
  InputBlock block;
  block.file = reader.next<std::uint64_t>();
  block.offset = reader.next<std::uint64_t>();
  block.length = reader.next<std::uint64_t>();
  if (block.length == 0 || block.offset > output_bytes_max ||
      block.length > output_bytes_max - block.offset) {
    return malformed("a block that no file has");
  }
  return block;
}

Body<Keep> keep_of(Bytes body) {
  BodyReader reader(body);
  Keep keep;
  keep.job = reader.next<std::uint32_t>();
  keep.executor = reader.next<std::uint32_t>();
  keep.executor_bytes = reader.next<std::uint64_t>();
  if (keep.executor_bytes > output_bytes_max) {
    return malformed("an executor with " + std::to_string(keep.executor_bytes) + " bytes");
  }
  Body<InputBlock> block = block_of(reader);
  if (auto* wrong = std::get_if<Malformed>(&block)) return std::move(*wrong);
  keep.block = std::get<InputBlock>(block);
  return keep;
}

Body<Take> take_of(Bytes body) {
  BodyReader reader(body);
  const auto job = reader.next<std::uint32_t>();
  const auto zero = reader.next<std::uint32_t>();
  if (zero != 0) return malformed("a take with more than a block");
  Body<InputBlock> block = block_of(reader);
  if (auto* wrong = std::get_if<Malformed>(&block)) return std::move(*wrong);
  return Take{job, std::get<InputBlock>(block)};
}

Body<Commit> commit_of(Bytes body) {
  BodyReader reader(body);
  Commit commit;
  commit.length = reader.next<std::uint64_t>();
  commit.crc = reader.next<std::uint32_t>();
  const auto zero = reader.next<std::uint32_t>();
  if (zero != 0 || commit.length > output_bytes_max) {
    return malformed("an output of " + std::to_string(commit.length) + " bytes");
  }
  return commit;
}

Chunk chunk_of(Bytes body) {
  BodyReader reader(body);
  const auto crc = reader.next<std::uint32_t>();
  return Chunk{crc, reader.rest()};
}

Body<Answer> answer_of(Bytes body) {
  BodyReader reader(body);
  Answer answer;
  answer.index = reader.next<std::uint16_t>();
  const auto status = reader.next<std::uint8_t>();
  const auto zero = reader.next<std::uint8_t>();
  const auto other_zero = reader.next<std::uint32_t>();
  answer.length = reader.next<std::uint64_t>();
  answer.status = static_cast<OutputStatus>(status);
  const bool is_status = status <= static_cast<std::uint8_t>(OutputStatus::differs);
  const bool is_length = answer.length == 0 ||
                         (answer.status == OutputStatus::ok && answer.length <= output_bytes_max);
  if (zero != 0 || other_zero != 0 || answer.index >= ranges_max || !is_status || !is_length) {
    return malformed("an answer with status " + std::to_string(status) + " for range " +
                     std::to_string(answer.index) + " of " + std::to_string(answer.length) +
                     " bytes");
  }
  return answer;
}

template <class Frame, class T>
ParseResult<Frame> parsed(Body<T> body, std::size_t bytes) {
  if (auto* wrong = std::get_if<Malformed>(&body)) return std::move(*wrong);
  return Parsed<Frame>{std::get<T>(std::move(body)), bytes};
}

// With the weight of its head.
template <class T>
ParseResult<Request> weighed(Body<T> body, const Head& head, std::size_t bytes) {
  if (auto* const request = std::get_if<T>(&body)) request->weight = head.weight;
  return parsed<Request>(std::move(body), bytes);
}

ParseResult<Request> request_of(const Head& head, Bytes body, std::size_t bytes) {
  switch (head.kind) {
    case FrameKind::fetch:
      return weighed(fetch_of(body), head, bytes);
    case FrameKind::put:
      return weighed(Body<Put>(put_of(body)), head, bytes);
    case FrameKind::commit:
      return parsed<Request>(commit_of(body), bytes);
    case FrameKind::chunk:
      return Parsed<Request>{chunk_of(body), bytes};
    case FrameKind::drop:
      return Parsed<Request>{drop_of(body), bytes};
    case FrameKind::keep:
      return weighed(keep_of(body), head, bytes);
    case FrameKind::take:
      return weighed(take_of(body), head, bytes);
    case FrameKind::greeting:
    case FrameKind::answer:
    case FrameKind::denial:
      break;
  }
  return malformed("a frame in the wrong direction");
}

Greeting greeting_of(Bytes body) {
  Greeting greeting;
  std::memcpy(greeting.nonce.data(), body.data(), greeting.nonce.size());
  return greeting;
}

ParseResult<Reply> reply_of(const Head& head, Bytes body, std::size_t bytes) {
  switch (head.kind) {
    case FrameKind::greeting:
      return Parsed<Reply>{greeting_of(body), bytes};
    case FrameKind::answer:
      return parsed<Reply>(answer_of(body), bytes);
    case FrameKind::chunk:
      return Parsed<Reply>{chunk_of(body), bytes};
    case FrameKind::denial:
      return Parsed<Reply>{Denial{}, bytes};
    case FrameKind::fetch:
    case FrameKind::put:
    case FrameKind::commit:
    case FrameKind::drop:
    case FrameKind::keep:
    case FrameKind::take:
      break;
  }
  return malformed("a frame in the wrong direction");
}

bool is_of_client(FrameKind kind) {
  return kind == FrameKind::fetch || kind == FrameKind::put || kind == FrameKind::commit ||
         kind == FrameKind::drop || kind == FrameKind::keep || kind == FrameKind::take;
}
bool is_of_server(FrameKind kind) {
  return kind == FrameKind::greeting || kind == FrameKind::answer || kind == FrameKind::denial;
}

template <class Frame, class Refused, class Take>
ParseResult<Frame> parse(Bytes unread, const Refused& is_refused, const Take& take) {
  return visit_all(
      parse_head(unread), [](const NeedMore& more) -> ParseResult<Frame> { return more; },
      [](Malformed&& wrong) -> ParseResult<Frame> { return std::move(wrong); },
      [&](const Head& head) -> ParseResult<Frame> {
        const std::size_t bytes = head_bytes + head.body_bytes;
        if (is_refused(head.kind)) return malformed("a frame in the wrong direction");
        if (unread.size() < bytes) return NeedMore{bytes};
        return take(head, unread.subspan(head_bytes, head.body_bytes), bytes);
      });
}

}  // namespace

bool Chunk::is_intact() const {
  return hdfs::crc32c(data) == crc;
}

ParseResult<Request> parse_request(Bytes unread) {
  return parse<Request>(unread, is_of_server, request_of);
}

ParseResult<Reply> parse_reply(Bytes unread) {
  return parse<Reply>(unread, is_of_client, reply_of);
}

}  // namespace tracebed::shuffle
