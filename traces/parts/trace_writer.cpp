#include "traces/parts/trace_writer.h"

#include <array>
#include <zlib.h>

#include "core/check.h"

namespace tracebed {
namespace {

constexpr std::size_t buffer_bytes = 1 << 18;

}  // namespace

// One gzip member.
class TraceWriter::Deflater {
 public:
  Deflater() {
    constexpr int level = 6;
    constexpr int gzip_window = 16 + MAX_WBITS;
    constexpr int memory_level = 8;
    TRACEBED_CHECK(deflateInit2(&stream_, level, Z_DEFLATED, gzip_window, memory_level,
                                Z_DEFAULT_STRATEGY) == Z_OK,
                   "zlib can start a stream");
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  // `text` is at most buffer_bytes, or a little more.
  void write(std::string_view text, bool is_last, OutputFile& file) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream_.avail_in = static_cast<uInt>(text.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(room_.data());
      stream_.avail_out = static_cast<uInt>(room_.size());
      TRACEBED_CHECK(deflate(&stream_, is_last ? Z_FINISH : Z_NO_FLUSH) != Z_STREAM_ERROR,
                     "zlib's stream is in order");
      file.write({room_.data(), room_.size() - stream_.avail_out});
    } while (stream_.avail_out == 0);
  }

 private:
  z_stream stream_{};
  std::array<char, 1 << 16> room_;
};

TraceWriter::TraceWriter(const std::string& path)
    : file_(path), deflater_(path.ends_with(".gz") ? std::make_unique<Deflater>() : nullptr) {
  buffer_.reserve(buffer_bytes);
}

TraceWriter::~TraceWriter() = default;

void TraceWriter::write(std::string_view text) {
  if (buffer_.size() + text.size() > buffer_bytes) flush();
  buffer_ += text;
  bytes_ += text.size();
}

void TraceWriter::flush() {
  if (deflater_) {
    deflater_->write(buffer_, false, file_);
  } else {
    file_.write(buffer_);
  }
  buffer_.clear();
}

void TraceWriter::finish() {
  flush();
  if (deflater_) deflater_->write({}, true, file_);
  file_.finish();
}

}  // namespace tracebed
