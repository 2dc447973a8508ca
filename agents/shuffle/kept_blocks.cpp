#include "agents/shuffle/kept_blocks.h"

#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <sys/mman.h>

#include "agents/shuffle/output_format.h"
#include "core/check.h"

namespace tracebed {
namespace {

using shuffle::OutputStatus;

std::uint64_t room_of_draft(const shuffle::InputBlock& block) {
  return block.length + shuffle::bytes_behind_block_max;
}

}  // namespace

// A draft's, with the room that was set aside for it.
class KeptBlocks::Place final : public OutputPlace {
 public:
  Place(KeptBlocks& blocks, const shuffle::Keep& keep) : blocks_(blocks), keep_(keep) {}
  ~Place() override { blocks_.give_back(room_of_draft(keep_.block)); }

  OutputDone publish(FileDescriptor file, std::uint64_t length) override {
    return blocks_.publish(keep_, std::move(file), length);
  }

 private:
  KeptBlocks& blocks_;
  shuffle::Keep keep_;
};

std::uint64_t KeptBlocks::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void KeptBlocks::give_back(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  TRACEBED_CHECK(bytes_ >= bytes && drafts_ > 0, "a draft's room was set aside");
  bytes_ -= bytes;
  --drafts_;
}

OutputResult<OutputDraft> KeptBlocks::create(const shuffle::Keep& keep) {
  {
    const std::lock_guard lock(mutex_);
    if (removed_.contains(keep.job)) {
      return OutputFailure{OutputStatus::unknown_output, "the job was removed"};
    }
    const std::uint64_t bytes = room_of_draft(keep.block);
    if (bytes > bytes_max_ || bytes_ > bytes_max_ - bytes ||
        blocks_.size() + drafts_ >= blocks_max) {
      return OutputFailure{OutputStatus::no_space, "the machine keeps no more"};
    }
    const auto store = stores_.find({keep.job, keep.executor});
    const bool is_kept = store != stores_.end() && store->second.contains(of_file(keep.block));
    const MemoryStore<BlockOfFile> empty;
    const MemoryStore<BlockOfFile>& own = store != stores_.end() ? store->second : empty;
    if (!is_kept &&
        !own.has_room_for(of_file(keep.block), static_cast<std::int64_t>(keep.block.length),
                          static_cast<std::int64_t>(keep.executor_bytes))) {
      return OutputFailure{OutputStatus::no_space, "the executor keeps no more"};
    }
    bytes_ += bytes;
    ++drafts_;
  }
  auto place = std::make_unique<Place>(*this, keep);
  FileDescriptor file(memfd_create("tracebed-input", MFD_CLOEXEC));
  if (!file.is_open()) {
    OutputFailure failure = output_failure(errno, "creating a file in memory");
    failure.status = OutputStatus::no_space;
    return failure;
  }
  return OutputDraft(std::move(place), std::move(file));
}

OutputDone KeptBlocks::publish(const shuffle::Keep& keep, FileDescriptor file,
                               std::uint64_t length) {
  const std::lock_guard lock(mutex_);
  if (removed_.contains(keep.job)) {
    return OutputFailure{OutputStatus::unknown_output, "the job was removed"};
  }
  const Key key{keep.job, of_file(keep.block), keep.executor};
  MemoryStore<BlockOfFile>& store = stores_[{keep.job, keep.executor}];
  if (store.contains(key.block)) {
    store.erase(key.block);
    drop(key);
  }
  const auto dropped = store.put(key.block, static_cast<std::int64_t>(key.block.length),
                                 static_cast<std::int64_t>(keep.executor_bytes));
  if (!dropped) {
    // Whoever names many executors does not leave one of each behind.
    if (store.empty()) stores_.erase({keep.job, keep.executor});
    return OutputFailure{OutputStatus::no_space, "the executor keeps no more"};
  }
  for (const BlockOfFile& other : *dropped) drop({keep.job, other, keep.executor});
  blocks_.emplace(key, Kept{std::move(file), length});
  bytes_ += length;
  return std::monostate{};
}

void KeptBlocks::drop(const Key& key) {
  const auto kept = blocks_.find(key);
  TRACEBED_CHECK(kept != blocks_.end(), "a block of an executor is kept");
  bytes_ -= kept->second.length;
  blocks_.erase(kept);
}

OutputResult<StoredOutput> KeptBlocks::open(std::uint32_t job, const shuffle::InputBlock& block) {
  const std::lock_guard lock(mutex_);
  const auto kept = blocks_.lower_bound({job, of_file(block), 0});
  if (kept == blocks_.end() || kept->first.job != job || kept->first.block != of_file(block)) {
    return OutputFailure{OutputStatus::unknown_output, "no executor has kept the block"};
  }
  FileDescriptor file(fcntl(kept->second.file.number(), F_DUPFD_CLOEXEC, 0));
  if (!file.is_open()) return output_failure(errno, "opening a kept block");
  stores_.at({job, kept->first.executor}).use(kept->first.block);
  return StoredOutput(std::move(file), kept->second.length);
}

void KeptBlocks::remove_job(std::uint32_t job) {
  const std::lock_guard lock(mutex_);
  removed_.insert(job);
  std::erase_if(stores_, [&](const auto& entry) { return entry.first.first == job; });
  std::erase_if(blocks_, [&](const auto& entry) {
    if (entry.first.job != job) return false;
    bytes_ -= entry.second.length;
    return true;
  });
}

}  // namespace tracebed
