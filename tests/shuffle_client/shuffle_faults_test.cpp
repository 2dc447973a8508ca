// Servers that misbehave: each fault is a failure of the right kind, and never a hang.
#include <gtest/gtest.h>
#include <thread>

#include "hdfs_client/loopback_peer.h"
#include "shuffle_client/map_output_writer.h"
#include "shuffle_client/shuffle_fetcher.h"
#include "support/eventually.h"

namespace tracebed::shuffle {
namespace {

using hdfs::test::LoopbackPeer;
using hdfs::test::PeerConnection;

constexpr std::uint32_t job = 4;
const JobToken token = job_token(RunKey(), job);
const std::string text = "some bytes of an output";
const Bytes data = std::as_bytes(std::span(text));

hdfs::ConnectionOptions patient() {
  hdfs::ConnectionOptions options;
  options.read_timeout = options.write_timeout = timeout;
  return options;
}

// A server's side of one connection.
struct ScriptedServer {
  explicit ScriptedServer(PeerConnection& to) : client(to) {
    client.send(Bytes(frame_of(Greeting{nonce})));
  }
  // The next request; false if the client has gone.
  bool next() {
    while (true) {
      const auto result = parse_request(client.unread());
      if (const auto* parsed = std::get_if<hdfs::Parsed<Request>>(&result)) {
        const bool is_chunk = std::holds_alternative<Chunk>(parsed->value);
        if (!is_chunk) {
          code = signed_code(client.unread().first(parsed->bytes));
          ++number;
        }
        client.consume(parsed->bytes);
        if (is_chunk) continue;
        return true;
      }
      const auto* more = std::get_if<hdfs::NeedMore>(&result);
      if (more == nullptr || !client.receive(more->bytes)) return false;
    }
  }
  bool answer(const Answer& what, const JobToken& with = token) {
    return client.send(Bytes(frame_of(what, {with, nonce, number - 1}, code)));
  }
  bool send_chunk(Bytes bytes, std::uint8_t damage = 0) {
    auto head = chunk_head(bytes);
    head.back() ^= std::byte{damage};
    return client.send(Bytes(head)) && client.send(bytes);
  }

  PeerConnection& client;
  Nonce nonce{std::byte{9}};
  Code code{};
  std::uint64_t number = 0;
};

using Script = std::function<void(ScriptedServer&)>;

LoopbackPeer::Behaviour scripted(Script script) {
  return [script = std::move(script)](PeerConnection& client, int) {
    ScriptedServer server(client);
    script(server);
  };
}

const std::vector<OutputRange> ranges = {{1, 0, text.size()}, {2, 0, text.size()}};

std::vector<FetchedRange> fetch(const LoopbackPeer& server,
                                const hdfs::ConnectionOptions& options = patient()) {
  ShuffleFetcher fetcher(token, job, options);
  return fetcher.fetch(server.endpoint(), ranges, [](std::size_t, Bytes bytes) {
    EXPECT_LE(bytes.size(), data.size());
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), data.begin())) << "only right bytes";
  });
}

void serve_range(ScriptedServer& server, std::uint16_t index) {
  server.answer({index, OutputStatus::ok, data.size()});
  server.send_chunk(data);
}

TEST(ShuffleFaults, AFetchOfAWellBehavedServerSucceeds) {
  const LoopbackPeer server(scripted([](ScriptedServer& scripted_server) {
    if (!scripted_server.next()) return;
    serve_range(scripted_server, 0);
    serve_range(scripted_server, 1);
  }));
  for (const FetchedRange& range : fetch(server)) EXPECT_FALSE(range.failure);
}

struct Fault {
  const char* name;
  Script script;  // after the request
  FailureKind kind;
  FailureKind of_next;  // of the range after it
};

class FetchFaults : public testing::TestWithParam<Fault> {};

