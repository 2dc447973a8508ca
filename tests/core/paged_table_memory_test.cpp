// Memory of a PagedTable under an endless run. The program counts what operator new gives out,
// which is why it stands alone.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <gtest/gtest.h>
#include <malloc.h>
#include <new>

#include "core/ids.h"
#include "core/paged_table.h"

namespace {
std::size_t live_bytes = 0;
}

void* operator new(std::size_t size) {
  void* block = std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  live_bytes += malloc_usable_size(block);
  return block;
}
void operator delete(void* block) noexcept {
  live_bytes -= malloc_usable_size(block);
  std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
  operator delete(block);
}

namespace tracebed {
namespace {

struct Wide {
  std::array<std::byte, 1000> payload;
};
using Table = PagedTable<ContainerId, Wide>;

TEST(PagedTableMemory, StaysFlatWhileTheWindowOfLiveValuesMoves) {
  constexpr std::size_t window = 100;
  constexpr std::size_t total = 200'000;
  const std::size_t before = live_bytes;
  std::size_t most = 0;
  {
    Table table;
    for (std::size_t i = 0; i < total; ++i) {
      table.emplace();
      if (i >= window) table.erase(ContainerId(i - window));
      most = std::max(most, live_bytes - before);
    }
    EXPECT_EQ(table.size(), window);
  }
  // 100 live values of 1 KB touch a few pages, one spare page is kept, and the page directory takes
  // a quarter of a byte for each id that ever was. All values together would be 200 MB.
  EXPECT_LT(most, 512u * 1024);
  EXPECT_EQ(live_bytes, before);
}

TEST(PagedTableMemory, IsHeldByALateValueOnlyForItsOwnPage) {
  constexpr std::size_t total = 5000;
  Table table;
  for (std::size_t i = 0; i < total; ++i) table.emplace();
  const std::size_t full = live_bytes;
  for (std::size_t i = 0; i < total; ++i) {
    if (i != 700) table.erase(ContainerId(i));
  }
  EXPECT_LT(live_bytes, full / 20);
  EXPECT_TRUE(table.contains(ContainerId(700u)));
}

}  // namespace
}  // namespace tracebed
