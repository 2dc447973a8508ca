#include "agents/task/touched_memory.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <sys/mman.h>
#include <unistd.h>

namespace tracebed {
namespace {

constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

// Begins at a multiple of huge pages. Kernels before 6.7 put mappings anywhere, so that more is
// mapped for a moment. MAP_FAILED as mmap says it.
void* map_aligned(std::size_t bytes) {
  const std::size_t excess = bytes >= huge_page_bytes ? huge_page_bytes : 0;
  void* const mapped =
      mmap(nullptr, bytes + excess, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED || excess == 0) return mapped;
  char* const start = static_cast<char*>(mapped);
  const auto past = reinterpret_cast<std::uintptr_t>(start) % huge_page_bytes;
  const std::size_t head = past == 0 ? 0 : huge_page_bytes - past;
  if (head > 0) munmap(start, head);
  if (excess > head) munmap(start + head + bytes, excess - head);
  return start + head;
}

std::size_t whole_pages(std::size_t bytes, std::size_t page_bytes) {
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

}  // namespace

TouchedMemory::TouchedMemory(std::size_t bytes)
    : page_bytes_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
  bytes_ = whole_pages(bytes, page_bytes_);
  if (bytes_ == 0) return;
  void* const mapped = map_aligned(bytes_);
  if (mapped == MAP_FAILED) {
    error_ = errno;
    return;
  }
  start_ = static_cast<char*>(mapped);
  // Advice only: a kernel without huge pages refuses it.
  madvise(start_, bytes_ / huge_page_bytes * huge_page_bytes, MADV_HUGEPAGE);
}

void TouchedMemory::touch(const StopOrder& stop) const {
  if (start_ == nullptr) return;
  for (std::size_t at = 0; at < bytes_ && !stop.has_come(); at += huge_page_bytes) {
    touch(at, std::min(at + huge_page_bytes, bytes_));
  }
}

// What the call refuses is touched page by page: if there is no memory left, the kernel ends the
// task as it ends any that runs out of it.
void TouchedMemory::touch(std::size_t begin, std::size_t end) const {
  if (madvise(start_ + begin, end - begin, MADV_POPULATE_WRITE) == 0) return;
  for (std::size_t at = begin; at < end; at += page_bytes_) {
    std::atomic_ref(start_[at]).store(1, std::memory_order_relaxed);
  }
}

TouchedMemory::~TouchedMemory() {
  if (start_ != nullptr) munmap(start_, bytes_);
}

std::uint64_t TouchedMemory::visit(std::uint64_t step) const {
  if (start_ == nullptr) return step;
  char& byte = start_[step % (bytes_ / page_bytes_) * page_bytes_];
  return static_cast<unsigned char>(std::atomic_ref(byte).load(std::memory_order_relaxed));
}

ReservedSpace::ReservedSpace(std::size_t bytes) : bytes_(bytes) {
  if (bytes_ == 0) return;
  start_ = mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start_ == MAP_FAILED) error_ = errno;
}

ReservedSpace::~ReservedSpace() {
  if (bytes_ > 0 && error_ == 0) munmap(start_, bytes_);
}

}  // namespace tracebed
