#include "traces/parts/witnessed_bytes.h"

#include <algorithm>
#include <vector>

#include "traces/parts/streams.h"

namespace tracebed {
namespace {

// Verifies a block before it hands out its first byte.
class WitnessedBytes : public ByteSource {
 public:
  WitnessedBytes(std::string path, std::unique_ptr<ByteSource> source, InputWitness& witness)
      : path_(std::move(path)), source_(std::move(source)), witness_(witness) {}

  std::size_t read(std::span<char> room) override {
    if (begin_ == end_ && !fill()) return 0;
    const std::size_t count = std::min(room.size(), end_ - begin_);
    std::copy_n(buffer_.data() + begin_, count, room.data());
    begin_ += count;
    return count;
  }
  const std::string& defect() const override { return source_->defect(); }

 private:
  bool fill() {
    if (has_ended_) return false;
    buffer_.resize(InputWitness::block_bytes);
    begin_ = end_ = 0;
    while (end_ < buffer_.size()) {
      const std::size_t count = source_->read(std::span(buffer_).subspan(end_));
      if (count == 0) break;
      end_ += count;
    }
    has_ended_ = end_ < buffer_.size();
    // A block of which a part could not be read is none.
    if (!source_->defect().empty()) end_ = 0;
    if (end_ > 0) witness_.check_block(path_, position_, {buffer_.data(), end_});
    position_ += end_;
    if (has_ended_) witness_.check_end(path_, position_);
    return end_ > 0;
  }

  std::string path_;
  std::unique_ptr<ByteSource> source_;
  InputWitness& witness_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t position_ = 0;  // of the next block
  bool has_ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> open_witnessed(const std::string& path, InputWitness* witness) {
  std::unique_ptr<ByteSource> bytes = open_file(path);
  // What a pipe has had is gone: nothing reads it twice.
  if (witness == nullptr || is_stream(path)) return bytes;
  return std::make_unique<WitnessedBytes>(path, std::move(bytes), *witness);
}

}  // namespace tracebed
