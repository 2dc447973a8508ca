// Sources, sinks and spills in memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/check.h"
#include "kernels/streams.h"

namespace tracebed::kernels::test {

class MemorySink final : public ByteSink {
 public:
  Status write(Bytes bytes) override {
    append(written, bytes);
    return success();
  }

  Buffer written;
};

// At most `read_bytes_max` bytes at a time. What it reads outlives it.
class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string name, Bytes unread, std::size_t read_bytes_max = 65'536)
      : name_(std::move(name)), unread_(unread), read_bytes_max_(read_bytes_max) {}

  std::string name() const override { return name_; }
  Result<std::size_t> read(std::span<std::byte> to) override {
    const std::size_t count = std::min({to.size(), unread_.size(), read_bytes_max_});
    std::copy_n(unread_.begin(), count, to.begin());
    unread_ = unread_.subspan(count);
    return count;
  }

 private:
  std::string name_;
  Bytes unread_;
  std::size_t read_bytes_max_;
};

class MemorySpills final : public SpillStore {
 public:
  Status append(std::size_t run, Bytes bytes) override {
    TRACEBED_CHECK(!written || *written == run, "one run is written at a time");
    TRACEBED_CHECK(!finished.contains(run), "what is finished does not grow");
    written = run;
    runs.resize(std::max(runs.size(), run + 1));
    kernels::append(runs[run], bytes);
    return success();
  }
  Status finish(std::size_t run) override {
    TRACEBED_CHECK(finished.insert(run).second, "a run is finished once");
    written.reset();
    return success();
  }
  Status read(std::size_t run, std::uint64_t offset, std::span<std::byte> to) override {
    TRACEBED_CHECK(finished.contains(run), "what is read is finished");
    const Bytes found = Bytes(runs.at(run)).subspan(offset, to.size());
    std::copy(found.begin(), found.end(), to.begin());
    return success();
  }

  std::vector<Buffer> runs;
  std::optional<std::size_t> written;
  std::set<std::size_t> finished;
};

}  // namespace tracebed::kernels::test
