#include <algorithm>
#include <cstring>
#include <string_view>

#include "core/check.h"
#include "core/transfer_weight.h"
#include "protocol/hdfs/chunk_checksums.h"
#include "protocol/shuffle/shuffle_frames.h"

namespace tracebed::shuffle {
namespace {

constexpr std::size_t code_size = std::tuple_size_v<Code>;

class FrameWriter {
 public:
  explicit FrameWriter(FrameKind kind, std::uint16_t weight = 0) {
    TRACEBED_CHECK(weight <= transfer_weight_max, "a weight is in its bounds");
    add(frame_version);
    add(static_cast<std::uint8_t>(kind));
    add(weight);
    add(std::uint32_t{0});  // the length, when it is known
  }

  template <class T>
  FrameWriter& add(T value) {
    append(std::as_bytes(std::span(&value, std::size_t{1})));
    return *this;
  }
  FrameWriter& add_block(const InputBlock& block) {
    TRACEBED_CHECK(block.length > 0 && block.offset <= output_bytes_max &&
                       block.length <= output_bytes_max - block.offset,
                   "a block is of a file");
    return add(block.file).add(block.offset).add(block.length);
  }
  FrameWriter& append(Bytes bytes) {
    frame_.insert(frame_.end(), bytes.begin(), bytes.end());
    return *this;
  }

  // Without anything after what was added.
  Frame finish() {
    set_length(frame_.size());
    return std::move(frame_);
  }
  Frame finish(const Signature& by);
  Frame finish(const Signature& by, const Code& request);

 private:
  void set_length(std::size_t bytes) {
    const auto length = static_cast<std::uint32_t>(bytes - head_bytes);
    std::memcpy(frame_.data() + head_bytes - sizeof(length), &length, sizeof(length));
  }

  Frame frame_;
};

Bytes label_of(std::string_view label) {
  return std::as_bytes(std::span(label));
}

Code request_code(Bytes text, const Signature& by) {
  const Bytes number = std::as_bytes(std::span(&by.number, std::size_t{1}));
  return code_of(by.token, {label_of("request"), by.nonce, number, text});
}

Code answer_code(Bytes text, const Signature& by, const Code& request) {
  const Bytes number = std::as_bytes(std::span(&by.number, std::size_t{1}));
  return code_of(by.token, {label_of("answer"), by.nonce, number, request, text});
}

Frame FrameWriter::finish(const Signature& by) {
  set_length(frame_.size() + code_size);
  append(request_code(frame_, by));
  return std::move(frame_);
}

Frame FrameWriter::finish(const Signature& by, const Code& request) {
  set_length(frame_.size() + code_size);
  append(answer_code(frame_, by, request));
  return std::move(frame_);
}

Bytes text_of(Bytes frame) {
  TRACEBED_CHECK(frame.size() >= head_bytes + code_size, "the frame ends with a code");
  return frame.first(frame.size() - code_size);
}

}  // namespace

Code signed_code(Bytes frame) {
  const Bytes end = frame.subspan(text_of(frame).size());
  Code code{};
  std::copy(end.begin(), end.end(), code.begin());
  return code;
}

bool is_signed(Bytes frame, const Signature& by) {
  return is_equal(request_code(text_of(frame), by), signed_code(frame));
}

bool is_answer_signed(Bytes frame, const Signature& by, const Code& request) {
  return is_equal(answer_code(text_of(frame), by, request), signed_code(frame));
}

Frame frame_of(const Greeting& greeting) {
  return FrameWriter(FrameKind::greeting).append(greeting.nonce).finish();
}

Frame frame_of(const Denial& /*denial*/) {
  return FrameWriter(FrameKind::denial).finish();
}

Frame frame_of(const Fetch& fetch, const Signature& by) {
  TRACEBED_CHECK(!fetch.ranges.empty() && fetch.ranges.size() <= ranges_max,
                 "a request has a bounded number of ranges");
  FrameWriter writer(FrameKind::fetch, fetch.weight);
  writer.add(fetch.job).add(static_cast<std::uint16_t>(fetch.ranges.size())).add(std::uint16_t{0});
  for (const OutputRange& range : fetch.ranges) {
    TRACEBED_CHECK(
        range.offset <= output_bytes_max && range.length <= output_bytes_max - range.offset,
        "a range is of an output");
    writer.add(range.container).add(range.spill).add(range.offset).add(range.length);
  }
  return writer.finish(by);
}

Frame frame_of(const Put& put, const Signature& by) {
  return FrameWriter(FrameKind::put, put.weight)
      .add(put.job)
      .add(put.container)
      .add(put.spill)
      .finish(by);
}

Frame frame_of(const Drop& drop, const Signature& by) {
  return FrameWriter(FrameKind::drop).add(drop.job).add(drop.container).finish(by);
}

Frame frame_of(const Keep& keep, const Signature& by) {
  TRACEBED_CHECK(keep.executor_bytes <= output_bytes_max, "an executor's memory is bounded");
  return FrameWriter(FrameKind::keep, keep.weight)
      .add(keep.job)
      .add(keep.executor)
      .add(keep.executor_bytes)
      .add_block(keep.block)
      .finish(by);
}

Frame frame_of(const Take& take, const Signature& by) {
  return FrameWriter(FrameKind::take, take.weight)
      .add(take.job)
      .add(std::uint32_t{0})
      .add_block(take.block)
      .finish(by);
}

Frame frame_of(const Commit& commit, const Signature& by) {
  TRACEBED_CHECK(commit.length <= output_bytes_max, "the length is that of an output");
  return FrameWriter(FrameKind::commit)
      .add(commit.length)
      .add(commit.crc)
      .add(std::uint32_t{0})
      .finish(by);
}

Frame frame_of(const Answer& answer, const Signature& by, const Code& request) {
  return FrameWriter(FrameKind::answer)
      .add(answer.index)
      .add(static_cast<std::uint8_t>(answer.status))
      .add(std::uint8_t{0})
      .add(std::uint32_t{0})
      .add(answer.length)
      .finish(by, request);
}

std::array<std::byte, chunk_head_bytes> chunk_head(Bytes data) {
  TRACEBED_CHECK(!data.empty() && data.size() <= chunk_bytes_max, "a chunk is bounded");
  const Frame head = FrameWriter(FrameKind::chunk).add(hdfs::crc32c(data)).finish();
  std::array<std::byte, chunk_head_bytes> result{};
  std::copy(head.begin(), head.end(), result.begin());
  const auto length = static_cast<std::uint32_t>(sizeof(std::uint32_t) + data.size());
  std::memcpy(result.data() + head_bytes - sizeof(length), &length, sizeof(length));
  return result;
}

}  // namespace tracebed::shuffle
