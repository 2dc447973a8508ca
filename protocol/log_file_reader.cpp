#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>

#include "core/input_error.h"
#include "protocol/log_file.h"
#include "protocol/log_file_format.h"

namespace tracebed {

LogFileReader::LogFileReader(std::string path, Names& names)
    : path_(std::move(path)), decoder_(names) {
  // A FIFO of that name must keep nobody waiting.
  const int number = open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (number >= 0) file_.reset(fdopen(number, "r"));
  struct stat status {};
  if (!file_ || fstat(fileno(file_.get()), &status) != 0) {
    throw EnvironmentError("the log " + path_ +
                           " cannot be read: " + std::generic_category().message(errno));
  }
  if (!S_ISREG(status.st_mode)) {
    throw InputError(path_ + ": expected a log in a regular file, got something else");
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
  read_header();
}

void LogFileReader::read_header() {
  const auto refuse = [&](const std::string& why) { throw InputError(path_ + ": " + why); };
  log::FileHeader header{};
  if (!read(std::as_writable_bytes(std::span(&header, 1))) || header.magic != log::magic) {
    refuse("expected a log of Tracebed, which begins with TRACEBED; this file does not");
  }
  if (header.version < log::oldest_readable_version || header.version > log::format_version) {
    refuse("expected format version " + std::to_string(log::oldest_readable_version) + " to " +
           std::to_string(log::format_version) + ", got " + std::to_string(header.version));
  }
  if (header.run_bytes > log::run_bytes_max) refuse("the log's header is damaged");
  std::vector<std::byte> bytes(sizeof(header) + header.run_bytes);
  const auto fixed = std::as_bytes(std::span(&header, 1));
  std::copy(fixed.begin(), fixed.end(), bytes.begin());
  const auto run = std::span(bytes).subspan(sizeof(header));
  std::uint32_t checksum = 0;
  if (!read(run) || !read(std::as_writable_bytes(std::span(&checksum, 1))) ||
      checksum != log::checksum(bytes)) {
    refuse("the log's header is damaged");
  }
  run_.assign(reinterpret_cast<const char*>(run.data()), run.size());
}

bool LogFileReader::next(Round& round) {
  while (!decoder_.next(round)) {
    if (loss_ || !next_piece()) return false;
  }
  ++rounds_;
  return true;
}

// Loads the next piece; false at the end of what can be used.
bool LogFileReader::next_piece() {
  const std::uint64_t begin = position_;
  log::PieceHeader header;
  const auto header_bytes = std::as_writable_bytes(std::span(&header, 1));
  if (begin == size_) {
    if (!decoder_.saw_last()) break_off("the run's end was not written");
    return false;
  }
  const auto at_begin = " at byte " + std::to_string(begin);
  if (!read(header_bytes)) {
    break_off("it was cut off" + at_begin);
    return false;
  }
  const bool is_compressed = header.tag == log::compressed_piece_tag;
  if ((header.tag != log::piece_tag && !is_compressed) ||
      header.header_checksum != header.own_checksum()) {
    if (is_zero_to_the_end(header_bytes)) {
      break_off("only zeros stand" + at_begin);
      return false;
    }
    throw InputError(path_ + ": the log is damaged" + at_begin +
                     ": expected the header of a piece");
  }
  if (header.bytes > size_ - position_) {
    break_off("it was cut off" + at_begin);
    return false;
  }
  piece_.resize(header.bytes);
  if (!read(piece_) || log::checksum(piece_) != header.checksum) {
    // The last thing written may not have reached the disk whole; anything before must have.
    if (position_ == size_) {
      break_off("it was not written whole" + at_begin);
      return false;
    }
    throw InputError(path_ + ": the log is damaged" + at_begin +
                     ": a piece does not have its checksum");
  }
  Status loaded = success();
  if (is_compressed) loaded = decompressor_.decompress(piece_, decompressed_);
  if (loaded) loaded = decoder_.load(is_compressed ? decompressed_ : piece_);
  if (!loaded) throw InputError(path_ + at_begin + ": " + loaded.error().message);
  return true;
}

// A file system may keep a file's length through a crash, but not its last bytes.
bool LogFileReader::is_zero_to_the_end(std::span<const std::byte> begin) {
  const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
  if (!std::all_of(begin.begin(), begin.end(), is_zero)) return false;
  piece_.resize(static_cast<std::size_t>(size_ - position_));
  return read(piece_) && std::all_of(piece_.begin(), piece_.end(), is_zero);
}

bool LogFileReader::read(std::span<std::byte> bytes) {
  const std::size_t got = std::fread(bytes.data(), 1, bytes.size(), file_.get());
  position_ += got;
  if (got < bytes.size() && std::ferror(file_.get()) != 0) {
    throw EnvironmentError("the log " + path_ +
                           " cannot be read: " + std::generic_category().message(errno));
  }
  return got == bytes.size();
}

void LogFileReader::break_off(const std::string& what) {
  loss_ = "the log is good for " + std::to_string(rounds_) + " rounds; after them, " + what;
}

}  // namespace tracebed
