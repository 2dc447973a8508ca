// Rows of a CSV file (RFC 4180), formatted straight into a buffer: a run writes a row per job as it
// proceeds, and the virtual world ends more than half a million jobs a second.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>

#include "report/byte_output.h"

namespace tracebed {

// Fields are appended one after the other and end_row() ends the row; the caller gives every row as
// many fields as the header has. A failed write (a full disk) throws EnvironmentError naming the
// file.
class CsvWriter {
 public:
  // Writes the header row.
  CsvWriter(std::unique_ptr<ByteOutput> file, std::string_view header);
  // Into a file that must not exist.
  CsvWriter(const std::filesystem::path& path, std::string_view header);
  // Writes out what is buffered if close() was not called; a failure is ignored.
  ~CsvWriter();
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  void integer(std::int64_t value) {
    char* const at = room(number_bytes_max);
    if (value >= 0 && value < 10) {  // most columns of most rows
      *at = static_cast<char>('0' + value);
      ++used_;
    } else {
      used_ = static_cast<std::size_t>(std::to_chars(at, end(), value).ptr - buffer_.get());
    }
    separate();
  }
  // The shortest form that reads back as the same number.
  void real(double value) {
    used_ = static_cast<std::size_t>(std::to_chars(room(number_bytes_max), end(), value).ptr -
                                     buffer_.get());
    separate();
  }
  void text(std::string_view value);
  // Text of our own that needs no quotes; at most a buffer's worth.
  void word(std::string_view value) {
    std::memcpy(room(value.size() + 1), value.data(), value.size());
    used_ += value.size();
    separate();
  }
  void empty() {
    room(number_bytes_max);
    separate();
  }
  void end_row() { buffer_[used_ - 1] = '\n'; }

  // Writes out the rows so far, so that they outlive this process.
  void flush();
  // Writes out and closes the file.
  void close();

 private:
  // Larger writes cost the kernel more per byte, since they fall out of its nearest cache.
  static constexpr std::size_t buffer_bytes = 64 * 1024;
  static constexpr std::size_t number_bytes_max = 32;  // of any integer or double, with its comma

  char* end() { return buffer_.get() + buffer_bytes; }
  // Room for the next `bytes` characters; `bytes` is at most the buffer.
  char* room(std::size_t bytes) {
    if (buffer_bytes - used_ < bytes) [[unlikely]] {
      flush();
    }
    return buffer_.get() + used_;
  }
  void separate() { buffer_[used_++] = ','; }
  void append(std::string_view piece);

  std::unique_ptr<ByteOutput> file_;  // null when it was closed
  std::unique_ptr<char[]> buffer_;
  std::size_t used_ = 0;
};

}  // namespace tracebed
