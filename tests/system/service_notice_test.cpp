#include "system/service_notice.h"

#include <array>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/input_error.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

// A service manager's end.
class ServiceNoticeTest : public ::testing::Test {
 protected:
  ServiceNoticeTest() : socket_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    path_.copy(address.sun_path, sizeof(address.sun_path) - 1);
    bind(socket_.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address));
    setenv("NOTIFY_SOCKET", path_.c_str(), 1);
  }
  ~ServiceNoticeTest() override {
    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
  }
  std::string heard() {
    std::array<char, 256> text = {};
    const ssize_t bytes = recv(socket_.number(), text.data(), text.size(), 0);
    return bytes < 0 ? "nothing" : std::string(text.data(), static_cast<std::size_t>(bytes));
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("notify");
  FileDescriptor socket_;
};

TEST_F(ServiceNoticeTest, TellsReadinessAndEachNewStatus) {
  ServiceNotice notice;
  notice.ready();
  EXPECT_EQ(heard(), "READY=1");
  notice.status("waits");
  notice.status("waits");
  notice.stopping();
  EXPECT_EQ(heard(), "STATUS=waits");
  EXPECT_EQ(heard(), "STOPPING=1");
}

TEST_F(ServiceNoticeTest, TurnsAreToldOnlyWhereSomebodyWatches) {
  ServiceNotice unwatched;
  unwatched.turn();
  EXPECT_EQ(heard(), "nothing");
  setenv("WATCHDOG_USEC", "30000000", 1);
  ServiceNotice notice;
  EXPECT_EQ(notice.turn_max(), std::chrono::seconds(10));
  notice.turn();
  notice.turn();  // too soon to be told again
  EXPECT_EQ(heard(), "WATCHDOG=1");
  EXPECT_EQ(heard(), "nothing");
}

TEST_F(ServiceNoticeTest, RefusesASocketThatIsNone) {
  setenv("NOTIFY_SOCKET", "/nonexistent/notify", 1);
  EXPECT_THROW(ServiceNotice(), EnvironmentError);
}

}  // namespace
}  // namespace tracebed
