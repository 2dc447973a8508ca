#include "kernels/input_split.h"

#include <algorithm>
#include <cstring>

namespace tracebed::kernels {

SplitReader::SplitReader(RecordFormat format, InputSplit split)
    : format_(format), split_(split), position_(split.offset), is_done_(split.bytes == 0) {
  if (reads_lines()) {
    skips_line_ = split.offset != 0;
    return;
  }
  const std::uint64_t begun = split.offset % format.record_bytes;
  bytes_to_skip_ = begun == 0 ? 0 : format.record_bytes - begun;
  if (bytes_to_skip_ >= split.bytes) is_done_ = true;
}

Error SplitReader::error(const std::string& what) const {
  return {"input: " + what + " at byte " + std::to_string(position_ - partial_.size())};
}

void SplitReader::advance(Bytes& chunk, std::size_t count) {
  chunk = chunk.subspan(count);
  position_ += count;
}

void SplitReader::begin_record() {
  partial_.clear();
  is_done_ = reads_lines() ? position_ > split_.end() : position_ >= split_.end();
}

void SplitReader::skip(Bytes& chunk) {
  if (bytes_to_skip_ > 0) {
    const std::size_t count = std::min<std::uint64_t>(bytes_to_skip_, chunk.size());
    advance(chunk, count);
    bytes_to_skip_ -= count;
    return;
  }
  const auto end = std::find(chunk.begin(), chunk.end(), std::byte{'\n'});
  skips_line_ = end == chunk.end();
  advance(chunk, static_cast<std::size_t>(end - chunk.begin()) + (skips_line_ ? 0 : 1));
  is_done_ = position_ > split_.end();
}

// The record ends with the chunk's first `count` bytes.
Status SplitReader::visit(Bytes& chunk, std::size_t count, RecordVisitor& visitor) {
  if (partial_.empty()) return visitor.visit({position_, chunk.first(count)});
  const std::uint64_t offset = position_ - partial_.size();
  append(partial_, chunk.first(count));
  return visitor.visit({offset, partial_});
}

Status SplitReader::read_line(Bytes& chunk, RecordVisitor& visitor) {
  const void* const found = std::memchr(chunk.data(), '\n', chunk.size());
  const bool has_ended = found != nullptr;
  const std::size_t count =
      has_ended ? static_cast<std::size_t>(static_cast<const std::byte*>(found) - chunk.data())
                : chunk.size();
  if (partial_.size() + count > line_bytes_max) {
    return error("a line of more than " + std::to_string(line_bytes_max) + " bytes");
  }
  if (!has_ended) {
    append(partial_, chunk);
    advance(chunk, count);
    return success();
  }
  const Status visited = visit(chunk, count, visitor);
  advance(chunk, count + 1);
  begin_record();
  return visited;
}

Status SplitReader::read_record(Bytes& chunk, RecordVisitor& visitor) {
  const std::size_t count = format_.record_bytes - partial_.size();
  if (chunk.size() < count) {
    append(partial_, chunk);
    advance(chunk, chunk.size());
    return success();
  }
  const Status visited = visit(chunk, count, visitor);
  advance(chunk, count);
  begin_record();
  return visited;
}

Status SplitReader::consume(Bytes chunk, RecordVisitor& visitor) {
  while (!is_done_ && !chunk.empty()) {
    if (skips_line_ || bytes_to_skip_ > 0) {
      skip(chunk);
      continue;
    }
    const Status read = reads_lines() ? read_line(chunk, visitor) : read_record(chunk, visitor);
    if (!read) return read;
  }
  return success();
}

Status SplitReader::end_of_file(RecordVisitor& visitor) {
  if (is_done_) return success();
  is_done_ = true;
  if (partial_.empty()) return success();
  if (!reads_lines()) {
    return error("a record of " + std::to_string(partial_.size()) + " bytes instead of " +
                 std::to_string(format_.record_bytes));
  }
  return visitor.visit({position_ - partial_.size(), partial_});
}

}  // namespace tracebed::kernels
