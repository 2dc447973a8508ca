#include "kernels/spills.h"

#include <algorithm>

namespace tracebed::kernels {
namespace {

class SpillSource final : public ByteSource {
 public:
  SpillSource(SpillStore& store, std::size_t spill, RunExtent extent)
      : store_(store), spill_(spill), unread_(extent) {}

  std::string name() const override { return "spill " + std::to_string(spill_); }

  Result<std::size_t> read(std::span<std::byte> to) override {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), unread_.bytes));
    if (count == 0) return count;
    if (const Status read = store_.read(spill_, unread_.offset, to.first(count)); !read) {
      return read.error();
    }
    unread_.offset += count;
    unread_.bytes -= count;
    return count;
  }

 private:
  SpillStore& store_;
  std::size_t spill_;
  RunExtent unread_;
};

}  // namespace

class Spills::Sink final : public ByteSink {
 public:
  Sink(Spills& spills, std::size_t spill) : spills_(spills), spill_(spill) {}

  Status write(Bytes bytes) override {
    spills_.counters_.bytes += bytes.size();
    return spills_.store_.append(spill_, bytes);
  }

 private:
  Spills& spills_;
  std::size_t spill_;
};

std::size_t Spills::begin() {
  return counters_.spills++;
}

std::unique_ptr<ByteSink> Spills::sink(std::size_t spill) {
  return std::make_unique<Sink>(*this, spill);
}

std::unique_ptr<ByteSource> Spills::source(std::size_t spill, RunExtent extent) const {
  return std::make_unique<SpillSource>(store_, spill, extent);
}

}  // namespace tracebed::kernels
