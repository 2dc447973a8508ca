// Lines of a text trace, one at a time, in bounded memory. A line ends at LF; one CR before it is
// removed; the last line needs no LF; a UTF-8 byte order mark at the start is skipped.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "traces/parts/byte_masks.h"
#include "traces/parts/byte_source.h"
#include "traces/parts/text_numbers.h"

namespace tracebed {

class LineReader {
 public:
  // Longer lines than this are refused, not stored.
  static constexpr std::size_t default_line_bytes_max = 1 << 20;

  enum class Outcome {
    line,
    too_long,  // the next call skips it; line_number() is its own
    defect,    // the bytes end in a defect; a line begun before it is not delivered
    end,
  };

  // `name` is what messages call the source: the path.
  LineReader(std::string name, std::unique_ptr<ByteSource> bytes,
             std::size_t line_bytes_max = default_line_bytes_max);

  // `line` is valid until the next call. At least `slack` bytes after its end can be read; their
  // contents are meaningless.
  static constexpr std::size_t slack = std::max(decimal_slack, mask_bytes);
  Outcome next(std::string_view& line);

  // The text read so far, for format detection; reads if there is none. Does not consume.
  std::string_view peek();

  // What was not consumed, for callers that do not read lines.
  std::unique_ptr<ByteSource> take_bytes() &&;

  const std::string& name() const { return name_; }
  std::uint64_t line_number() const { return line_number_; }  // of the last line, from 1
  std::uint64_t text_bytes() const { return text_bytes_; }    // consumed, line ends included
  std::uint64_t line_offset() const { return line_offset_; }  // of the last line's first byte
  std::size_t line_bytes_max() const { return line_bytes_max_; }
  const std::string& defect() const { return bytes_->defect(); }
  std::string_view compression() const { return bytes_->compression(); }

 private:
  std::size_t room() const { return buffer_.size() - slack; }
  bool fill();
  void skip_long_line();

  std::string name_;
  std::unique_ptr<ByteSource> bytes_;
  std::size_t line_bytes_max_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of what is not consumed yet
  std::size_t end_ = 0;
  bool ended_ = false;
  bool started_ = false;
  bool in_long_line_ = false;
  std::uint64_t line_number_ = 0;
  std::uint64_t text_bytes_ = 0;
  std::uint64_t line_offset_ = 0;
};

}  // namespace tracebed
