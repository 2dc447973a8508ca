#include "traces/json/json_documents.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace tracebed {
namespace {

constexpr std::size_t step = 1 << 16;
// Behind what was read; the parser and the scanner look beyond the end.
constexpr std::size_t padding = std::max(simdjson::SIMDJSON_PADDING, BracketScanner::slack);

bool is_white(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n';
}

}  // namespace

JsonDocuments::JsonDocuments(std::string name, std::unique_ptr<ByteSource> bytes,
                             std::size_t document_bytes_max)
    : name_(std::move(name)),
      bytes_(std::move(bytes)),
      document_bytes_max_(document_bytes_max),
      buffer_(step + padding) {}

std::string JsonDocuments::place() const {
  return fmt::format("document at byte {}", offset_);
}

bool JsonDocuments::fill() {
  if (ended_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    consumed_ += begin_;
    end_ -= begin_;
    begin_ = 0;
  }
  std::size_t room = buffer_.size() - padding - end_;
  if (room < step / 2) {
    buffer_.resize(buffer_.size() * 2);
    room = buffer_.size() - padding - end_;
  }
  const std::size_t count = bytes_->read(std::span(buffer_).subspan(end_, room));
  end_ += count;
  ended_ = count == 0;
  return !ended_;
}

std::string_view JsonDocuments::peek() {
  while (end_ - begin_ < step && fill()) {
  }
  if (consumed_ == 0 && std::string_view(buffer_.data(), end_).starts_with("\xEF\xBB\xBF")) {
    begin_ = 3;
  }
  return {buffer_.data() + begin_, end_ - begin_};
}

bool JsonDocuments::skip_white() {
  for (;;) {
    while (begin_ < end_ && is_white(buffer_[begin_])) {
      if (buffer_[begin_] == '\n') ++next_line_;
      ++begin_;
    }
    if (begin_ < end_) return true;
    if (!fill()) return false;
  }
}

void JsonDocuments::scan(std::size_t& at) {
  at += scanner_.scan(buffer_.data() + at, end_ - at);
  next_line_ = line_ + scanner_.lines();
}

JsonDocuments::Found JsonDocuments::find() {
  begin_ += size_;
  size_ = 0;
  if (consumed_ == 0 && begin_ == 0) peek();
  if (!skip_white()) return bytes_->defect().empty() ? Found::nothing : Found::cut_off;
  offset_ = consumed_ + begin_;
  line_ = next_line_;
  scanner_.begin();
  if (buffer_[begin_] != '{' && buffer_[begin_] != '[') return Found::not_json;
  std::size_t length = 0;  // scanned so far; begin_ moves when the buffer is filled
  for (;;) {
    std::size_t at = begin_ + length;
    scan(at);
    const bool is_whole = scanner_.is_closed();
    length = at - begin_;
    if (length > document_bytes_max_) {
      begin_ = at;
      return Found::too_large;
    }
    if (is_whole) {
      size_ = length;
      return Found::document;
    }
    if (!fill()) return Found::cut_off;
  }
}

void JsonDocuments::skip_to_end() {
  while (!scanner_.is_closed() && fill()) {
    std::size_t at = begin_;
    scan(at);
    begin_ = at;
  }
}

void JsonDocuments::report(BadRows& bad_rows, Found found) const {
  if (found == Found::too_large) {
    bad_rows.add(BadRow::too_large, line_, place(),
                 fmt::format("at most {} bytes", document_bytes_max_), "a larger one");
  } else if (found == Found::cut_off) {
    if (!bytes_->defect().empty()) {
      bad_rows.refuse(line_, place(), "a whole document", bytes_->defect());
    }
    bad_rows.add(BadRow::cut_off, line_, place(), "a whole document", "one that does not end");
  } else {
    const std::size_t shown_bytes = std::min<std::size_t>(end_ - begin_, 20);
    bad_rows.add(BadRow::not_json, line_, place(), "a JSON object",
                 shown(std::string_view(buffer_.data() + begin_, shown_bytes)));
  }
}

bool JsonDocuments::next(BadRows& bad_rows) {
  for (;;) {
    const Found found = find();
    if (found == Found::nothing) return false;
    if (found != Found::document) {
      report(bad_rows, found);
      if (found == Found::too_large) {
        skip_to_end();
        continue;
      }
      // Where the next document begins cannot be told. What is left may still show that the bytes
      // are damaged, which explains what was found.
      do {
        begin_ = end_;
      } while (fill());
      if (!bytes_->defect().empty()) report(bad_rows, Found::cut_off);
      return false;
    }
    const auto parsed = parser_.parse(buffer_.data() + begin_, size_, false);
    if (parsed.error() == simdjson::SUCCESS) {
      root_ = parsed.value_unsafe();
      return true;
    }
    bad_rows.add(BadRow::not_json, line_, place(), "JSON", simdjson::error_message(parsed.error()));
  }
}

}  // namespace tracebed
