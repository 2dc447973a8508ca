#include "kernels/run_format.h"

#include <cstring>
#include <utility>

#include "core/check.h"

namespace tracebed::kernels {
namespace {

constexpr std::size_t write_buffer_bytes = 65'536;  // the end of a run may exceed it
constexpr std::uint16_t end_mark = 0xFFFF;

}  // namespace

RunWriter::RunWriter(ByteSink& sink) : sink_(sink) {
  buffer_.reserve(write_buffer_bytes);
}

Status RunWriter::add(Bytes key, Bytes value) {
  TRACEBED_CHECK(key.size() + value.size() <= pair_bytes_max, "pairs are bounded");
  const std::size_t bytes = pair_head_bytes + key.size() + value.size();
  if (buffer_.size() + bytes > write_buffer_bytes) {
    if (Status flushed = flush(); !flushed) return flushed;
  }
  const std::size_t begin = buffer_.size();
  buffer_.resize(begin + bytes);
  std::byte* to = buffer_.data() + begin;
  store(to, static_cast<std::uint16_t>(key.size()));
  store(to + 2, static_cast<std::uint16_t>(value.size()));
  to += pair_head_bytes;
  if (!key.empty()) std::memcpy(to, key.data(), key.size());
  if (!value.empty()) std::memcpy(to + key.size(), value.data(), value.size());
  ++pairs_;
  return success();
}

void RunWriter::end_run() {
  append_number(buffer_, end_mark);
  append_number(buffer_, end_mark);
  append_number(buffer_, std::exchange(pairs_, 0));
}

Status RunWriter::flush() {
  flushed_bytes_ += buffer_.size();
  Status written = sink_.write(buffer_);
  buffer_.clear();
  return written;
}

RunReader::RunReader(std::unique_ptr<ByteSource> source, std::size_t buffer_bytes)
    : source_(std::move(source)), buffer_(buffer_bytes) {
  TRACEBED_CHECK(buffer_bytes >= run_buffer_bytes_min, "two pairs fit in a reader's buffer");
}

Error RunReader::error(const std::string& what) const {
  return {source_->name() + ": " + what + " at byte " + std::to_string(buffer_offset_ + next_)};
}

Result<bool> RunReader::require(std::size_t bytes) {
  if (end_ - next_ >= bytes) return true;
  const std::size_t kept = has_pair_ ? key_begin_ : next_;
  if (kept > 0) {
    std::memmove(buffer_.data(), at(kept), end_ - kept);
    buffer_offset_ += kept;
    key_begin_ -= has_pair_ ? kept : 0;
    next_ -= kept;
    end_ -= kept;
  }
  while (end_ - next_ < bytes) {
    const Result<std::size_t> count = source_->read(std::span(buffer_).subspan(end_));
    if (!count) return count.error();
    if (*count == 0) return false;
    TRACEBED_CHECK(*count <= buffer_.size() - end_, "a source keeps to the bounds of a read");
    end_ += *count;
  }
  return true;
}

Status RunReader::advance() {
  const Result<bool> has_head = require(pair_head_bytes);
  if (!has_head) return has_head.error();
  if (!*has_head) return error("the run ends without an end mark");
  const std::size_t key_bytes = load<std::uint16_t>(at(next_));
  const std::size_t value_bytes = load<std::uint16_t>(at(next_ + 2));
  if (key_bytes == end_mark && value_bytes == end_mark) return read_end();
  if (key_bytes + value_bytes > pair_bytes_max) {
    return error("a pair of " + std::to_string(key_bytes + value_bytes) + " bytes");
  }
  const Result<bool> has_all = require(pair_head_bytes + key_bytes + value_bytes);
  if (!has_all) return has_all.error();
  if (!*has_all) return error("the run ends within a pair");
  const std::size_t begin = next_ + pair_head_bytes;
  const Bytes next_key{at(begin), key_bytes};
  const std::uint64_t prefix = key_prefix(next_key);
  if (has_pair_ && prefix <= prefix_) {
    const auto order = compare_bytes(key(), next_key);
    const Bytes next_value{at(begin + key_bytes), value_bytes};
    if (order > 0 || (order == 0 && compare_bytes(value(), next_value) > 0)) {
      return error("a pair that belongs before the last one");
    }
  }
  key_begin_ = begin;
  key_bytes_ = key_bytes;
  value_bytes_ = value_bytes;
  prefix_ = prefix;
  next_ = begin + key_bytes + value_bytes;
  has_pair_ = true;
  ++pairs_;
  return success();
}

Status RunReader::read_end() {
  const Result<bool> has_all = require(run_end_bytes);
  if (!has_all) return has_all.error();
  if (!*has_all) return error("the run ends within its end mark");
  const auto pairs = load<std::uint64_t>(at(next_ + pair_head_bytes));
  if (pairs != pairs_) {
    return error("an end mark for " + std::to_string(pairs) + " pairs instead of " +
                 std::to_string(pairs_));
  }
  next_ += run_end_bytes;
  has_pair_ = false;
  const Result<bool> has_more = require(1);
  if (!has_more) return has_more.error();
  if (*has_more) return error("bytes behind the run's end");
  return success();
}

}  // namespace tracebed::kernels
