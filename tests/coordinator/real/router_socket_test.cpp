#include "coordinator/real/router_socket.h"

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/input_error.h"
#include "support/eventually.h"
#include "support/raw_connections.h"
#include "support/temporary_folder.h"

namespace tracebed::test {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(RouterSocket, WithoutKeysOnlyUnixSocketsAreTaken) {
  for (const char* endpoint :
       {"tcp://0.0.0.0:5555", "tcp://*:5555", "tcp://10.0.0.1:1", "tcp://127.0.0.1:*", "x"}) {
    EXPECT_THAT([&] { RouterSocket socket(endpoint); },
                ThrowsMessage<InputError>(HasSubstr(endpoint)));
  }
}

// Whoever fails before the guard is asked about a key is refused, too.
TEST(RouterSocket, CountsPeersThatDoNotKnowItsKeyAndThoseThatSpeakNoZeroMq) {
  const KeyPair own = make_key_pair();
  const KeyPair known = make_key_pair();
  RouterSocket socket("tcp://127.0.0.1:*", RouterKeys{own, {{known.public_key, "lab1"}}});
  EXPECT_EQ(socket.refused(), 0u);
  const auto refused = [&](std::uint64_t count) {
    return eventually([&] {
      socket.wait_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(5));
      return socket.refused() >= count;
    });
  };
  zmq::context_t context(1);
  zmq::socket_t wrong(context, zmq::socket_type::dealer);
  wrong.set(zmq::sockopt::linger, 0);
  wrong.set(zmq::sockopt::curve_serverkey, make_key_pair().public_key);
  wrong.set(zmq::sockopt::curve_publickey, known.public_key);
  wrong.set(zmq::sockopt::curve_secretkey, known.secret_key);
  wrong.connect(socket.endpoint());
  EXPECT_TRUE(refused(1));
  EXPECT_THAT(socket.last_refused(), HasSubstr("does not know the coordinator's key"));
  wrong.close();
  const std::uint64_t before = socket.refused();
  constexpr std::uint64_t many = 50;
  for (std::uint64_t i = 0; i < many; ++i) {
    zmq::socket_t plain(context, zmq::socket_type::dealer);
    plain.set(zmq::sockopt::linger, 0);
    plain.connect(socket.endpoint());
    plain.send(zmq::str_buffer("x"), zmq::send_flags::dontwait);
    ASSERT_TRUE(refused(before + i + 1));
  }
}

// The kernel says who is at the other end.
TEST(RouterSocket, WithoutKeysAUnixSocketTakesItsOwnUserAndRootAlone) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become another";
  const TemporaryFolder folder;
  const std::string path = folder.file("agents");
  const std::string endpoint = "ipc://" + path;
  RouterSocket socket(endpoint);
  ASSERT_EQ(chmod(path.c_str(), 0777), 0);
  ASSERT_EQ(chmod(folder.file("").c_str(), 0777), 0);
  const auto deliver_as = [&](uid_t user) {
    const pid_t process = fork();
    if (process == 0) {
      if (syscall(SYS_setresuid, user, user, user) != 0) _exit(2);
      zmq::context_t context(1);
      zmq::socket_t peer(context, zmq::socket_type::dealer);
      peer.set(zmq::sockopt::linger, 0);
      peer.connect(endpoint);
      peer.send(zmq::str_buffer("hello"), zmq::send_flags::none);
      pause();
    }
    return process;
  };
  constexpr uid_t somebody = 65'534;
  const pid_t stranger = deliver_as(somebody);
  const pid_t own = deliver_as(0);
  ASSERT_EQ(socket.wait_until(std::chrono::steady_clock::now() + timeout),
            RouterSocket::Wait::message);
  RouterSocket::Received received;
  ASSERT_TRUE(socket.receive(received));
  // Whatever else comes before the stranger has tried several times would be its.
  EXPECT_EQ(socket.wait_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(500)),
            RouterSocket::Wait::deadline);
  for (const pid_t process : {stranger, own}) {
    kill(process, SIGKILL);
    int status = 0;
    waitpid(process, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "it could not become user " << somebody;
  }
}

TEST(RouterSocket, APortThatIsTakenIsNamed) {
  const auto keys = [] { return RouterKeys{make_key_pair(), {}}; };
  RouterSocket first("tcp://127.0.0.1:*", keys());
  EXPECT_THAT(first.endpoint(), ::testing::MatchesRegex("tcp://127.0.0.1:[0-9]+"));
  EXPECT_THAT([&] { RouterSocket second(first.endpoint(), keys()); },
              ThrowsMessage<EnvironmentError>(HasSubstr("cannot listen on " + first.endpoint())));
}

// Whose key is unknown is cut, so that it may try again as soon as it is known: ZeroMQ itself would
// keep the connection until the handshake's time is over.
TEST(RouterSocket, APeerWithAnUnknownKeyIsCut) {
  const KeyPair own = make_key_pair();
  const KeyPair stranger = make_key_pair();
  RouterSocket socket("tcp://127.0.0.1:*", RouterKeys{own, {}});
  zmq::context_t context;
  zmq::socket_t peer(context, zmq::socket_type::dealer);
  peer.set(zmq::sockopt::linger, 0);
  peer.set(zmq::sockopt::curve_serverkey, own.public_key);
  peer.set(zmq::sockopt::curve_publickey, stranger.public_key);
  peer.set(zmq::sockopt::curve_secretkey, stranger.secret_key);
  peer.connect(socket.endpoint());
  EXPECT_TRUE(eventually([&] {
    socket.wait_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(10));
    return socket.connections().cut > 0;
  }));
  // Then it is known, and the next connection is its.
  socket.know({{stranger.public_key, "node1"}});
  peer.send(zmq::str_buffer("hello"), zmq::send_flags::dontwait);
  RouterSocket::Received received;
  EXPECT_TRUE(eventually([&] {
    socket.wait_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(10));
    return socket.receive(received);
  }));
  EXPECT_EQ(received.user, "node1");
}

}  // namespace
}  // namespace tracebed::test
