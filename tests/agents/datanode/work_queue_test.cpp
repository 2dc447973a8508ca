#include "agents/datanode/service/work_queue.h"

#include <future>
#include <gtest/gtest.h>

namespace tracebed::test {
namespace {

TEST(WorkQueues, DoWhatComesInItsOrder) {
  std::vector<int> done;
  {
    std::promise<void> last;
    WorkQueue queue(1, 10);
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(queue.add([&done, i] { done.push_back(i); }));
    EXPECT_TRUE(queue.add([&last] { last.set_value(); }));
    last.get_future().wait();
  }
  EXPECT_EQ(done, (std::vector{0, 1, 2, 3, 4}));
}

TEST(WorkQueues, TakeNoMoreThanTheirBound) {
  std::promise<void> begun;
  std::promise<void> go_on;
  WorkQueue queue(1, 1);
  ASSERT_TRUE(queue.add([&] {
    begun.set_value();
    go_on.get_future().wait();
  }));
  begun.get_future().wait();
  EXPECT_TRUE(queue.add([] {}));
  EXPECT_FALSE(queue.add([] {}));
  go_on.set_value();
}

}  // namespace
}  // namespace tracebed::test
