#include "traces/parts/byte_source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>
#include <zlib.h>
#include <zstd.h>

#include "core/check.h"
#include "core/input_error.h"
#include "system/output_file.h"

namespace tracebed {
namespace {

constexpr std::size_t chunk_bytes = 1 << 16;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

class FileBytes : public ByteSource {
 public:
  explicit FileBytes(const std::string& path) : file_(open(path)) {
    if (!file_)
      throw InputError(
          fmt::format("{}: cannot be opened: {}", path, std::generic_category().message(errno)));
    struct stat status {};
    if (fstat(fileno(file_.get()), &status) == 0 && S_ISDIR(status.st_mode)) {
      throw InputError(path + ": expected a trace file, got a directory");
    }
    std::setvbuf(file_.get(), nullptr, _IONBF, 0);  // the reader above has a buffer of its own
  }

  std::size_t read(std::span<char> room) override {
    const std::size_t count = std::fread(room.data(), 1, room.size(), file_.get());
    if (count < room.size() && std::ferror(file_.get()) && defect_.empty()) {
      defect_ = fmt::format("the file cannot be read further: {}",
                            std::generic_category().message(errno));
    }
    return count;
  }
  const std::string& defect() const override { return defect_; }

 private:
  static std::FILE* open(const std::string& path) {
    if (path != standard_stream) return std::fopen(path.c_str(), "rbe");
    FileDescriptor copy(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
    std::FILE* const file = copy.is_open() ? fdopen(copy.number(), "rb") : nullptr;
    if (file != nullptr) static_cast<void>(copy.release());
    return file;
  }

  std::unique_ptr<std::FILE, CloseFile> file_;
  std::string defect_;
};

class MemoryBytes : public ByteSource {
 public:
  explicit MemoryBytes(std::string_view bytes) : rest_(bytes) {}
  std::size_t read(std::span<char> room) override {
    const std::size_t count = std::min(room.size(), rest_.size());
    std::copy_n(rest_.data(), count, room.data());
    rest_.remove_prefix(count);
    return count;
  }
  const std::string& defect() const override { return defect_; }

 private:
  std::string_view rest_;
  std::string defect_;
};

// A chunk of input ahead of whoever consumes it.
class Lookahead {
 public:
  explicit Lookahead(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), buffer_(chunk_bytes) {}

