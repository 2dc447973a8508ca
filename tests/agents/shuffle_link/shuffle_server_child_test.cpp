#include "agents/shuffle_link/shuffle_server_child.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <poll.h>

#include "core/input_error.h"
#include "shuffle_client/map_output_writer.h"
#include "shuffle_client/shuffle_fetcher.h"
#include "support/eventually.h"
#include "support/temporary_folder.h"
#include "system/listening_socket.h"

namespace tracebed {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t job = 3;

class ShuffleServerChildTest : public testing::Test {
 protected:
  ShuffleBegin begin() const {
    ShuffleBegin begin;
    begin.key = key_;
    begin.address = "127.0.0.1";
    begin.folder = folder_.file("shuffle");
    begin.figures_period = 5ms;
    return begin;
  }
  // Advances the child as its owner does, until the condition holds.
  template <class Condition>
  static bool advanced(ShuffleServerChild& child, const Condition& condition) {
    return eventually([&] {
      child.advance();
      return condition();
    });
  }
  static bool serves(ShuffleServerChild& child) {
    return advanced(child, [&] { return child.port().has_value(); });
  }
  static hdfs::Endpoint endpoint(const ShuffleServerChild& child) {
    return {"127.0.0.1", child.port().value()};
  }
  shuffle::JobToken token() const { return shuffle::job_token(key_, job); }

  bool put(const ShuffleServerChild& child, std::uint32_t container) const {
    auto output = shuffle::MapOutputWriter::open(endpoint(child), token(), {job, container}, {});
    const std::string text = "hello";
    return output && output->write(std::as_bytes(std::span(text))) && output->close();
  }
  std::optional<shuffle::FailureKind> fetch(const ShuffleServerChild& child,
                                            std::uint32_t container) const {
    shuffle::ShuffleFetcher fetcher(token(), job, {});
    const std::vector<shuffle::OutputRange> ranges = {{container, 0, 5}};
    std::string text;
    const auto results = fetcher.fetch(endpoint(child), ranges, [&](std::size_t, auto bytes) {
      text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    });
    if (results[0].failure) return results[0].failure->kind;
    EXPECT_EQ(text, "hello");
    return std::nullopt;
  }

  TemporaryFolder folder_;
  shuffle::RunKey key_;
};

TEST_F(ShuffleServerChildTest, ServesAndReportsFigures) {
  ShuffleServerChild child(TRACEBED_SHUFFLE, begin());
  ASSERT_TRUE(serves(child));
  EXPECT_TRUE(put(child, 1));
  EXPECT_EQ(fetch(child, 1), std::nullopt);
  EXPECT_TRUE(advanced(child, [&] {
    const ShuffleFigures figures = child.figures();
    return figures.bytes_put == 5 && figures.bytes_got == 5 && figures.connections == 0;
  }));
  child.remove_job(job);
  EXPECT_TRUE(eventually([&] { return fetch(child, 1) == shuffle::FailureKind::unknown_output; }));
}

TEST_F(ShuffleServerChildTest, IsRestartedAtItsPortAfterAKill) {
  ShuffleServerChild child(TRACEBED_SHUFFLE, begin());
  ASSERT_TRUE(serves(child));
  const hdfs::Endpoint before = endpoint(child);
  EXPECT_TRUE(put(child, 1));
  EXPECT_TRUE(advanced(child, [&] { return child.figures().bytes_put == 5; }));
  // An output that is not committed when the server is killed.
  auto unfinished = shuffle::MapOutputWriter::open(before, token(), {job, 2}, {});
  ASSERT_TRUE(unfinished);
  kill(child.process(), SIGKILL);
  ASSERT_TRUE(advanced(child, [&] { return child.restarts() == 1 && child.port(); }));
  EXPECT_EQ(endpoint(child), before);
  EXPECT_EQ(fetch(child, 1), std::nullopt);
  EXPECT_EQ(fetch(child, 2), shuffle::FailureKind::unknown_output);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path() / "shuffle/unfinished"));
  EXPECT_FALSE(unfinished->close());
  EXPECT_TRUE(advanced(child, [&] { return child.figures().bytes_got == 5; }));
  EXPECT_EQ(child.figures().bytes_put, 5) << "of its predecessor";
}

