// A part of a file as the input of one map task, and the records that belong to it by the rules of
// Hadoop's readers, wherever the split begins and ends.
//
// Lines (org.apache.hadoop.mapreduce.lib.input.LineRecordReader) end with LF. A split that does not
// begin at 0 skips all up to its first line end, which the split before it reads; a split reads
// every line that begins at its end or before, to that line's end. So a line that begins exactly at
// a split's end belongs to that split. The file's last line may lack its LF. A CR is a
// part of its line, as with LF for textinputformat.record.delimiter.
//
// Records of one size (FixedLengthRecordReader) belong to the split in which they begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/result.h"
#include "kernels/bytes.h"

namespace tracebed::kernels {

struct InputSplit {
  std::uint64_t offset = 0;  // in the file
  std::uint64_t bytes = 0;
  std::uint64_t end() const { return offset + bytes; }
};

// What a file's records are.
struct RecordFormat {
  std::size_t record_bytes = 0;  // 0: lines
  bool operator==(const RecordFormat&) const = default;
};
inline constexpr RecordFormat line_format{};
inline constexpr std::size_t line_bytes_max = 8'192;

struct InputRecord {
  std::uint64_t offset = 0;  // of its first byte in the file
  Bytes bytes;               // a line without its LF
};

// What becomes of the records.
class RecordVisitor {
 public:
  virtual ~RecordVisitor() = default;
  // The record's bytes are valid until this returns.
  virtual Status visit(const InputRecord& record) = 0;
};

class SplitReader {
 public:
  // A split of no bytes has no records.
  SplitReader(RecordFormat format, InputSplit split);

  // The file's next bytes, from the split's offset on, in chunks of any sizes; visits the records
  // that end in them. Bytes behind the split's last record are ignored. Fails if a line has more
  // than line_bytes_max bytes, and with the visitor's errors; then the reader is of no more use.
  Status consume(Bytes chunk, RecordVisitor& visitor);
  // The file has ended. Fails if it ends within a record of fixed size.
  Status end_of_file(RecordVisitor& visitor);

  // Whether the split's last record has been read, so that no more bytes are needed.
  bool is_done() const { return is_done_; }
  // The byte of the file that consume() expects next.
  std::uint64_t position() const { return position_; }

 private:
  // Each takes bytes off the chunk's begin.
  void skip(Bytes& chunk);
  Status read_line(Bytes& chunk, RecordVisitor& visitor);
  Status read_record(Bytes& chunk, RecordVisitor& visitor);

  bool reads_lines() const { return format_ == line_format; }
  void advance(Bytes& chunk, std::size_t count);
  Status visit(Bytes& chunk, std::size_t count, RecordVisitor& visitor);
  void begin_record();
  Error error(const std::string& what) const;

  RecordFormat format_;
  InputSplit split_;
  std::uint64_t position_;
  std::uint64_t bytes_to_skip_ = 0;  // of a record that begins before the split
  bool skips_line_ = false;
  bool is_done_ = false;
  Buffer partial_;  // the begin of a record that ends in a later chunk
};

}  // namespace tracebed::kernels