TEST_P(FetchFaults, AreFailuresOfTheirKind) {
  const LoopbackPeer server(scripted([](ScriptedServer& scripted_server) {
    if (!scripted_server.next()) return;
    GetParam().script(scripted_server);
    scripted_server.client.hang();
  }));
  const auto results = fetch(server);
  ASSERT_TRUE(results[0].failure && results[1].failure);
  EXPECT_EQ(results[0].failure->kind, GetParam().kind) << results[0].failure->message;
  EXPECT_EQ(results[1].failure->kind, GetParam().of_next) << results[1].failure->message;
  EXPECT_EQ(results[0].failure->container, 1u);
  EXPECT_EQ(results[1].failure->container, 2u);
  EXPECT_EQ(results[0].failure->host, server.endpoint());
}

const JobToken other_token = job_token(RunKey(), job + 1);

INSTANTIATE_TEST_SUITE_P(
    Shuffle, FetchFaults,
    testing::Values(Fault{"AnswerByAnother",
                          [](ScriptedServer& s) {
                            s.answer({0, OutputStatus::ok, data.size()}, other_token);
                          },
                          FailureKind::untrusted, FailureKind::untrusted},
                    Fault{"FailureByAnother",
                          [](ScriptedServer& s) {
                            s.answer({0, OutputStatus::unknown_output}, other_token);
                          },
                          FailureKind::untrusted, FailureKind::untrusted},
                    Fault{"AnswerToAnotherRequest",
                          [](ScriptedServer& s) {
                            s.code[0] ^= std::byte{1};
                            s.answer({0, OutputStatus::ok, data.size()});
                          },
                          FailureKind::untrusted, FailureKind::untrusted},
                    Fault{"Denial",
                          [](ScriptedServer& s) { s.client.send(Bytes(frame_of(Denial{}))); },
                          FailureKind::denied, FailureKind::denied},
                    Fault{"WrongChecksum",
                          [](ScriptedServer& s) {
                            s.answer({0, OutputStatus::ok, data.size()});
                            s.send_chunk(data, 1);
                          },
                          FailureKind::corrupt, FailureKind::connection},
                    Fault{"AnotherRange",
                          [](ScriptedServer& s) {
                            s.answer({1, OutputStatus::ok, data.size()});
                          },
                          FailureKind::protocol, FailureKind::connection},
                    Fault{"AnotherLength",
                          [](ScriptedServer& s) {
                            s.answer({0, OutputStatus::ok, data.size() + 1});
                          },
                          FailureKind::protocol, FailureKind::connection},
                    Fault{"MoreBytes",
                          [](ScriptedServer& s) {
                            s.answer({0, OutputStatus::ok, data.size()});
                            s.send_chunk(data.first(2));
                            s.send_chunk(data);
                          },
                          FailureKind::protocol, FailureKind::connection},
                    Fault{"TwoAnswers",
                          [](ScriptedServer& s) {
                            s.answer({0, OutputStatus::ok, data.size()});
                            s.answer({0, OutputStatus::ok, data.size()});
                          },
                          FailureKind::protocol, FailureKind::connection},
                    Fault{"AnotherGreeting",
                          [](ScriptedServer& s) { s.client.send(Bytes(frame_of(Greeting{}))); },
                          FailureKind::protocol, FailureKind::connection},
                    Fault{"Nonsense",
                          [](ScriptedServer& s) { s.client.send(std::string(64, 'x')); },
                          FailureKind::protocol, FailureKind::connection},
                    Fault{"Ending",
                          [](ScriptedServer& s) {
                            s.answer({0, OutputStatus::ending});
                          },
                          FailureKind::ending, FailureKind::ending}),
    [](const auto& info) { return info.param.name; });

TEST(ShuffleFaults, AServerThatClosesMayBeTriedAgain) {
  const LoopbackPeer server(scripted([](ScriptedServer& scripted_server) {
    if (scripted_server.next()) serve_range(scripted_server, 0);
  }));
  const auto results = fetch(server);
  EXPECT_FALSE(results[0].failure);
  ASSERT_TRUE(results[1].failure);
  EXPECT_EQ(results[1].failure->kind, FailureKind::connection);
  EXPECT_TRUE(results[1].failure->may_retry());
}

