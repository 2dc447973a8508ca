#include "report/csv_writer.h"

#include <algorithm>
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

CsvWriter::CsvWriter(std::unique_ptr<ByteOutput> file, std::string_view header)
    : file_(std::move(file)), buffer_(new char[buffer_bytes]) {
  append(header);
  append("\n");
}

CsvWriter::CsvWriter(const std::filesystem::path& path, std::string_view header)
    : CsvWriter(create_file(path), header) {}

CsvWriter::~CsvWriter() {
  if (!file_) return;
  try {
    flush();
  } catch (const EnvironmentError&) {
    // The run is being given up for another reason.
  }
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
  std::exchange(file_, nullptr)->close();
}

void CsvWriter::flush() {
  // Emptied first, so that after a failure the destructor does not write the rest behind a gap.
  const std::size_t count = std::exchange(used_, 0);
  file_->write({buffer_.get(), count});
}

}  // namespace tracebed
