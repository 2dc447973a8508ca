#include "report/row_bytes.h"

#include <algorithm>
#include <vector>

#include "core/check.h"
#include "system/file_window.h"
#include "system/zstd_stream.h"

namespace tracebed {
namespace {

class PlainRows final : public RowBytes {
 public:
  PlainRows(const std::filesystem::path& path, InputWitness* witness) : file_(path, witness) {}

  std::string_view part(std::uint64_t begin, std::size_t count) override {
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(count, file_.size() - begin));
    const std::span<const std::byte> there = file_.bytes(begin, size);
    end_ = begin + size;
    return {reinterpret_cast<const char*>(there.data()), there.size()};
  }
  bool is_at_end() const override { return end_ == file_.size(); }

 private:
  FileWindow file_;
  std::uint64_t end_ = 0;  // of the last part
};

class CompressedRows final : public RowBytes {
 public:
  CompressedRows(const std::filesystem::path& path, InputWitness* witness) : file_(path, witness) {}

  std::string_view part(std::uint64_t begin, std::size_t count) override {
    TRACEBED_CHECK(begin >= begin_ && begin <= begin_ + filled_,
                   "compressed rows are read from front to back");
    const auto used = static_cast<std::size_t>(begin - begin_);
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(used),
              buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), buffer_.begin());
    begin_ = begin;
    filled_ -= used;
    // A byte more tells whether the file ends behind the part.
    buffer_.resize(std::max(buffer_.size(), count + 1));
    const std::size_t before = filled_;
    is_at_end_ = false;
    try {
      while (filled_ < count + 1 && !is_at_end_) {
        const std::size_t came = file_.read(std::span(buffer_).subspan(filled_));
        filled_ += came;
        is_at_end_ = came == 0;
      }
    } catch (const TruncatedFile&) {
      // What comes before it is returned first.
      if (filled_ == 0 || (used == 0 && filled_ == before)) throw;
    }
    return {buffer_.data(), std::min(filled_, count)};
  }
  bool is_at_end() const override { return is_at_end_; }

 private:
  ZstdFile file_;
  std::vector<char> buffer_;
  std::uint64_t begin_ = 0;  // of the buffer, in what the file decompresses to
  std::size_t filled_ = 0;
  bool is_at_end_ = false;
};

}  // namespace

std::unique_ptr<RowBytes> open_rows(const std::filesystem::path& path, InputWitness* witness) {
  if (path.extension() == compressed_suffix) {
    return std::make_unique<CompressedRows>(path, witness);
  }
  return std::make_unique<PlainRows>(path, witness);
}

}  // namespace tracebed
