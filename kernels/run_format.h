// Sorted runs of pairs: spills, the partitions of a map output, and what is merged of them
// (org.apache.hadoop.mapred.IFile). A pair is the lengths of key and value, in two bytes each, and
// their bytes. A run ends with two lengths of 65,535 and the number of its pairs in eight bytes, so
// that a run cut short is noticed. There is no checksum: shuffle and HDFS have their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/result.h"
#include "kernels/bytes.h"
#include "kernels/streams.h"

namespace tracebed::kernels {

inline constexpr std::size_t pair_head_bytes = 4;
inline constexpr std::size_t pair_bytes_max = 8'192 + 256;  // key and value
inline constexpr std::size_t run_end_bytes = pair_head_bytes + 8;
// A reader needs a buffer for two pairs, since it compares each with the one before.
inline constexpr std::size_t run_buffer_bytes_min = 2 * (pair_head_bytes + pair_bytes_max);

// Writes runs, one after the other, with a buffer of 64 KiB.
class RunWriter {
 public:
  explicit RunWriter(ByteSink& sink);

  // At most pair_bytes_max bytes together (checked).
  Status add(Bytes key, Bytes value);
  void end_run();
  // Passes on what is in the buffer. After the last run.
  Status flush();
  // Of all runs.
  std::uint64_t bytes() const { return flushed_bytes_ + buffer_.size(); }

 private:
  ByteSink& sink_;
  Buffer buffer_;
  std::uint64_t pairs_ = 0;
  std::uint64_t flushed_bytes_ = 0;
};

// Reads one run, which is not trusted: fails where it is malformed or not sorted, with a message
// that has the source's name and the byte.
class RunReader {
 public:
  // `buffer_bytes` is at least run_buffer_bytes_min (checked).
  RunReader(std::unique_ptr<ByteSource> source, std::size_t buffer_bytes);

  // To the first pair, or to the next one.
  Status advance();
  // False before the first pair and behind the last.
  bool has_pair() const { return has_pair_; }
  // Valid until advance().
  Bytes key() const { return {at(key_begin_), key_bytes_}; }
  Bytes value() const { return {at(key_begin_ + key_bytes_), value_bytes_}; }
  std::uint64_t prefix() const { return prefix_; }
  std::string name() const { return source_->name(); }

 private:
  const std::byte* at(std::size_t index) const { return buffer_.data() + index; }
  // Reads until at least `bytes` bytes follow the pair, and keeps the pair. False if the source
  // ends before that.
  Result<bool> require(std::size_t bytes);
  Status read_end();
  Error error(const std::string& what) const;

  std::unique_ptr<ByteSource> source_;
  Buffer buffer_;
  std::size_t key_begin_ = 0;
  std::size_t key_bytes_ = 0;
  std::size_t value_bytes_ = 0;
  std::size_t next_ = 0;             // the first byte behind the pair
  std::size_t end_ = 0;              // of what has been read
  std::uint64_t buffer_offset_ = 0;  // of the buffer's first byte, in the run
  std::uint64_t prefix_ = 0;
  std::uint64_t pairs_ = 0;
  bool has_pair_ = false;
};

}  // namespace tracebed::kernels
