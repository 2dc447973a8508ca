// A connection of a shuffle, in either direction: frames after each other.
#include <algorithm>
#include <cstddef>
#include <span>

#include "core/check.h"
#include "core/visit.h"
#include "fuzz/fuzz_target.h"
#include "protocol/shuffle/shuffle_frames.h"

namespace tracebed::fuzz {
namespace {

using namespace shuffle;

const JobToken token;
const Nonce nonce{};
const Signature by{token, nonce, 0};

std::string text_of(const Frame& frame) {
  return {reinterpret_cast<const char*>(frame.data()), frame.size()};
}

std::string chunk_text() {
  const std::string text = "some bytes";
  const Bytes data = std::as_bytes(std::span(text));
  const auto head = chunk_head(data);
  return text_of({head.begin(), head.end()}) + text;
}

// What was parsed makes the same frame again, but for its code.
template <class Value>
void check_frame(const Value& value, Bytes frame, const Frame& again) {
  constexpr std::size_t code_bytes = std::tuple_size_v<Code>;
  TRACEBED_CHECK(again.size() == frame.size(), "a frame has the length of its value");
  const Bytes text = frame.first(frame.size() - code_bytes);
  TRACEBED_CHECK(std::equal(text.begin(), text.end(), again.begin()),
                 "what was accepted, a peer could have sent");
  const auto reparsed = parse_request(again);
  const auto* parsed = std::get_if<hdfs::Parsed<Request>>(&reparsed);
  TRACEBED_CHECK(parsed != nullptr && std::get<Value>(parsed->value) == value,
                 "a value is sent as it is");
}

void check(const Request& request, Bytes frame) {
  visit_all(
      request, [&](const Chunk& chunk) { (void)chunk.is_intact(); },
      [&](const OneOf<Fetch, Put, Commit, Drop, Keep, Take> auto& value) {
        (void)is_signed(frame, by);
        check_frame(value, frame, frame_of(value, by));
      });
}

void check(const Reply& reply, Bytes frame) {
  visit_all(
      reply, [&](const Chunk& chunk) { (void)chunk.is_intact(); },
      [&](const Answer& answer) {
        (void)is_answer_signed(frame, by, Code{});
        const Frame again = frame_of(answer, by, Code{});
        TRACEBED_CHECK(again.size() == frame.size(), "a frame has the length of its value");
      },
      Ignore<Greeting, Denial>{});
}

template <class Parse>
void check_all(Bytes unread, const Parse& parse) {
  while (true) {
    const auto result = parse(unread);
    if (const auto* more = std::get_if<hdfs::NeedMore>(&result)) {
      TRACEBED_CHECK(
          more->bytes > unread.size() && more->bytes <= chunk_head_bytes + chunk_bytes_max,
          "what is missing is more than what is there, and bounded");
    }
    const auto* parsed = std::get_if<1>(&result);
    if (parsed == nullptr) return;
    TRACEBED_CHECK(parsed->bytes >= head_bytes && parsed->bytes <= unread.size(),
                   "a frame is of the bytes");
    check(parsed->value, unread.first(parsed->bytes));
    unread = unread.subspan(parsed->bytes);
  }
}

}  // namespace

std::vector<std::string> seeds() {
  return {text_of(frame_of(Fetch{1, {{2, 3, 4}, {5, 6, 7, 1}}}, by)),
          text_of(frame_of(Drop{1, 2}, by)),
          text_of(frame_of(Keep{1, 2, 3, {4, 5, 6}}, by)) + chunk_text() +
              text_of(frame_of(Take{1, {4, 5, 6}}, by)),
          text_of(frame_of(Put{1, 2, 3}, by)) + chunk_text() + text_of(frame_of(Commit{10, 1}, by)),
          text_of(frame_of(Greeting{})) +
              text_of(frame_of(Answer{1, OutputStatus::ok, 10}, by, {})) + chunk_text(),
          text_of(frame_of(Denial{}))};
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tracebed;
  const shuffle::Bytes bytes = std::as_bytes(std::span(data, size));
  fuzz::check_all(bytes, shuffle::parse_request);
  fuzz::check_all(bytes, shuffle::parse_reply);
  return 0;
}
