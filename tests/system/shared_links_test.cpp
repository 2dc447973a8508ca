// Rates that processes share. What passes is bounded by time from above alone, so that a machine
// that is slow makes no test fail.
#include "system/shared_links.h"

#include <atomic>
#include <csignal>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "core/input_error.h"
#include "support/eventually.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* first = "127.0.0.2";
constexpr const char* near_first = "127.0.0.3";
constexpr const char* far_off = "127.0.0.4";
constexpr const char* stranger = "127.0.0.1";

// A thread that waits for something when the constructor returns.
class WaitingThread {
 public:
  explicit WaitingThread(const std::function<void()>& work)
      : thread_([this, work] {
          id_ = gettid();
          work();
        }) {
    EXPECT_TRUE(eventually([&] { return id_ != 0 && is_asleep(); }));
  }
  void join() { thread_.join(); }

 private:
  bool is_asleep() const {
    std::ifstream file("/proc/self/task/" + std::to_string(id_) + "/stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return text.find(") S ") != std::string::npos;
  }

  std::atomic<pid_t> id_ = 0;
  std::jthread thread_;
};

class SharedLinksTest : public testing::Test {
 protected:
  void make(SharedLinks::Rate rack_rate = {}) {
    const std::vector<SharedLinks::Place> places = {
        {far_off, "/r2"}, {first, "/r1"}, {near_first, "/r1"}};
    SharedLinks::create(file_, places, rack_rate);
  }
  // How long the bytes take, in requests that follow each other.
  static double seconds_for(SharedLinks& links, const SharedLinks::Path& path,
                            std::uint64_t bytes) {
    const auto begin = Clock::now();
    for (std::uint64_t left = bytes; left > 0; left -= std::min<std::uint64_t>(left, 10'000)) {
      EXPECT_TRUE(links.acquire(path, std::min<std::uint64_t>(left, 10'000)));
    }
    EXPECT_TRUE(links.acquire(path, 1));  // is granted when those before it have passed
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "links";
};

TEST_F(SharedLinksTest, AreUnlimitedAtFirst) {
  make();
  SharedLinks links(file_);
  for (int i = 0; i < 1'000; ++i) {
    EXPECT_TRUE(links.acquire(links.path(first, far_off), std::uint64_t{1} << 40));
  }
}

TEST_F(SharedLinksTest, PassInterfacesAndUplinksOnTheWay) {
  make(1'000'000);
  SharedLinks links(file_);
  EXPECT_TRUE(links.path(first, first).empty());
  // 0.4 s of the uplinks' rate, a tenth of a second of which may be credit.
  EXPECT_GT(seconds_for(links, links.path(first, far_off), 400'000), 0.29);
  links.set_interface_rate(near_first, 1'000'000);
  EXPECT_GT(seconds_for(links, links.path(first, near_first), 400'000), 0.29);
  EXPECT_GT(seconds_for(links, links.path(near_first, first), 400'000), 0.29);
}

TEST_F(SharedLinksTest, PassTheUplinkToClientsElsewhere) {
  make(1'000'000);
  SharedLinks links(file_);
  EXPECT_GT(seconds_for(links, links.path(first, stranger), 400'000), 0.29);
  EXPECT_GT(seconds_for(links, links.path(stranger, first), 400'000), 0.29);
}

TEST_F(SharedLinksTest, PassDisksAtTheirEnds) {
  make();
  SharedLinks links(file_);
  links.set_disk_rate(first, 1'000'000, {});
  EXPECT_TRUE(links.path(first, first).empty());
  EXPECT_TRUE(links.path(stranger, stranger, {.begin = true}).empty());
  EXPECT_GT(seconds_for(links, links.path(first, first, {.begin = true}), 400'000), 0.29);
  EXPECT_GT(seconds_for(links, links.path(first, far_off, {.begin = true}), 400'000), 0.29);
  EXPECT_GT(seconds_for(links, links.path(far_off, first, {.end = true}), 400'000), 0.29);
  // What passes neither end's disk, and what passes the other end's, is not held up.
  for (int i = 0; i < 1'000; ++i) {
    EXPECT_TRUE(links.acquire(links.path(first, far_off, {.end = true}), std::uint64_t{1} << 40));
    EXPECT_TRUE(links.acquire(links.path(far_off, first), std::uint64_t{1} << 40));
  }
}

TEST_F(SharedLinksTest, ShareADiskAmongReadsAndWrites) {
  make();
  SharedLinks links(file_);
  links.set_disk_rate(first, 1'000'000, {});
  const auto begin = Clock::now();
  std::jthread reader([&] {
    SharedLinks own(file_);
    (void)seconds_for(own, own.path(first, far_off, {.begin = true}), 300'000);
  });
  (void)seconds_for(links, links.path(near_first, first, {.end = true}), 300'000);
  reader.join();
  EXPECT_GT(std::chrono::duration<double>(Clock::now() - begin).count(), 0.49);
}

TEST_F(SharedLinksTest, SeekBeforeARequest) {
  using Access = SharedLinks::Access;
  make();
  SharedLinks links(file_);
  SharedLinks(file_).set_disk_rate(first, std::nullopt, std::chrono::milliseconds(50));
  const auto path = links.path(first, far_off, {.begin = true});
  const auto begin = Clock::now();
  EXPECT_TRUE(links.acquire(path, 1, Access::seek));
  EXPECT_GE(Clock::now() - begin, std::chrono::milliseconds(50));
  // A path without the disk has none, and neither has a request that follows.
  links.set_disk_rate(first, std::nullopt, std::chrono::hours(24));
  EXPECT_TRUE(links.acquire(links.path(first, far_off), 1, Access::seek));
  EXPECT_TRUE(links.acquire(path, 1));
  WaitingThread waiting([&] { EXPECT_FALSE(links.acquire(path, 1, Access::seek)); });
  links.stop();
  waiting.join();
}

// While it seeks, others have the whole rate.
TEST_F(SharedLinksTest, TakeNothingFromOthersWhileTheySeek) {
  using Access = SharedLinks::Access;
  make();
  SharedLinks links(file_);
  links.set_disk_rate(first, 1, std::chrono::hours(24));
  const auto path = links.path(first, first, {.begin = true});
  WaitingThread waiting([&] { EXPECT_FALSE(links.acquire(path, 1'000'000'000, Access::seek)); });
  EXPECT_TRUE(links.acquire(path, 1));  // and not after 31 years
  links.stop();
  waiting.join();
}

// Two processes send to one machine at the same time.
TEST_F(SharedLinksTest, AreSharedByProcesses) {
  make();
  SharedLinks links(file_);
  links.set_interface_rate(first, 1'000'000);
  const auto begin = Clock::now();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    SharedLinks own(file_);
    (void)seconds_for(own, own.path(far_off, first), 300'000);
    _exit(0);
  }
  (void)seconds_for(links, links.path(near_first, first), 300'000);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_GT(std::chrono::duration<double>(Clock::now() - begin).count(), 0.49);
}

TEST_F(SharedLinksTest, OutliveAProcessThatIsKilled) {
  make();
  SharedLinks links(file_);
  links.set_interface_rate(first, 1'000'000'000);
  const auto path = links.path(near_first, first);
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      SharedLinks own(file_);
      while (own.acquire(path, 1)) {
      }
      _exit(0);
    }
    for (int j = 0; j < 1'000; ++j) EXPECT_TRUE(links.acquire(path, 1));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_TRUE(links.acquire(path, 1));
  }
}

// Wherever it is when it is stopped.
TEST_F(SharedLinksTest, WaitForNoProcessThatIsStopped) {
  make();
  SharedLinks links(file_);
  links.set_interface_rate(first, 1'000'000'000'000);
  const auto path = links.path(near_first, first);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    SharedLinks own(file_);
    while (own.acquire(path, 1)) {
    }
    _exit(0);
  }
  for (int i = 0; i < 2'000; ++i) {
    kill(child, SIGSTOP);
    ASSERT_EQ(waitpid(child, nullptr, WUNTRACED), child);
    for (int j = 0; j < 10; ++j) EXPECT_TRUE(links.acquire(path, 1));
    kill(child, SIGCONT);
    for (int j = 0; j < 10; ++j) EXPECT_TRUE(links.acquire(path, 1));
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST_F(SharedLinksTest, TakeARateThatChangesForRequestsThatWait) {
  make();
  SharedLinks links(file_);
  links.set_interface_rate(first, 1);
  const auto path = links.path(near_first, first);
  EXPECT_TRUE(links.acquire(path, 1'000'000));
  WaitingThread waiting([&] { EXPECT_TRUE(links.acquire(path, 1)); });  // for 11 days
  links.set_interface_rate(first, 100'000'000);
  waiting.join();
  links.set_interface_rate(first, 1);
  EXPECT_TRUE(links.acquire(path, 1'000'000));
  WaitingThread again([&] { EXPECT_TRUE(links.acquire(path, 1)); });
  SharedLinks(file_).set_interface_rate(first, std::nullopt);
  again.join();
}

TEST_F(SharedLinksTest, StopWaiting) {
  make();
  SharedLinks links(file_);
  links.set_interface_rate(first, 1);
  const auto path = links.path(near_first, first);
  EXPECT_TRUE(links.acquire(path, 1'000'000));
  WaitingThread waiting([&] { EXPECT_FALSE(links.acquire(path, 1)); });
  links.stop();
  waiting.join();
  EXPECT_FALSE(links.acquire(links.path(first, first), 1));
}

TEST_F(SharedLinksTest, RefuseFilesThatAreNone) {
  EXPECT_THROW(SharedLinks(folder_.path() / "missing"), EnvironmentError);
  EXPECT_THROW(SharedLinks(folder_.path()), EnvironmentError);
  make();
  EXPECT_THROW(make(), EnvironmentError) << "it exists";
  const auto size = std::filesystem::file_size(file_);
  for (std::size_t at = 0; at < 16 + 3 * 8; ++at) {
    // The mark, the counts and each rack; addresses are any.
    const bool is_address = at >= 16 && (at - 16) % 8 < 4;
    if (is_address) continue;
    std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<long>(at));
    const int byte = file.get();
    file.seekp(static_cast<long>(at));
    file.put(static_cast<char>(byte ^ 0x40));
    file.close();
    EXPECT_THROW(SharedLinks{file_}, EnvironmentError) << "byte " << at;
    std::fstream again(file_, std::ios::in | std::ios::out | std::ios::binary);
    again.seekp(static_cast<long>(at));
    again.put(static_cast<char>(byte));
  }
  EXPECT_NO_THROW(SharedLinks{file_});
  std::filesystem::resize_file(file_, size - 1);
  EXPECT_THROW(SharedLinks{file_}, EnvironmentError);
  std::filesystem::resize_file(file_, 3);
  EXPECT_THROW(SharedLinks{file_}, EnvironmentError);
}

}  // namespace
}  // namespace tracebed
