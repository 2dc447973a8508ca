// A real tracebed-appmaster as a real tracebed-launcher starts it, with this test as coordinator.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <zmq.hpp>

#include "agents/launcher_fixture.h"
#include "core/exit_codes.h"
#include "protocol/wire_codec.h"
#include "support/link_ends.h"

namespace tracebed::launcher {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t session = 0x1b2c'3d4e'5f60'7182;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

class MasterLaunchTest : public LauncherTest {
 protected:
  MasterLaunchTest() : socket_(context_, zmq::socket_type::router) {
    socket_.set(zmq::sockopt::linger, 0);
    socket_.bind("tcp://127.0.0.1:*");
  }

  MasterLaunchRecord master() {
    MasterLaunchRecord record;
    record.container = 1;
    record.application = 5;
    record.attempt = 2;
    record.milli_vcores = 1000;
    record.memory_mib = 256;
    record.pids = 32;
    record.epoch = 3;
    record.session = session;
    run_.copy(record.run.data(), record.run.size() - 1);
    socket_.get(zmq::sockopt::last_endpoint)
        .copy(record.coordinator.data(), record.coordinator.size() - 1);
    return record;
  }
  LauncherProcess::Options with_masters() {
    LauncherProcess::Options chosen = options(TRACEBED_TASK);
    chosen.more = {"--appmaster", TRACEBED_APPMASTER};
    return chosen;
  }
  // What the master says first, under which envelope.
  wire::Message next_message() {
    zmq::message_t peer;
    zmq::message_t payload;
    const bool has_come =
        eventually([&] { return socket_.recv(peer, zmq::recv_flags::dontwait).has_value(); });
    EXPECT_TRUE(has_come) << "the master says nothing";
    if (!has_come) return {};
    static_cast<void>(socket_.recv(payload));
    auto message =
        wire::decode(std::span(static_cast<const std::byte*>(payload.data()), payload.size()));
    EXPECT_TRUE(message) << message.error().message;
    return message ? *std::move(message) : wire::Message();
  }

  zmq::context_t context_;
  zmq::socket_t socket_;
};

// In every form that it could be written down in.
void expect_without_the_session(const std::string& text) {
  std::string bytes(sizeof(session), '\0');
  std::memcpy(bytes.data(), &session, sizeof(session));
  EXPECT_THAT(text, Not(HasSubstr(std::to_string(session))));
  EXPECT_THAT(text, Not(HasSubstr("1b2c3d4e5f607182")));
  EXPECT_THAT(text, Not(HasSubstr(bytes)));
}

TEST_F(MasterLaunchTest, KnowsItsSessionWithoutShowingIt) {
  LauncherProcess launcher(with_masters());
  launcher.client().launch(master());
  const std::string process = "/proc/" + std::to_string(launcher.next_started().process);
  const wire::Message hello = next_message();
  EXPECT_EQ(hello.envelope.session, session);
  EXPECT_EQ(hello.envelope.epoch, 3u);
  ASSERT_TRUE(std::holds_alternative<wire::MasterHello>(hello.body));
  EXPECT_EQ(std::get<wire::MasterHello>(hello.body).application, ApplicationId(5u));
  EXPECT_EQ(std::get<wire::MasterHello>(hello.body).attempt, 2u);

  const std::string words = contents(process + "/cmdline");
  EXPECT_THAT(words, HasSubstr("--application"));
  expect_without_the_session(words);
  expect_without_the_session(contents(process + "/environ"));
}

TEST_F(MasterLaunchTest, ProvesItselfByItsKeysWithoutShowingThem) {
  const test::LinkEnds link;
  const auto& [coordinator, own] = link;
  zmq::socket_t secure(context_, zmq::socket_type::router);
  secure.set(zmq::sockopt::linger, 0);
  link.secure(secure);
  secure.bind("tcp://127.0.0.1:*");
  socket_ = std::move(secure);
  MasterLaunchRecord record = master();
  own.public_key.copy(record.own_public.data(), key_characters);
  own.secret_key.copy(record.own_secret.data(), key_characters);
  coordinator.public_key.copy(record.coordinator_key.data(), key_characters);
  LauncherProcess launcher(with_masters());
  launcher.client().launch(record);
  const std::string process = "/proc/" + std::to_string(launcher.next_started().process);
  EXPECT_EQ(next_message().envelope.session, session);
  for (const char* file : {"/cmdline", "/environ"}) {
    for (const std::string& word : {own.secret_key, own.public_key, coordinator.public_key,
                                    std::string(record.coordinator.data())}) {
      EXPECT_THAT(contents(process + file), Not(HasSubstr(word)));
    }
    expect_without_the_session(contents(process + file));
  }
}

// The launcher keeps no end of the pipe that holds the secret, and the next container is not given
// it.
TEST_F(MasterLaunchTest, LeavesNothingOpenBehindIt) {
  const auto pipes = [](pid_t process) {
    std::size_t count = 0;
    const std::string folder = "/proc/" + std::to_string(process) + "/fd";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      std::error_code gone;
      const auto target = std::filesystem::read_symlink(entry.path(), gone).string();
      if (target.starts_with("pipe:")) ++count;
    }
    return count;
  };
  LauncherProcess launcher(with_masters());
  launcher.next_state();
  const std::size_t before = pipes(launcher.process());
  launcher.client().launch(master());
  launcher.next_started();
  EXPECT_EQ(pipes(launcher.process()), before + 1) << "that by which the container is heard";
  launcher.launch(container(2, {Work{.duration = seconds(60)}}));
  const std::string folder = "/proc/" + std::to_string(launcher.next_started().process) + "/fd/0";
  EXPECT_EQ(std::filesystem::read_symlink(folder), "/dev/null");
}

TEST_F(MasterLaunchTest, ASessionOfNothingIsRefusedByTheMaster) {
  LauncherProcess launcher(with_masters());
  MasterLaunchRecord record = master();
  record.session = 0;
  launcher.client().launch(record);
  launcher.next_started();
  EXPECT_EQ(launcher.next_exited().exit_code, to_int(ExitCode::input));
}

}  // namespace
}  // namespace tracebed::launcher