TEST(ShuffleFaults, AServerThatIsNotThereMayBeTriedAgain) {
  LoopbackPeer server([](PeerConnection&, int) {});
  server.stop();
  const auto results = fetch(server);
  ASSERT_TRUE(results[0].failure);
  EXPECT_EQ(results[0].failure->kind, FailureKind::connection);
  EXPECT_TRUE(results[0].failure->may_retry());
}

TEST(ShuffleFaults, ASilentServerTimesOut) {
  hdfs::ConnectionOptions options;
  options.read_timeout = std::chrono::milliseconds(20);
  const LoopbackPeer mute([](PeerConnection& client, int) { client.hang(); });
  EXPECT_EQ(fetch(mute, options)[0].failure->kind, FailureKind::timeout);
  const LoopbackPeer without_answer(scripted([](ScriptedServer& s) { s.client.hang(); }));
  EXPECT_EQ(fetch(without_answer, options)[0].failure->kind, FailureKind::timeout);
  const LoopbackPeer without_end(scripted([](ScriptedServer& s) {
    if (s.next()) s.answer({0, OutputStatus::ok, data.size()});
    s.client.hang();
  }));
  const auto results = fetch(without_end, options);
  EXPECT_EQ(results[0].failure->kind, FailureKind::timeout);
  EXPECT_TRUE(results[0].failure->may_retry());
}

TEST(ShuffleFaults, AWaitIsInterrupted) {
  const EventDescriptor interrupt;
  hdfs::ConnectionOptions options = patient();
  options.interrupt = interrupt.number();
  const LoopbackPeer server(scripted([&](ScriptedServer& s) {
    if (s.next()) interrupt.ring();
    s.client.hang();
  }));
  const auto results = fetch(server, options);
  EXPECT_EQ(results[0].failure->kind, FailureKind::interrupted);
  EXPECT_FALSE(results[0].failure->may_retry());
}

// ---- puts ----

ClientStatus put(const LoopbackPeer& server, std::size_t chunks = 1) {
  auto output = MapOutputWriter::open(server.endpoint(), token, {job, 1}, patient());
  if (!output) return output.error();
  const std::vector<std::byte> chunk(chunk_bytes_max);
  for (std::size_t i = 0; i < chunks; ++i) {
    if (ClientStatus written = output->write(chunk); !written) return written;
  }
  return output->close();
}

TEST(ShuffleFaults, APutSucceedsWhenItsCommitIsAnswered) {
  const LoopbackPeer server(scripted([](ScriptedServer& s) {
    while (s.next()) s.answer({});
  }));
  EXPECT_TRUE(put(server, 5));
}

TEST(ShuffleFaults, APutThatIsRefusedInTheMiddleSaysWhy) {
  const LoopbackPeer server(scripted([](ScriptedServer& s) {
    if (!s.next()) return;
    s.answer({});
    s.answer({.status = OutputStatus::no_space});
    s.client.hang();
  }));
  // More than fits into the buffers of the sockets, if that were sent in spite of it.
  const ClientStatus status = put(server, 1'000);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, FailureKind::no_space);
  EXPECT_EQ(status.error().container, 1u);
}

TEST(ShuffleFaults, ACommitThatIsNotAnsweredHasFailed) {
  const LoopbackPeer server(scripted([](ScriptedServer& s) {
    if (!s.next()) return;
    s.answer({});
    (void)s.next();
  }));
  EXPECT_EQ(put(server).error().kind, FailureKind::connection);
}

TEST(ShuffleFaults, AnAnswerToThePutIsNoneToItsCommit) {
  const LoopbackPeer server(scripted([](ScriptedServer& s) {
    if (!s.next()) return;
    s.answer({});
    const Code of_put = s.code;
    if (!s.next()) return;
    s.code = of_put;
    --s.number;
    s.answer({});
    s.client.hang();
  }));
  EXPECT_EQ(put(server).error().kind, FailureKind::untrusted);
}

}  // namespace
}  // namespace tracebed::shuffle
