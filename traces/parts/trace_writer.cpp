#include "traces/parts/trace_writer.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>
#include <zlib.h>

#include "core/input_error.h"

namespace tracebed {
namespace {

constexpr std::size_t buffer_bytes = 1 << 18;

[[noreturn]] void cannot(const std::string& path, const char* what) {
  throw EnvironmentError(
      fmt::format("{}: {}: {}", path, what, std::generic_category().message(errno)));
}

}  // namespace

// zlib writes plain files too ("T"), so there is one way out.
class TraceWriter::Sink {
 public:
  Sink(const std::string& partial_path, bool compress) {
    const int file = open(partial_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return;
    file_ = gzdopen(file, compress ? "wb6" : "wbT");
    if (file_ == nullptr) ::close(file);
  }
  ~Sink() {
    if (file_ != nullptr) gzclose(file_);
  }
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  bool is_open() const { return file_ != nullptr; }
  bool write(std::string_view text) {
    return text.empty() || gzwrite(file_, text.data(), static_cast<unsigned>(text.size())) > 0;
  }
  bool close() {
    const int outcome = gzclose(file_);
    file_ = nullptr;
    return outcome == Z_OK;
  }

 private:
  gzFile file_ = nullptr;
};

TraceWriter::TraceWriter(std::string path)
    : path_(std::move(path)),
      partial_path_(path_ + ".partial"),
      sink_(std::make_unique<Sink>(partial_path_, path_.ends_with(".gz"))) {
  if (!sink_->is_open()) cannot(partial_path_, "cannot be written");
  buffer_.reserve(buffer_bytes);
}

TraceWriter::~TraceWriter() {
  if (!finished_) std::remove(partial_path_.c_str());
}

void TraceWriter::write(std::string_view text) {
  if (buffer_.size() + text.size() > buffer_bytes) flush();
  buffer_ += text;
  bytes_ += text.size();
}

void TraceWriter::flush() {
  if (!sink_->write(buffer_)) cannot(partial_path_, "cannot be written further");
  buffer_.clear();
}

void TraceWriter::finish() {
  flush();
  if (!sink_->close()) cannot(partial_path_, "cannot be written to its end");
  if (std::rename(partial_path_.c_str(), path_.c_str()) != 0) cannot(path_, "cannot be replaced");
  finished_ = true;
}

}  // namespace tracebed
