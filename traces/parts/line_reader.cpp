#include "traces/parts/line_reader.h"

#include <algorithm>
#include <cstring>

namespace tracebed {
namespace {

constexpr std::size_t buffer_bytes = 1 << 16;

// What was read ahead of a source, then the rest of it.
class RestBytes final : public ByteSource {
 public:
  RestBytes(std::vector<char> ahead, std::size_t begin, std::size_t end,
            std::unique_ptr<ByteSource> rest)
      : ahead_(std::move(ahead)), begin_(begin), end_(end), rest_(std::move(rest)) {}

  std::size_t read(std::span<char> room) override {
    if (begin_ == end_) return rest_->read(room);
    const std::size_t count = std::min(room.size(), end_ - begin_);
    std::memcpy(room.data(), ahead_.data() + begin_, count);
    begin_ += count;
    return count;
  }
  const std::string& defect() const override { return rest_->defect(); }
  std::string_view compression() const override { return rest_->compression(); }

 private:
  std::vector<char> ahead_;
  std::size_t begin_;
  std::size_t end_;
  std::unique_ptr<ByteSource> rest_;
};

}  // namespace

LineReader::LineReader(std::string name, std::unique_ptr<ByteSource> bytes,
                       std::size_t line_bytes_max)
    : name_(std::move(name)),
      bytes_(std::move(bytes)),
      line_bytes_max_(line_bytes_max),
      // A line, CR LF, and one more byte to tell that it is too long.
      buffer_(std::max(buffer_bytes, line_bytes_max + 3) + slack) {}

// Makes room by moving what is left to the front, and reads once. False at the end.
bool LineReader::fill() {
  if (ended_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  const std::size_t count = bytes_->read(std::span(buffer_).first(room()).subspan(end_));
  end_ += count;
  ended_ = count == 0;
  return !ended_;
}

std::string_view LineReader::peek() {
  // Enough for the head of any text format: as much as the buffer takes.
  while (end_ - begin_ < room() && fill()) {
  }
  if (!started_) {
    started_ = true;
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (std::string_view(buffer_.data(), end_).starts_with(mark)) {
      begin_ = mark.size();
      text_bytes_ = mark.size();
    }
  }
  return {buffer_.data() + begin_, end_ - begin_};
}

LineReader::Outcome LineReader::next(std::string_view& line) {
  if (!started_) peek();
  if (in_long_line_) skip_long_line();
  line_offset_ = text_bytes_;
  std::size_t searched = 0;
  for (;;) {
    const char* start = buffer_.data() + begin_;
    const std::size_t available = end_ - begin_;
    const void* newline =
        available > searched ? std::memchr(start + searched, '\n', available - searched) : nullptr;
    if (newline != nullptr || (ended_ && available > 0 && bytes_->defect().empty())) {
      const std::size_t length =
          newline != nullptr ? static_cast<std::size_t>(static_cast<const char*>(newline) - start)
                             : available;
      const std::size_t consumed = length + (newline != nullptr ? 1 : 0);
      begin_ += consumed;
      text_bytes_ += consumed;
      ++line_number_;
      line = {start, length};
      if (line.ends_with('\r')) line.remove_suffix(1);
      return line.size() > line_bytes_max_ ? Outcome::too_long : Outcome::line;
    }
    if (ended_) return bytes_->defect().empty() ? Outcome::end : Outcome::defect;
    if (available > line_bytes_max_ + 1) {
      ++line_number_;
      in_long_line_ = true;
      return Outcome::too_long;
    }
    searched = available;
    fill();
  }
}

std::unique_ptr<ByteSource> LineReader::take_bytes() && {
  return std::make_unique<RestBytes>(std::move(buffer_), begin_, end_, std::move(bytes_));
}

void LineReader::skip_long_line() {
  in_long_line_ = false;
  for (;;) {
    const char* start = buffer_.data() + begin_;
    const void* newline = std::memchr(start, '\n', end_ - begin_);
    const std::size_t consumed =
        newline != nullptr ? static_cast<std::size_t>(static_cast<const char*>(newline) - start) + 1
                           : end_ - begin_;
    begin_ += consumed;
    text_bytes_ += consumed;
    if (newline != nullptr || !fill()) return;
  }
}

}  // namespace tracebed
