#include <cerrno>
#include <limits>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/check.h"
#include "core/input_error.h"
#include "protocol/log_file.h"
#include "protocol/log_file_format.h"

namespace tracebed {

namespace {

// Small enough to stay in a core's cache until it is written, or large enough to compress well.
std::size_t piece_bytes_of(LogCompression compression) {
  return std::size_t{compression == LogCompression::none ? 32u : 256u} << 10;
}

[[noreturn]] void fail(const std::string& path, std::string_view what) {
  const std::string reason = std::generic_category().message(errno);
  throw EnvironmentError("the log " + path + " cannot be " + std::string(what) + ": " + reason);
}

}  // namespace

PieceFileWriter::PieceFileWriter(std::string path, std::string_view run, LogCompression compression,
                                 ByteObserver observe)
    : path_(std::move(path)),
      file_(std::fopen(path_.c_str(), "wxe")),
      observe_(std::move(observe)) {
  TRACEBED_CHECK(run.size() <= log::run_bytes_max, "a run's id is short");
  if (!file_) fail(path_, "created");
  if (compression == LogCompression::zstd) compressor_.emplace();
  // Pieces are large and go to the kernel whole.
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
  const log::FileHeader header{log::magic, log::format_version,
                               static_cast<std::uint32_t>(run.size())};
  std::vector<std::byte> bytes;
  const auto add = [&](std::span<const std::byte> part) {
    bytes.insert(bytes.end(), part.begin(), part.end());
  };
  add(std::as_bytes(std::span(&header, 1)));
  add(std::as_bytes(std::span(run)));
  const std::uint32_t checksum = log::checksum(bytes);
  add(std::as_bytes(std::span(&checksum, 1)));
  write_all(bytes);
}

void PieceFileWriter::write(std::span<const std::byte> piece) {
  TRACEBED_CHECK(piece.size() <= std::numeric_limits<std::uint32_t>::max(),
                 "a piece of a log is under 4 GiB");
  log::PieceHeader header;
  const std::span<const std::byte> compressed =
      compressor_ ? compressor_->compress(piece) : std::span<const std::byte>();
  if (!compressed.empty()) {
    header.tag = log::compressed_piece_tag;
    piece = compressed;
  }
  header.bytes = static_cast<std::uint32_t>(piece.size());
  header.checksum = log::checksum(piece);
  header.header_checksum = header.own_checksum();
  write_all(std::as_bytes(std::span(&header, 1)));
  write_all(piece);
}

void PieceFileWriter::sync() {
  if (fdatasync(fileno(file_.get())) != 0) fail(path_, "synced");
}

void PieceFileWriter::write_all(std::span<const std::byte> bytes) {
  const std::size_t written = std::fwrite(bytes.data(), 1, bytes.size(), file_.get());
  const int error = errno;
  if (observe_) observe_(bytes.first(written));
  bytes_written_ += written;
  if (written == bytes.size()) return;
  errno = error;
  fail(path_, "written");
}

LogFileWriter::LogFileWriter(std::string path, std::string_view run, const Names& names,
                             LogDurability durability, LogCompression compression,
                             ByteObserver observe)
    : file_(std::move(path), run, compression, std::move(observe)),
      encoder_(names),
      durability_(durability),
      piece_bytes_(piece_bytes_of(compression)) {}

LogFileWriter::~LogFileWriter() {
  if (is_finished_ || encoder_.is_empty()) return;
  try {
    file_.write(encoder_.finish_piece());
  } catch (const EnvironmentError&) {
    // The run is being given up for another reason; the reader will report the cut.
  }
}

void LogFileWriter::append(const Round& round) {
  TRACEBED_CHECK(!is_finished_, "nothing is appended to a finished log");
  encoder_.add(round);
}

void LogFileWriter::commit() {
  const bool is_due = durability_ == LogDurability::buffered ? encoder_.bytes() >= piece_bytes_
                                                             : !encoder_.is_empty();
  if (!is_due) return;
  file_.write(encoder_.finish_piece());
  if (durability_ == LogDurability::synced) file_.sync();
}

void LogFileWriter::finish() {
  if (is_finished_) return;
  file_.write(encoder_.finish_piece(/*is_last=*/true));
  is_finished_ = true;
  if (durability_ == LogDurability::synced) file_.sync();
}

}  // namespace tracebed
