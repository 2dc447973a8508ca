#include "agents/shuffle/output_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unistd.h>
#include <utility>

#include "agents/shuffle/output_format.h"
#include "core/check.h"
#include "protocol/hdfs/chunk_checksums.h"

namespace tracebed {
namespace {

using shuffle::OutputStatus;

constexpr std::size_t block_bytes = output_block_bytes;
// What is written at once, and read at once: a chunk may begin and end within a block.
constexpr std::size_t draft_blocks = shuffle::chunk_bytes_max / block_bytes;
constexpr std::size_t read_blocks = draft_blocks + 1;

OutputDone write_all(int file, shuffle::Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return output_failure(errno, "writing an output");
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return std::monostate{};
}

OutputDone read_all(int file, std::uint64_t at, std::span<std::byte> out) {
  while (!out.empty()) {
    const ssize_t count = ::pread(file, out.data(), out.size(), static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return output_failure(errno, "reading an output");
    if (count == 0) return OutputFailure{OutputStatus::damaged, "an output became shorter"};
    out = out.subspan(static_cast<std::size_t>(count));
    at += static_cast<std::uint64_t>(count);
  }
  return std::monostate{};
}

}  // namespace

OutputDraft::OutputDraft(std::unique_ptr<OutputPlace> place, FileDescriptor file)
    : place_(std::move(place)),
      file_(std::move(file)),
      kept_(std::make_unique_for_overwrite<std::byte[]>(draft_blocks * summed_block_bytes)) {}

std::size_t OutputDraft::free_bytes() const {
  return block_begin_ + block_bytes - kept_bytes_;
}

void OutputDraft::end_block() {
  const shuffle::Bytes block(kept_.get() + block_begin_, kept_bytes_ - block_begin_);
  const std::uint32_t sum = hdfs::crc32c(block);
  std::memcpy(kept_.get() + kept_bytes_, &sum, sizeof(sum));
  kept_bytes_ += sizeof(sum);
  block_begin_ = kept_bytes_;
}

OutputDone OutputDraft::flush() {
  const shuffle::Bytes kept(kept_.get(), kept_bytes_);
  kept_bytes_ = block_begin_ = 0;
  return write_all(file_.number(), kept);
}

OutputDone OutputDraft::write(shuffle::Bytes bytes) {
  crc_ = hdfs::continued_crc32c(crc_, bytes);
  length_ += bytes.size();
  while (!bytes.empty()) {
    const shuffle::Bytes part = bytes.first(std::min(bytes.size(), free_bytes()));
    std::copy(part.begin(), part.end(), kept_.get() + kept_bytes_);
    kept_bytes_ += part.size();
    bytes = bytes.subspan(part.size());
    if (free_bytes() > 0) continue;
    end_block();
    if (kept_bytes_ < draft_blocks * summed_block_bytes) continue;
    if (OutputDone done = flush(); !done) return done;
  }
  return std::monostate{};
}

OutputDone OutputDraft::commit(std::uint64_t length, std::uint32_t crc) {
  if (length != length_ || crc != crc_) {
    return OutputFailure{OutputStatus::differs, "the output is not what was put"};
  }
  if (kept_bytes_ > block_begin_) end_block();
  if (OutputDone done = flush(); !done) return done;
  OutputTrailer trailer;
  trailer.length = length;
  trailer.crc = crc;
  trailer.own_crc = trailer.right_own_crc();
  const auto bytes = std::as_bytes(std::span(&trailer, std::size_t{1}));
  if (OutputDone done = write_all(file_.number(), bytes); !done) return done;
  return place_->publish(std::move(file_), length);
}

StoredOutput::StoredOutput(FileDescriptor file, std::uint64_t length)
    : file_(std::move(file)), length_(length) {}

OutputDone StoredOutput::read(std::uint64_t offset, std::span<std::byte> out) {
  TRACEBED_CHECK(!out.empty() && out.size() <= shuffle::chunk_bytes_max && offset <= length_ &&
                     out.size() <= length_ - offset,
                 "what is read is a part of the output");
  const std::uint64_t first = offset / block_bytes;
  const std::uint64_t end = (offset + out.size() + block_bytes - 1) / block_bytes;
  const std::uint64_t data_end = std::min(end * block_bytes, length_);
  const std::size_t bytes = static_cast<std::size_t>(data_end - first * block_bytes) +
                            static_cast<std::size_t>(end - first) * sum_bytes;
  if (blocks_ == nullptr) {
    // The whole of a small output is enough for all that is read of it.
    const std::uint64_t most =
        std::min<std::uint64_t>(blocks_bytes(length_), read_blocks * summed_block_bytes);
    blocks_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(most));
  }
  const std::span<std::byte> blocks(blocks_.get(), bytes);
  if (OutputDone done = read_all(file_.number(), first * summed_block_bytes, blocks); !done) {
    return done;
  }
  std::size_t skipped = static_cast<std::size_t>(offset - first * block_bytes);
  std::span<std::byte> rest = blocks;
  while (!rest.empty()) {
    const std::size_t size = std::min(rest.size() - sum_bytes, block_bytes);
    const shuffle::Bytes block = rest.first(size);
    std::uint32_t sum = 0;
    std::memcpy(&sum, rest.data() + size, sizeof(sum));
    if (hdfs::crc32c(block) != sum) {
      return OutputFailure{OutputStatus::damaged, "an output differs from its checksums"};
    }
    const shuffle::Bytes wanted = block.subspan(skipped, std::min(size - skipped, out.size()));
    std::copy(wanted.begin(), wanted.end(), out.begin());
    out = out.subspan(wanted.size());
    skipped = 0;
    rest = rest.subspan(size + sum_bytes);
  }
  return std::monostate{};
}

}  // namespace tracebed