// Orders that the killed one may not have executed.
TEST_F(ShuffleServerChildTest, RepeatsOrdersToASuccessor) {
  ShuffleServerChild child(TRACEBED_SHUFFLE, begin());
  ASSERT_TRUE(serves(child));
  EXPECT_TRUE(put(child, 1));
  kill(child.process(), SIGSTOP);
  for (std::uint32_t other = 100; other < 3'000; ++other) child.remove_job(other);
  child.remove_job(job);
  kill(child.process(), SIGKILL);
  ASSERT_TRUE(advanced(child, [&] { return child.restarts() == 1 && child.port(); }));
  EXPECT_TRUE(
      advanced(child, [&] { return fetch(child, 1) == shuffle::FailureKind::unknown_output; }));
  EXPECT_FALSE(put(child, 2));
}

TEST_F(ShuffleServerChildTest, IsGivenUpWhenItEndsAgainAndAgain) {
  ShuffleServerChild child(TRACEBED_SHUFFLE, begin(), {.max = 2, .well_after = 24h, .delay = 1ms});
  for (int i = 0; i <= 2; ++i) {
    ASSERT_TRUE(serves(child));
    kill(child.process(), SIGKILL);
    ASSERT_TRUE(advanced(child, [&] { return !child.port(); }));
  }
  EXPECT_THAT(child.failure().value_or(""), testing::HasSubstr("3 times in a row"));
  EXPECT_THAT(child.failure().value_or(""), testing::HasSubstr("signal 9"));
  EXPECT_EQ(child.due(), ShuffleServerChild::Clock::time_point::max());
}

TEST_F(ShuffleServerChildTest, IsNotGivenUpIfItServedForLongBetween) {
  ShuffleServerChild child(TRACEBED_SHUFFLE, begin(), {.max = 1, .well_after = 0ms, .delay = 1ms});
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(serves(child));
    kill(child.process(), SIGKILL);
    ASSERT_TRUE(advanced(child, [&] { return !child.port(); }));
  }
  EXPECT_TRUE(serves(child));
  EXPECT_EQ(child.failure(), std::nullopt);
}

// Others may be let through to that port alone; a predecessor may have it for a moment.
TEST_F(ShuffleServerChildTest, WaitsForThePortThatWasChosenForIt) {
  FileDescriptor other = listening_socket("127.0.0.1", 0, "another program");
  ShuffleBegin how = begin();
  how.port = bound_port(other);
  const std::uint16_t chosen = how.port;
  ShuffleServerChild child(TRACEBED_SHUFFLE, std::move(how),
                           {.max = 16, .well_after = 24h, .delay = 1ms});
  ASSERT_TRUE(advanced(child, [&] { return child.restarts() >= 2; }));
  EXPECT_EQ(child.port(), std::nullopt);
  other.reset();
  ASSERT_TRUE(serves(child));
  EXPECT_EQ(child.port(), chosen);
}

TEST_F(ShuffleServerChildTest, SaysWhyItCannotBegin) {
  ShuffleBegin how = begin();
  how.links = folder_.file("missing");
  ShuffleServerChild child(TRACEBED_SHUFFLE, std::move(how), {.max = 1, .delay = 1ms});
  EXPECT_TRUE(advanced(child, [&] { return child.failure().has_value(); }));
  EXPECT_THAT(child.failure().value_or(""), testing::HasSubstr("missing"));
  EXPECT_THROW(ShuffleServerChild(folder_.file("no_program"), begin()), EnvironmentError);
}

TEST_F(ShuffleServerChildTest, ShowsItsKeyToNobody) {
  std::array<std::byte, 32> bytes{};
  const std::string text = "a-key-of-thirty-two-characters--";
  std::copy_n(std::as_bytes(std::span(text)).begin(), 32, bytes.begin());
  key_ = shuffle::RunKey(bytes);
  ShuffleServerChild child(TRACEBED_SHUFFLE, begin());
  ASSERT_TRUE(serves(child));
  const std::string process = "/proc/" + std::to_string(child.process());
  for (const char* name : {"/cmdline", "/environ"}) {
    std::ifstream file(process + name);
    const std::string shown{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(shown.find(text), std::string::npos) << name;
  }
}

TEST_F(ShuffleServerChildTest, EndsWithItsOwner) {
  pid_t process = -1;
  {
    ShuffleServerChild child(TRACEBED_SHUFFLE, begin());
    ASSERT_TRUE(serves(child));
    process = child.process();
  }
  EXPECT_EQ(kill(process, 0), -1);
}

}  // namespace
}  // namespace tracebed
