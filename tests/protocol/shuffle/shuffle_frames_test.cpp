#include "protocol/shuffle/shuffle_frames.h"

#include <cstring>
#include <gtest/gtest.h>

#include "protocol/hdfs/chunk_checksums.h"

namespace tracebed::shuffle {
namespace {

using hdfs::Malformed;
using hdfs::NeedMore;
using hdfs::Parsed;

const JobToken token;
const Nonce nonce{std::byte{1}, std::byte{2}};
const Signature by{token, nonce, 3};

template <class T, class Result>
const T* value_of(const Result& result) {
  const auto* parsed = std::get_if<1>(&result);
  return parsed == nullptr ? nullptr : std::get_if<T>(&parsed->value);
}
template <class Result>
bool is_malformed(const Result& result) {
  return std::holds_alternative<Malformed>(result);
}

std::vector<Frame> request_frames() {
  Fetch most{7, {}};
  for (std::uint32_t i = 0; i < ranges_max; ++i)
    most.ranges.push_back({i, i, output_bytes_max - i});
  Frame chunk;
  const std::array<std::byte, 3> data = {std::byte{1}, std::byte{2}, std::byte{3}};
  const auto head = chunk_head(data);
  chunk.insert(chunk.end(), head.begin(), head.end());
  chunk.insert(chunk.end(), data.begin(), data.end());
  return {frame_of(Fetch{1, {{2, 3, 4, 9}}}, by),
          frame_of(most, by),
          frame_of(Put{5, 6, 10, 1'000}, by),
          frame_of(Commit{7, 8}, by),
          chunk,
          frame_of(Drop{11, 12}, by),
          frame_of(Keep{13, 14, output_bytes_max, {15, 16, output_bytes_max - 16}}, by),
          frame_of(Take{17, {18, 19, 20}, 21}, by)};
}

std::vector<Frame> reply_frames() {
  return {frame_of(Greeting{nonce}), frame_of(Denial{}),
          frame_of(Answer{19, OutputStatus::ok, output_bytes_max}, by, Code{}),
          frame_of(Answer{0, OutputStatus::differs, 0}, by, Code{})};
}

template <class Value>
void expect_request(const Frame& frame, const Value& value) {
  const auto result = parse_request(frame);
  const auto* parsed = value_of<Value>(result);
  ASSERT_NE(parsed, nullptr);
  EXPECT_EQ(*parsed, value);
}

TEST(ShuffleFrames, ArriveAsTheyWereSent) {
  const auto frames = request_frames();
  expect_request(frames[0], Fetch{1, {{2, 3, 4, 9}}});
  expect_request(frames[2], Put{5, 6, 10, 1'000});
  expect_request(frames[3], Commit{7, 8});
  expect_request(frames[5], Drop{11, 12});
  expect_request(frames[6], Keep{13, 14, output_bytes_max, {15, 16, output_bytes_max - 16}});
  expect_request(frames[7], Take{17, {18, 19, 20}, 21});
  expect_request(frame_of(Fetch{1, {{2, 3, 4, 9}}, 22}, by), Fetch{1, {{2, 3, 4, 9}}, 22});
  expect_request(frame_of(Keep{1, 2, 3, {4, 5, 6}, 23}, by), Keep{1, 2, 3, {4, 5, 6}, 23});
  const auto most = parse_request(frames[1]);
  ASSERT_NE(value_of<Fetch>(most), nullptr);
  EXPECT_EQ(value_of<Fetch>(most)->ranges.size(), ranges_max);
  const auto chunk = parse_request(frames[4]);
  ASSERT_NE(value_of<Chunk>(chunk), nullptr);
  EXPECT_EQ(value_of<Chunk>(chunk)->data.size(), 3u);
  EXPECT_TRUE(value_of<Chunk>(chunk)->is_intact());
  const auto replies = reply_frames();
  EXPECT_EQ(*value_of<Greeting>(parse_reply(replies[0])), Greeting{nonce});
  EXPECT_NE(value_of<Denial>(parse_reply(replies[1])), nullptr);
  EXPECT_EQ(*value_of<Answer>(parse_reply(replies[2])),
            (Answer{19, OutputStatus::ok, output_bytes_max}));
  EXPECT_EQ(*value_of<Answer>(parse_reply(replies[3])), (Answer{0, OutputStatus::differs, 0}));
}

TEST(ShuffleFrames, SayHowMuchIsMissing) {
  for (const Frame& frame : request_frames()) {
    for (std::size_t size = 0; size < frame.size(); ++size) {
      const auto result = parse_request(Bytes(frame).first(size));
      const auto* more = std::get_if<NeedMore>(&result);
      ASSERT_NE(more, nullptr) << size;
      EXPECT_EQ(more->bytes, size < head_bytes ? head_bytes : frame.size());
    }
  }
}

TEST(ShuffleFrames, AreRefusedInTheWrongDirectionByTheirHeads) {
  for (const Frame& frame : request_frames()) {
    const bool is_chunk = frame[1] == static_cast<std::byte>(FrameKind::chunk);
    EXPECT_NE(is_malformed(parse_reply(Bytes(frame).first(head_bytes))), is_chunk);
  }
  for (const Frame& frame : reply_frames()) {
    EXPECT_TRUE(is_malformed(parse_request(Bytes(frame).first(head_bytes))));
  }
}

bool has_weight(const Frame& frame) {
  const auto kind = static_cast<FrameKind>(frame[1]);
  return kind == FrameKind::fetch || kind == FrameKind::put || kind == FrameKind::keep ||
         kind == FrameKind::take;
}

// Version, zero bytes and lengths.
TEST(ShuffleFrames, WithAnotherHeadAreRefusedBeforeTheirBodies) {
  for (const Frame& frame : request_frames()) {
    const bool is_chunk = frame[1] == static_cast<std::byte>(FrameKind::chunk);
    for (const std::size_t at : {0u, 2u, 3u, 4u, 5u, 6u, 7u}) {
      if (is_chunk && at >= 4 && at <= 6) continue;  // another length that a chunk may have
      if (has_weight(frame) && (at == 2 || at == 3)) continue;
      Frame changed = frame;
      changed[at] ^= std::byte{1};
      EXPECT_TRUE(is_malformed(parse_request(Bytes(changed).first(head_bytes)))) << at;
    }
  }
}

TEST(ShuffleFrames, WithAWeightBeyondTheGreatestAreRefused) {
  for (Frame frame : request_frames()) {
    if (!has_weight(frame)) continue;
    const std::uint16_t weight = 1'001;
    std::memcpy(frame.data() + 2, &weight, sizeof(weight));
    EXPECT_TRUE(is_malformed(parse_request(frame)));
  }
}

template <class T>
Frame changed(Frame frame, std::size_t at, T value) {
  std::memcpy(frame.data() + head_bytes + at, &value, sizeof(value));
  return frame;
}

TEST(ShuffleFrames, OutOfBoundsAreRefused) {
  const Frame fetch = request_frames()[0];
  EXPECT_TRUE(is_malformed(parse_request(changed(fetch, 4, std::uint16_t{0}))));
  EXPECT_TRUE(is_malformed(parse_request(changed(fetch, 4, std::uint16_t{2}))));
  EXPECT_TRUE(is_malformed(parse_request(changed(fetch, 6, std::uint16_t{1}))));
  EXPECT_TRUE(is_malformed(parse_request(changed(fetch, 16, output_bytes_max))));
  EXPECT_TRUE(is_malformed(parse_request(changed(fetch, 16, ~std::uint64_t{0}))));
  EXPECT_TRUE(is_malformed(parse_request(changed(fetch, 24, ~std::uint64_t{0}))));
  const Frame commit = request_frames()[3];
  EXPECT_TRUE(is_malformed(parse_request(changed(commit, 0, output_bytes_max + 1))));
  EXPECT_TRUE(is_malformed(parse_request(changed(commit, 12, 1))));
  const Frame answer = reply_frames()[2];
  EXPECT_FALSE(is_malformed(parse_reply(answer)));
  EXPECT_TRUE(is_malformed(parse_reply(changed(answer, 0, std::uint16_t{ranges_max}))));
  EXPECT_TRUE(is_malformed(parse_reply(changed(answer, 2, std::uint8_t{1}))))
      << "a failed range has no bytes";
  EXPECT_TRUE(is_malformed(parse_reply(changed(answer, 2, std::uint8_t{8}))));
  EXPECT_TRUE(is_malformed(parse_reply(changed(answer, 3, std::uint8_t{1}))));
  EXPECT_TRUE(is_malformed(parse_reply(changed(answer, 4, 1))));
  EXPECT_TRUE(is_malformed(parse_reply(changed(answer, 8, output_bytes_max + 1))));
}

TEST(ShuffleFrames, AreSignedByTokenNonceNumberAndContent) {
  const Frame frame = frame_of(Put{5, 6}, by);
  EXPECT_TRUE(is_signed(frame, by));
  std::array<std::byte, 32> other_bytes{std::byte{1}};
  const JobToken other(other_bytes);
  const Nonce other_nonce{};
  EXPECT_FALSE(is_signed(frame, {other, nonce, 3}));
  EXPECT_FALSE(is_signed(frame, {token, other_nonce, 3}));
  EXPECT_FALSE(is_signed(frame, {token, nonce, 4}));
  for (std::size_t at = 0; at < frame.size(); ++at) {
    Frame changed_frame = frame;
    changed_frame[at] ^= std::byte{1};
    EXPECT_FALSE(is_signed(changed_frame, by)) << at;
  }
}

TEST(ShuffleFrames, AnAnswerIsSignedWithItsRequest) {
  const Code request = signed_code(frame_of(Put{5, 6}, by));
  const Frame frame = frame_of(Answer{1, OutputStatus::ok, 9}, by, request);
  EXPECT_TRUE(is_answer_signed(frame, by, request));
  EXPECT_FALSE(is_answer_signed(frame, by, signed_code(frame_of(Put{5, 7}, by))));
  EXPECT_FALSE(is_answer_signed(frame, {token, nonce, 4}, request));
  EXPECT_FALSE(is_signed(frame, by)) << "an answer is no request";
  for (std::size_t at = 0; at < frame.size(); ++at) {
    Frame changed_frame = frame;
    changed_frame[at] ^= std::byte{1};
    EXPECT_FALSE(is_answer_signed(changed_frame, by, request)) << at;
  }
}

}  // namespace
}  // namespace tracebed::shuffle
