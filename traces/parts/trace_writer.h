// Writes a text trace, gzip-compressed if its name ends in ".gz". The file appears under its name
// only when it is whole.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tracebed {

class TraceWriter {
 public:
  // Throws EnvironmentError if the file cannot be made.
  explicit TraceWriter(std::string path);
  // Takes back what was written unless finish() was called.
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  void write(std::string_view text);
  // Throws EnvironmentError if not everything could be written.
  void finish();
  // Of text, before compression.
  std::uint64_t bytes() const { return bytes_; }

 private:
  class Sink;
  void flush();

  std::string path_;
  std::string partial_path_;
  std::unique_ptr<Sink> sink_;
  std::string buffer_;
  std::uint64_t bytes_ = 0;
  bool finished_ = false;
};

}  // namespace tracebed
