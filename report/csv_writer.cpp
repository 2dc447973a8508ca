#include "report/csv_writer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

#include "core/input_error.h"

namespace tracebed {
namespace {

bool needs_quotes(std::string_view value) {
  return std::any_of(value.begin(), value.end(), [](char letter) {
    return letter == ',' || letter == '"' || letter == '\n' || letter == '\r';
  });
}

}  // namespace

CsvWriter::CsvWriter(std::filesystem::path path, std::string_view header)
    : path_(std::move(path)), buffer_(new char[buffer_bytes]) {
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file_ < 0) {
    throw EnvironmentError(
        fmt::format("cannot create {}: {}", path_.string(), std::strerror(errno)));
  }
  append(header);
  append("\n");
}

CsvWriter::~CsvWriter() {
  if (file_ < 0) return;
  write_out();
  ::close(file_);
}

void CsvWriter::text(std::string_view value) {
  if (!needs_quotes(value)) {
    append(value);
  } else {
    append("\"");
    while (true) {
      const std::size_t quote = value.find('"');
      append(value.substr(0, quote));
      if (quote == std::string_view::npos) break;
      append("\"\"");
      value.remove_prefix(quote + 1);
    }
    append("\"");
  }
  room(1);
  separate();
}

void CsvWriter::append(std::string_view piece) {
  while (!piece.empty()) {
    if (used_ == buffer_bytes) flush();
    const std::size_t count = std::min(piece.size(), buffer_bytes - used_);
    std::memcpy(buffer_.get() + used_, piece.data(), count);
    used_ += count;
    piece.remove_prefix(count);
  }
}

void CsvWriter::close() {
  flush();
  const int file = std::exchange(file_, -1);
  if (::close(file) != 0) {
    throw EnvironmentError(
        fmt::format("cannot finish writing {}: {}", path_.string(), std::strerror(errno)));
  }
}

bool CsvWriter::write_out() {
  const char* from = buffer_.get();
  while (used_ > 0) {
    const ssize_t written = ::write(file_, from, used_);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    from += written;
    used_ -= static_cast<std::size_t>(written);
  }
  return true;
}

void CsvWriter::flush() {
  if (!write_out()) {
    used_ = 0;  // so that the destructor does not write the rest behind a gap
    throw EnvironmentError(
        fmt::format("cannot write to {}: {}", path_.string(), std::strerror(errno)));
  }
}

}  // namespace tracebed
