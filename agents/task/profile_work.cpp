#include "agents/task/profile_work.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <system_error>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <vector>

#include "core/mebibyte.h"

namespace tracebed {
namespace {

constexpr std::int64_t slice_us = 10'000;
constexpr std::int64_t late_wake_up_ns_max = 200'000;

// The mapped profile; empty if the reserve covers it.
class TouchedMemory {
 public:
  TouchedMemory(std::int64_t memory_mib, const StopOrder& stop)
      : bytes_(static_cast<std::size_t>(std::max<std::int64_t>(
            memory_mib * mebibyte - 2 * mebibyte - memory_mib * mebibyte / 256, 0))),
        page_bytes_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    if (bytes_ == 0) return;
    start_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start_ == MAP_FAILED) {
      error_ = errno;
      return;
    }
    for (std::size_t at = 0; at < bytes_ && !stop.has_come(); at += page_bytes_) page(at) = 1;
  }
  ~TouchedMemory() {
    if (bytes_ > 0 && error_ == 0) munmap(start_, bytes_);
  }
  TouchedMemory(const TouchedMemory&) = delete;
  TouchedMemory& operator=(const TouchedMemory&) = delete;

  int error() const { return error_; }
  // One byte of the `step`-th page, round and round.
  std::uint64_t visit(std::uint64_t step) const {
    if (bytes_ == 0) return step;
    const std::size_t pages = (bytes_ + page_bytes_ - 1) / page_bytes_;
    return static_cast<unsigned char>(page(step % pages * page_bytes_));
  }

 private:
  volatile char& page(std::size_t offset) const { return static_cast<char*>(start_)[offset]; }

  std::size_t bytes_;
  std::size_t page_bytes_;
  void* start_ = nullptr;
  int error_ = 0;
};

// Address space that nothing is kept in.
class ReservedSpace {
 public:
  explicit ReservedSpace(std::int64_t size_mib)
      : bytes_(static_cast<std::size_t>(std::max<std::int64_t>(size_mib, 0) * mebibyte)) {
    if (bytes_ == 0) return;
    start_ = mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start_ == MAP_FAILED) error_ = errno;
  }
  ~ReservedSpace() {
    if (bytes_ > 0 && error_ == 0) munmap(start_, bytes_);
  }
  ReservedSpace(const ReservedSpace&) = delete;
  ReservedSpace& operator=(const ReservedSpace&) = delete;

  int error() const { return error_; }

 private:
  std::size_t bytes_;
  void* start_ = nullptr;
  int error_ = 0;
};

// What a task has mapped, from the begin of its work to its end.
struct Mappings {
  ReservedSpace reserved;
  TouchedMemory touched;

  Mappings(const TaskWork& work, const StopOrder& stop)
      : reserved(work.virtual_memory_mib - work.memory_mib), touched(work.memory_mib, stop) {}

  Status status(const TaskWork& work) const {
    if (reserved.error() != 0) {
      return Error{"virtual memory of " + std::to_string(work.virtual_memory_mib) +
                   " MiB cannot be allocated: " + std::strerror(reserved.error())};
    }
    if (touched.error() == 0) return success();
    return Error{"memory of " + std::to_string(work.memory_mib) +
                 " MiB cannot be allocated: " + std::strerror(touched.error())};
  }
};

// Some 10 us of arithmetic that the compiler cannot foresee.
std::uint64_t compute(std::uint64_t value) {
  for (int i = 0; i < 4'000; ++i) {
    value ^= value << 13;
    value ^= value >> 7;
    value ^= value << 17;
  }
  return value;
}

__extension__ using Wide = __int128;

std::uint32_t part_done(std::int64_t done, std::int64_t total) {
  if (done >= total) return whole_work;
  return static_cast<std::uint32_t>(Wide{done} * whole_work / total);
}

// What each thread is to do.
struct Share {
  std::int64_t cpu_ns = 0;   // where its CPU clock is to stand
  std::int64_t wait_ns = 0;  // in all
};

// Does a share, and says how much of it is done in millionths.
std::uint32_t do_share(const Share& share, const TouchedMemory& memory, const StopOrder& stop) {
  const std::int64_t slices =
      std::max<std::int64_t>((share.cpu_ns + share.wait_ns) / (slice_us * 1'000), 1);
  const auto part = [&](std::int64_t total, std::int64_t k) {
    return static_cast<std::int64_t>(Wide{total} * k / slices);
  };
  std::int64_t waited_ns = 0;
  std::uint64_t step = 0;
  volatile std::uint64_t result = 88172645463325252U;
  for (std::int64_t k = 1; k <= slices && !stop.has_come(); ++k) {
    while (now_ns(CLOCK_THREAD_CPUTIME_ID) < part(share.cpu_ns, k) && !stop.has_come()) {
      result = compute(result + memory.visit(step++));
    }
    const std::int64_t owed_ns = part(share.wait_ns, k) - waited_ns;
    if (owed_ns <= 0) continue;
    const std::int64_t begin_ns = now_ns(CLOCK_MONOTONIC);
    stop.sleep_ns(owed_ns);
    waited_ns += std::min(now_ns(CLOCK_MONOTONIC) - begin_ns, owed_ns + late_wake_up_ns_max);
  }
  return std::min(part_done(now_ns(CLOCK_THREAD_CPUTIME_ID), share.cpu_ns),
                  part_done(waited_ns, share.wait_ns));
}

}  // namespace

Result<std::uint32_t> do_profile_work(const WorkSpec& spec, const StopOrder& stop) {
  const Mappings mappings(spec.work, stop);
  const TouchedMemory& memory = mappings.touched;
  if (const Status mapped = mappings.status(spec.work); !mapped) return mapped.error();
  Share share;
  share.cpu_ns = spec.work.cpu_time.count() * 1'000 / spec.threads;
  share.wait_ns = std::max<std::int64_t>(spec.work.duration.count() * 1'000 - share.cpu_ns, 0);
  std::vector<std::uint32_t> done(static_cast<std::size_t>(spec.threads), 0);
  std::vector<std::thread> others;
  Status status = success();
  try {
    for (std::size_t i = 1; i < done.size(); ++i) {
      others.emplace_back([&, i] { done[i] = do_share(share, memory, stop); });
    }
    done[0] = do_share(share, memory, stop);
  } catch (const std::system_error& error) {
    status = Error{"thread " + std::to_string(others.size() + 1) + " of " +
                   std::to_string(spec.threads) + " cannot be created: " + error.what()};
  }
  for (std::thread& other : others) other.join();
  if (!status) return status.error();
  return *std::min_element(done.begin(), done.end());
}

Status fill_heap(const TaskWork& work, const StopOrder& stop) {
  return Mappings(work, stop).status(work);
}

}  // namespace tracebed
