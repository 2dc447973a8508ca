// A run's log of rounds as a file.
//
//   header   "TRACEBED", format version, length of the run's id, the id, XXH3 of all of these
//   pieces   "PIEC", length, XXH3 of the bytes, XXH3 of these three, then the bytes of a piece
//            (protocol/round_codec.h); or "PIEZ", and those of a piece that is compressed
//            (protocol/piece_compression.h)
//
// Numbers are 32 bits, little-endian. A log that was cut off is valid up to its last whole piece,
// and its reader reports what is missing; a log that was changed in the middle is rejected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/names.h"
#include "core/round_log.h"
#include "protocol/piece_compression.h"
#include "protocol/round_codec.h"

namespace tracebed {

// What commit() guarantees.
enum class LogDurability : std::uint8_t {
  buffered,  // nothing: rounds are written some hundred kilobytes at a time
  written,   // the rounds survive the death of this process
  synced,    // and that of the machine
};

enum class LogCompression : std::uint8_t { none, zstd };

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OwnedFile = std::unique_ptr<std::FILE, CloseFile>;

// Receives all bytes that a file has, in their order, as they are written.
using ByteObserver = std::function<void(std::span<const std::byte>)>;

// Writes pieces, whatever their source. Throws EnvironmentError if the file cannot be written.
class PieceFileWriter {
 public:
  // Creates the file, which must not exist.
  PieceFileWriter(std::string path, std::string_view run, LogCompression compression,
                  ByteObserver observe = {});

  void write(std::span<const std::byte> piece);
  void sync();
  std::uint64_t bytes_written() const { return bytes_written_; }

 private:
  void write_all(std::span<const std::byte> bytes);

  std::string path_;
  OwnedFile file_;
  std::optional<PieceCompressor> compressor_;
  ByteObserver observe_;
  std::uint64_t bytes_written_ = 0;
};

class LogFileWriter final : public RoundLog {
 public:
  // `names` outlives the writer; see RoundLog.
  LogFileWriter(std::string path, std::string_view run, const Names& names,
                LogDurability durability, LogCompression compression = LogCompression::none,
                ByteObserver observe = {});
  // Writes what is buffered if possible. A log that was not finished has no end mark.
  ~LogFileWriter() override;

  void append(const Round& round) override;
  void commit() override;
  // Writes everything and the mark that the run has ended. Nothing is appended afterwards.
  void finish();

  std::uint64_t bytes_written() const { return file_.bytes_written(); }

 private:
  PieceFileWriter file_;
  RoundEncoder encoder_;
  LogDurability durability_;
  std::size_t piece_bytes_;  // of a piece, unless the durability asks for an earlier one
  bool is_finished_ = false;
};

class LogFileReader final : public RoundSource {
 public:
  // Fills `names`, which is empty and outlives the reader, with those of the log. Throws InputError
  // if the file is not a log or of another format version, EnvironmentError if it cannot be read.
  LogFileReader(std::string path, Names& names);

  bool next(Round& round) override;

  const std::string& run() const { return run_; }
  // After next() returned false: what the log lacks, as a sentence, or nothing if it is whole.
  const std::optional<std::string>& loss() const { return loss_; }

 private:
  bool next_piece();
  bool read(std::span<std::byte> bytes);
  bool is_zero_to_the_end(std::span<const std::byte> begin);
  void read_header();
  void break_off(const std::string& what);

  std::string path_;
  OwnedFile file_;
  std::string run_;
  std::uint64_t size_ = 0;
  std::uint64_t position_ = 0;  // of what was read
  std::uint64_t rounds_ = 0;
  std::vector<std::byte> piece_;
  std::vector<std::byte> decompressed_;
  PieceDecompressor decompressor_;
  RoundDecoder decoder_;
  std::optional<std::string> loss_;
};

}  // namespace tracebed
