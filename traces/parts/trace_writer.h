// Writes a trace, gzip-compressed if its name ends in ".gz", to whatever a path may name
// (system/output_file.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "system/output_file.h"

namespace tracebed {

class TraceWriter {
 public:
  // Throws EnvironmentError if the file cannot be made.
  explicit TraceWriter(const std::string& path);
  // Removes what was written unless finish() was called.
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  void write(std::string_view text);
  // Throws EnvironmentError if not everything could be written.
  void finish();
  // Of text, before compression.
  std::uint64_t bytes() const { return bytes_; }

 private:
  class Deflater;
  void flush();

  OutputFile file_;
  std::unique_ptr<Deflater> deflater_;  // null: plain
  std::string buffer_;
  std::uint64_t bytes_ = 0;
};

}  // namespace tracebed
