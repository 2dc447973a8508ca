#include "report/byte_output.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

#include "core/input_error.h"
#include "system/file_descriptor.h"
#include "system/zstd_stream.h"

namespace tracebed {
namespace {

class CreatedFile final : public ByteOutput {
 public:
  CreatedFile(std::filesystem::path path, std::function<void(const FileChecksum&)> closed)
      : path_(std::move(path)),
        file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)),
        closed_(std::move(closed)) {
    if (!file_.is_open()) fail("cannot create {}: {}");
  }

  void write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t written = ::write(file_.number(), bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("cannot write to {}: {}");
      const auto count = static_cast<std::size_t>(written);
      if (closed_) checksum_.add(bytes.substr(0, count));
      bytes.remove_prefix(count);
    }
  }

  void close() override {
    if (::close(file_.release()) != 0) fail("cannot finish writing {}: {}");
    if (closed_) closed_(checksum_.checksum());
  }

 private:
  [[noreturn]] void fail(fmt::format_string<std::string, std::string> what) const {
    throw EnvironmentError(fmt::format(what, path_.string(), error_text(errno)));
  }

  std::filesystem::path path_;
  FileDescriptor file_;
  std::function<void(const FileChecksum&)> closed_;
  ChecksumBuilder checksum_;
};

class CompressedOutput final : public ByteOutput {
 public:
  explicit CompressedOutput(std::unique_ptr<ByteOutput> to)
      : to_(std::move(to)), compressor_([this](std::string_view bytes) { to_->write(bytes); }) {}

  void write(std::string_view bytes) override { compressor_.add(bytes); }
  void close() override {
    compressor_.finish();
    to_->close();
  }

 private:
  std::unique_ptr<ByteOutput> to_;
  ZstdCompressor compressor_;
};

}  // namespace

std::unique_ptr<ByteOutput> create_file(const std::filesystem::path& path,
                                        std::function<void(const FileChecksum&)> closed) {
  return std::make_unique<CreatedFile>(path, std::move(closed));
}

std::unique_ptr<ByteOutput> compressed(std::unique_ptr<ByteOutput> to) {
  return std::make_unique<CompressedOutput>(std::move(to));
}

}  // namespace tracebed