  // What is at hand; reads more only if that is nothing. Empty at the end.
  std::span<char> available() {
    if (begin_ == end_) {
      begin_ = 0;
      end_ = source_->read(buffer_);
    }
    return std::span(buffer_).subspan(begin_, end_ - begin_);
  }
  // At least `count` bytes at hand unless the source ends before.
  std::string_view peek(std::size_t count) {
    available();
    while (end_ - begin_ < count) {
      std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
                buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
      end_ -= begin_;
      begin_ = 0;
      const std::size_t more = source_->read(std::span(buffer_).subspan(end_));
      if (more == 0) break;
      end_ += more;
    }
    return {buffer_.data() + begin_, end_ - begin_};
  }
  void consume(std::size_t count) { begin_ += count; }
  // What is at hand, and once that is used up straight from the source.
  std::size_t read(std::span<char> room) {
    if (begin_ == end_) return source_->read(room);
    const std::size_t count = std::min(room.size(), end_ - begin_);
    std::copy_n(buffer_.data() + begin_, count, room.data());
    begin_ += count;
    return count;
  }
  const std::string& defect() const { return source_->defect(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

class PlainBytes : public ByteSource {
 public:
  explicit PlainBytes(Lookahead input) : input_(std::move(input)) {}
  std::size_t read(std::span<char> room) override { return input_.read(room); }
  const std::string& defect() const override { return input_.defect(); }

 private:
  Lookahead input_;
};

bool starts_with(std::string_view bytes, std::initializer_list<unsigned char> magic) {
  return bytes.size() >= magic.size() &&
         std::equal(magic.begin(), magic.end(), bytes.begin(),
                    [](unsigned char a, char b) { return a == static_cast<unsigned char>(b); });
}
bool is_gzip(std::string_view bytes) {
  return starts_with(bytes, {0x1F, 0x8B});
}
bool is_zstd(std::string_view bytes) {
  return starts_with(bytes, {0x28, 0xB5, 0x2F, 0xFD});
}

// One or more gzip members, as gzip itself reads them; zero bytes after the last one are padding.
class GzipBytes : public ByteSource {
 public:
  explicit GzipBytes(Lookahead input) : input_(std::move(input)) {
    constexpr int gzip_only = 16 + MAX_WBITS;
    TRACEBED_CHECK(inflateInit2(&stream_, gzip_only) == Z_OK, "zlib can start a stream");
  }
  ~GzipBytes() override { inflateEnd(&stream_); }
  GzipBytes(const GzipBytes&) = delete;
  GzipBytes& operator=(const GzipBytes&) = delete;

  std::size_t read(std::span<char> room) override {
    std::size_t filled = 0;
    while (filled == 0 && defect_.empty()) {
      if (!inside_member_ && !begin_member()) break;
      filled = inflate_some(room);
    }
    return filled;
  }
  const std::string& defect() const override { return defect_; }
  std::string_view compression() const override { return "gzip"; }

 private:
  bool begin_member() {
    if (!first_member_) {
      while (!input_.available().empty() && input_.available().front() == 0) input_.consume(1);
    }
    const std::string_view next = input_.peek(2);
    if (next.empty()) return false;
    if (!is_gzip(next)) {
      defect_ = "other bytes follow the end of the gzip data";
      return false;
    }
    inflateReset(&stream_);
    first_member_ = false;
    inside_member_ = true;
    return true;
  }

  std::size_t inflate_some(std::span<char> room) {
    const std::span<char> available = input_.available();
    if (available.empty()) {
      defect_ = input_.defect().empty() ? "the gzip data ends early: the file is truncated"
                                        : input_.defect();
      return 0;
    }
    stream_.next_in = reinterpret_cast<Bytef*>(available.data());
    stream_.avail_in = static_cast<uInt>(available.size());
    stream_.next_out = reinterpret_cast<Bytef*>(room.data());
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(room.size(), 1U << 30));
    const uInt room_before = stream_.avail_out;
    const int outcome = inflate(&stream_, Z_NO_FLUSH);
    input_.consume(available.size() - stream_.avail_in);
    if (outcome == Z_STREAM_END) {
      inside_member_ = false;
    } else if (outcome != Z_OK && outcome != Z_BUF_ERROR) {
      defect_ = fmt::format("the gzip data is damaged: {}",
                            stream_.msg != nullptr ? stream_.msg : "zlib gives no reason");
    }
    return room_before - stream_.avail_out;
  }

  Lookahead input_;
  z_stream stream_{};
  bool inside_member_ = false;
  bool first_member_ = true;
  std::string defect_;
};

struct FreeZstd {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

class ZstdBytes : public ByteSource {
 public:
  explicit ZstdBytes(Lookahead input) : input_(std::move(input)), context_(ZSTD_createDCtx()) {
    TRACEBED_CHECK(context_ != nullptr, "zstd can start a stream");
    // The default window limit of 128 MiB stays: memory is bounded whatever the frame asks for.
  }

  std::size_t read(std::span<char> room) override {
    ZSTD_outBuffer out{room.data(), room.size(), 0};
    while (out.pos == 0 && defect_.empty()) {
      const std::span<char> available = input_.available();
      if (available.empty() && frame_done_) break;
      ZSTD_inBuffer in{available.data(), available.size(), 0};
      const std::size_t outcome = ZSTD_decompressStream(context_.get(), &out, &in);
      input_.consume(in.pos);
      if (ZSTD_isError(outcome) != 0) {
        defect_ = fmt::format("the zstd data is damaged: {}", ZSTD_getErrorName(outcome));
      } else if (available.empty() && out.pos == 0) {
        defect_ = input_.defect().empty() ? "the zstd data ends early: the file is truncated"
                                          : input_.defect();
      } else {
        frame_done_ = outcome == 0;
      }
    }
    return out.pos;
  }
  const std::string& defect() const override { return defect_; }
  std::string_view compression() const override { return "zstd"; }

 private:
  Lookahead input_;
  std::unique_ptr<ZSTD_DCtx, FreeZstd> context_;
  bool frame_done_ = false;
  std::string defect_;
};

}  // namespace

bool is_no_text(std::string_view head) {
  const std::string_view mark = head.substr(0, 4);
  const auto is_control = [](unsigned char byte) {
    return byte == 0x7F || (byte < 0x20 && (byte < '\t' || byte > '\r'));
  };
  if (std::any_of(mark.begin(), mark.end(), is_control)) return true;
  constexpr std::string_view zstd_mark = "\x28\xB5\x2F\xFD";
  std::size_t equal = 0;
  for (std::size_t i = 0; i < mark.size(); ++i) equal += mark[i] == zstd_mark[i] ? 1U : 0U;
  const bool is_cut_off = mark.size() > 1 && equal == mark.size();
  return is_cut_off || equal + 1 >= zstd_mark.size();
}

std::unique_ptr<ByteSource> open_file(const std::string& path) {
  return std::make_unique<FileBytes>(path);
}

std::unique_ptr<ByteSource> bytes_in_memory(std::string_view bytes) {
  return std::make_unique<MemoryBytes>(bytes);
}

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source) {
  Lookahead input(std::move(source));
  const std::string_view magic = input.peek(4);
  if (is_gzip(magic)) return std::make_unique<GzipBytes>(std::move(input));
  if (is_zstd(magic)) return std::make_unique<ZstdBytes>(std::move(input));
  return std::make_unique<PlainBytes>(std::move(input));
}

}  // namespace tracebed
