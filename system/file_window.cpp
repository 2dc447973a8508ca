#include "system/file_window.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/check.h"
#include "core/input_error.h"
#include "system/input_witness.h"
#include "system/regular_file.h"

namespace tracebed {
namespace {

constexpr std::uint64_t block_bytes = InputWitness::block_bytes;

}  // namespace

FileWindow::FileWindow(const std::filesystem::path& path, InputWitness* witness)
    : path_(path.string()), witness_(witness) {
  const auto fail = [&](const std::string& reason) {
    throw InputError("cannot read " + path_ + ": " + reason);
  };
  Result<FileDescriptor> file = open_regular_file(path);
  if (!file) fail(file.error().message);
  file_ = std::move(*file);
  struct stat status = {};
  if (::fstat(file_.number(), &status) != 0) fail(error_text(errno));
  size_ = static_cast<std::uint64_t>(status.st_size);
  if (witness_ != nullptr) witness_->check_end(path_, size_);
}

std::span<const std::byte> FileWindow::bytes(std::uint64_t position, std::size_t count) {
  TRACEBED_CHECK(position <= size_ && count <= size_ - position, "the bytes are in the file");
  const std::uint64_t begin = position / block_bytes * block_bytes;
  const std::uint64_t end =
      std::min(size_, (position + count + block_bytes - 1) / block_bytes * block_bytes);
  // What is there of it, which whole blocks begin.
  std::size_t kept = 0;
  if (begin >= begin_ && begin < begin_ + filled_) {
    kept = static_cast<std::size_t>(begin_ + filled_ - begin);
    if (begin > begin_) {
      std::memmove(buffer_.data(), buffer_.data() + static_cast<std::size_t>(begin - begin_), kept);
    }
  }
  begin_ = begin;
  filled_ = kept;
  const auto needed = static_cast<std::size_t>(end - begin);
  if (buffer_.size() < needed) buffer_.resize(needed);
  while (filled_ < needed) {
    const std::size_t size = std::min<std::size_t>(block_bytes, needed - filled_);
    read_block(std::span(buffer_).subspan(filled_, size), begin_ + filled_);
    filled_ += size;
  }
  return std::span(buffer_).subspan(static_cast<std::size_t>(position - begin), count);
}

void FileWindow::read_block(std::span<std::byte> block, std::uint64_t position) {
  std::size_t filled = 0;
  while (filled < block.size()) {
    const ssize_t count = ::pread(file_.number(), block.data() + filled, block.size() - filled,
                                  static_cast<off_t>(position + filled));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw InputError("cannot read " + path_ + ": " + error_text(errno));
    if (count == 0) {
      throw InputError(fmt::format("{}: changed while it was in use: expected {} bytes, got {}",
                                   path_, size_, position + filled));
    }
    filled += static_cast<std::size_t>(count);
  }
  if (witness_ == nullptr) return;
  witness_->check_block(path_, position,
                        {reinterpret_cast<const char*>(block.data()), block.size()});
}

}  // namespace tracebed
