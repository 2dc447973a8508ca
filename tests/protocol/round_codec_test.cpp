#include "protocol/round_codec.h"

#include <algorithm>
#include <array>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

#include "protocol/random_rounds.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;

std::vector<std::byte> copy(std::span<const std::byte> bytes) {
  return {bytes.begin(), bytes.end()};
}

// A piece of one round with the given content.
std::vector<std::byte> piece_with(Names& names, const Round& round) {
  RoundEncoder encoder(names);
  encoder.add(round);
  return copy(encoder.finish_piece());
}

class RoundCodecSeeds : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RoundCodecSeeds, RoundsComeBackAsTheyWentInWithTheirNames) {
  Names written;
  test::RandomRounds rounds(GetParam(), written);
  Random random(GetParam() + 1000);
  RoundEncoder encoder(written);
  Names read;
  RoundDecoder decoder(read);
  Round in;
  Round out;
  for (int piece = 0; piece < 20; ++piece) {
    std::vector<std::string> expected;
    for (std::uint64_t i = random.below(30); i > 0; --i) {
      rounds.fill(in);
      encoder.add(in);
      expected.push_back(test::describe(in));
    }
    EXPECT_EQ(encoder.is_empty(), expected.empty());
    const Status loaded = decoder.load(encoder.finish_piece(piece == 19));
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(decoder.saw_last(), piece == 19);
    for (const std::string& text : expected) {
      ASSERT_TRUE(decoder.next(out));
      ASSERT_EQ(test::describe(out), text);
    }
    EXPECT_FALSE(decoder.next(out));
  }
  ASSERT_EQ(read.users.size(), written.users.size());
  for (std::uint32_t i = 0; i < read.users.size(); ++i) {
    EXPECT_EQ(read.users.name(UserId(i)), written.users.name(UserId(i)));
  }
  ASSERT_EQ(read.queues.size(), written.queues.size());
  for (std::uint32_t i = 0; i < read.queues.size(); ++i) {
    EXPECT_EQ(read.queues.name(QueueId(i)), written.queues.name(QueueId(i)));
  }
  ASSERT_EQ(read.racks.size(), written.racks.size());
}

INSTANTIATE_TEST_SUITE_P(Seeds, RoundCodecSeeds,
                         ::testing::Range(std::uint64_t{1}, std::uint64_t{21}));

TEST(RoundCodec, JobsAreNumberedInTheOrderOfTheirArrivals) {
  Names names;
  const UserId user = names.users.intern("u");
  const QueueId queue = names.queues.intern("q");
  Round round;
  for (std::uint32_t i = 0; i < 3; ++i) {
    Job& job = round.add_job();
    job.id = JobId(i);
    job.user = user;
    job.queue = queue;
  }
  round.submit(2);
  round.submit(0);
  Names read;
  RoundDecoder decoder(read);
  ASSERT_TRUE(decoder.load(piece_with(names, round)));
  Round out;
  ASSERT_TRUE(decoder.next(out));
  ASSERT_EQ(out.jobs().size(), 2u);
  EXPECT_EQ(out.jobs()[0].id, JobId(2u));
  EXPECT_EQ(out.jobs()[1].id, JobId(0u));
  EXPECT_EQ(test::describe(out), test::describe(round));
}

// A round's memory is reused; nothing of an earlier job may shine through.
TEST(RoundCodec, AReusedRoundHoldsNothingOfTheOneBefore) {
  Names names;
  Round large;
  test::RandomRounds rounds(3, names);
  for (int i = 0; i < 200; ++i) {
    Round in;
    rounds.fill(in);
    Names read;
    RoundDecoder decoder(read);
    Names same = Names();
    for (std::uint32_t u = 0; u < names.users.size(); ++u)
      same.users.intern(names.users.name(UserId(u)));
    for (std::uint32_t q = 0; q < names.queues.size(); ++q)
      same.queues.intern(names.queues.name(QueueId(q)));
    ASSERT_TRUE(decoder.load(piece_with(same, in)));
    ASSERT_TRUE(decoder.next(large));
    ASSERT_EQ(test::describe(large), test::describe(in));
  }
}

// What the decoder says of a job of two stages, the second of which `spoil` made wrong.
std::string refusal_of(const std::function<void(Stage&)>& spoil) {
  Names names;
  Round round;
  Job& job = round.add_job();
  job.id = JobId(0u);
  job.user = names.users.intern("u");
  job.queue = names.queues.intern("q");
  job.kind = JobKind::dag;
  job.stages.assign(2, Stage{});
  for (Stage& stage : job.stages) stage.runs = {{2, Work{}}};
  job.stages[1].needs = {0};
  job.stages[1].places = {{"a", "b"}, {1, 2}, {0, 1}};
  spoil(job.stages[1]);
  round.submit(0);
  Names read;
  RoundDecoder decoder(read);
  const Status status = decoder.load(piece_with(names, round));
  return status ? "" : status.error().message;
}

TEST(RoundCodec, RefusesDetailsOfStagesThatCannotBe) {
  EXPECT_EQ(refusal_of([](Stage&) {}), "");
  for (const std::vector<std::uint16_t>& needs :
       {std::vector<std::uint16_t>{1}, std::vector<std::uint16_t>{0, 0}}) {
    EXPECT_THAT(refusal_of([&](Stage& stage) { stage.needs = needs; }),
                HasSubstr("stages that need only those before them"));
  }
  EXPECT_THAT(refusal_of([](Stage& stage) { stage.delay = Duration(-1); }),
              HasSubstr("delays that are not negative"));
  const auto wrong_places = HasSubstr("places of its tasks that are among its hosts");
  EXPECT_THAT(refusal_of([](Stage& stage) { stage.places.entries[1] = 2; }), wrong_places);
  EXPECT_THAT(refusal_of([](Stage& stage) { stage.places.ends = {2, 1}; }), wrong_places);
  EXPECT_THAT(refusal_of([](Stage& stage) { stage.places.ends = {2}; }), wrong_places);
  EXPECT_THAT(refusal_of([](Stage& stage) { stage.places.ends = {1, 1}; }), wrong_places);
}

Round gang_end(std::uint32_t first, std::uint32_t containers) {
  Round round;
  round.now = trace_time(9);
  GangEnded ended{ContainerId(first), containers, {}};
  ended.account.started = trace_time(3);
  ended.account.ended = trace_time(9);
  ended.account.cpu_time = Duration(6);
  round.arrivals.push_back(ended);
  return round;
}

TEST(RoundCodec, AGangTakesNoMoreBytesForMoreContainers) {
  Names names;
  const auto bytes_of = [&](std::uint32_t containers) {
    RoundEncoder encoder(names);
    encoder.add(gang_end(7, containers));
    return encoder.bytes();
  };
  EXPECT_EQ(bytes_of(100), bytes_of(2));
}

TEST(RoundCodec, AGangOfNothingOrPastTheLastIdIsRefused) {
  Names names;
  const std::uint32_t last = 0xFFFF'FFFE;
  for (const auto& [first, containers, wanted] :
       {std::tuple(7u, 0u, "gangs of containers"), std::tuple(last, 2u, "container ids")}) {
    Names read;
    RoundDecoder decoder(read);
    const Status loaded = decoder.load(piece_with(names, gang_end(first, containers)));
    ASSERT_FALSE(loaded);
    EXPECT_THAT(loaded.error().message, HasSubstr(wanted));
  }
  Names read;
  RoundDecoder decoder(read);
  EXPECT_TRUE(decoder.load(piece_with(names, gang_end(last, 1))));
}

TEST(RoundCodec, APieceOutOfOrderIsRefused) {
  Names names;
  RoundEncoder encoder(names);
  Round round;
  encoder.add(round);
  const auto first = copy(encoder.finish_piece());
  encoder.add(round);
  const auto second = copy(encoder.finish_piece());
  Names read;
  RoundDecoder decoder(read);
  Status loaded = decoder.load(second);
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, HasSubstr("the number after the one before"));
  // The refused piece changed nothing: the log can go on.
  EXPECT_TRUE(decoder.load(first));
  ASSERT_TRUE(decoder.next(round));
  EXPECT_FALSE(decoder.load(first));
  EXPECT_TRUE(decoder.load(second));
}

TEST(RoundCodec, NothingFollowsTheLastPiece) {
  Names names;
  RoundEncoder encoder(names);
  Names read;
  RoundDecoder decoder(read);
  ASSERT_TRUE(decoder.load(encoder.finish_piece(true)));
  const Status loaded = decoder.load(encoder.finish_piece());
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, HasSubstr("come before the last one"));
}

TEST(RoundCodec, TimeThatRunsBackwardsIsRefused) {
  Names names;
  RoundEncoder encoder(names);
  Round round;
  round.now = trace_time(10);
  encoder.add(round);
  round.now = trace_time(9);
  encoder.add(round);
  Names read;
  RoundDecoder decoder(read);
  const Status loaded = decoder.load(encoder.finish_piece());
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, HasSubstr("ascending order of time"));
}

TEST(RoundCodec, ValuesThatCannotBeAreRefusedByName) {
  struct Case {
    const char* wanted;
    std::function<void(Round&)> spoil;
  };
  const auto ended = [](const std::function<void(ContainerEnded&)>& spoil) {
    ContainerEnded arrival;
    arrival.container = ContainerId(1u);
    arrival.node = NodeId(1u);
    spoil(arrival);
    return arrival;
  };
  const std::vector<Case> cases = {
      {"job ids that are valid", [](Round& r) { r.jobs()[0].id = JobId(); }},
      {"job times that are not negative", [](Round& r) { r.jobs()[0].submit = trace_time(-1); }},
      {"a positive count of tasks", [](Round& r) { r.jobs()[0].stages[0].runs[0].count = 0; }},
      {"work that is not negative",
       [](Round& r) { r.jobs()[0].stages[0].runs[0].work.duration = Duration(-1); }},
      {"resources that are not negative", [](Round& r) { r.jobs()[0].stages[0].demand[0] = -1; }},
      {"known kinds of jobs", [](Round& r) { r.jobs()[0].kind = JobKind(9); }},
      {"known kinds of stages", [](Round& r) { r.jobs()[0].stages[0].kind = StageKind(9); }},
      {"node ids that are valid", [](Round& r) { r.arrivals.push_back(NodeLost{NodeId()}); }},
      {"container ids that are valid",
       [&](Round& r) {
         r.arrivals.push_back(ended([](ContainerEnded& e) { e.container = ContainerId(); }));
       }},
      {"containers that end after they start",
       [&](Round& r) {
         r.arrivals.push_back(ended([](ContainerEnded& e) { e.account.started = trace_time(1); }));
       }},
      {"known ends of containers",
       [&](Round& r) {
         r.arrivals.push_back(
             ended([](ContainerEnded& e) { e.end = ContainerEnd(container_end_count); }));
       }},
      {"progress of checkpointed containers alone",
       [&](Round& r) {
         r.arrivals.push_back(ended([](ContainerEnded& e) {
           e.end = ContainerEnd::killed;
           e.account.progress = 1;
         }));
       }},
      {"progress of checkpointed containers alone, in millionths",
       [&](Round& r) {
         r.arrivals.push_back(ended([](ContainerEnded& e) {
           e.end = ContainerEnd::checkpointed;
           e.account.progress = whole_work + 1;
         }));
       }},
      {"progress in millionths",
       [](Round& r) {
         r.arrivals.push_back(AttemptProgress{ContainerId(1u), whole_work + 1});
       }},
      {"container ids that are valid",
       [](Round& r) {
         r.arrivals.push_back(AttemptProgress{ContainerId(), 5});
       }},
      {"decisions with a number",
       [](Round& r) {
         r.arrivals.push_back(DecisionMade{1, ~std::uint64_t{0}});
       }},
      {"known kinds of orders",
       [](Round& r) {
         r.arrivals.push_back(AdministratorCommand{.kind = AdministratorCommandKind(3)});
       }},
      {"orders whose numbers are in their ranges",
       [](Round& r) {
         r.arrivals.push_back(AdministratorCommand{.node = NodeId(1u), .grace = Duration(-1)});
       }},
      {"orders that name what they are about",
       [](Round& r) { r.arrivals.push_back(AdministratorCommand{.container = ContainerId(1u)}); }},
      {"orders that name what they are about",
       [](Round& r) {
         r.arrivals.push_back(
             AdministratorCommand{.kind = AdministratorCommandKind::move, .node = NodeId(1u)});
       }},
      {"datanodes' messages whose numbers are in their ranges",
       [](Round& r) {
         r.add_storage(FullBlockReport{NodeId(1u), {{.state = ReportedState(3)}}});
       }},
      {"datanodes' messages whose numbers are in their ranges",
       [](Round& r) {
         r.add_storage(IncrementalBlockReport{NodeId(1u), {{{.state = ReportedState(4)}, true}}});
       }},
      {"whole calls and files of the run's storage",
       [](Round& r) {
         r.add_storage(StorageCalled{1, {{}, SetSafeMode{SetSafeMode::Action(2)}}});
       }},
      {"known reasons of cancellation",
       [](Round& r) { r.arrivals.push_back(RunCancelled{CancelReason(7)}); }},
  };
  for (const Case& c : cases) {
    Names names;
    Round round;
    test::fill_with_simple_job(round, 0, names.users.intern("u"), names.queues.intern("q"));
    c.spoil(round);
    Names read;
    RoundDecoder decoder(read);
    const Status loaded = decoder.load(piece_with(names, round));
    ASSERT_FALSE(loaded) << c.wanted;
    EXPECT_THAT(loaded.error().message, HasSubstr(c.wanted));
    EXPECT_EQ(read.users.size(), 0u) << "a refused piece leaves no names";
  }
}

// The bytes of a log are what a large run pays for. A job of one task that ends well, with its
// heartbeat; and the end of a container that was preempted.
TEST(RoundCodec, ALogTakesFewBytes) {
  Names names;
  const UserId user = names.users.intern("u");
  const QueueId queue = names.queues.intern("q");
  RoundEncoder encoder(names);
  Round round;
  for (std::uint32_t job = 0; job < 1'000; ++job) {
    test::fill_with_simple_job(round, job, user, queue);
    encoder.add(round);
  }
  const std::size_t jobs_bytes = encoder.bytes();
  EXPECT_LE(jobs_bytes, 1'000 * 64);
  round.clear();
  for (std::uint32_t container = 0; container < 1'000; ++container) {
    ContainerEnded ended{ContainerId(container), NodeId(1u), ContainerEnd::checkpointed, {}};
    ended.account.progress = 1'000 * container;
    round.arrivals.push_back(ended);
  }
  encoder.add(round);
  EXPECT_LE(encoder.bytes() - jobs_bytes, 1'000 * 73 + 16);
}

// Changed bytes either are refused or give rounds that can be read to their end.
// Datanodes report tens of thousands of replicas again and again.
TEST(RoundCodec, AFullBlockReportTakesFewBytesAReplica) {
  Names names;
  RoundEncoder encoder(names);
  Round round;
  FullBlockReport report{.node = NodeId(1u), .replicas = {}};
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    report.replicas.push_back({.block_id = 1'073'741'825 + 7 * i,
                               .generation_stamp = static_cast<std::uint32_t>(1'001 + 7 * i),
                               .length = 128 << 20});
  }
  round.add_storage(std::move(report));
  encoder.add(round);
  EXPECT_LE(encoder.bytes(), 10'000u * 4 + 100);
}

TEST(RoundCodec, DamagedPiecesDoNoHarm) {
  Names names;
  test::RandomRounds rounds(7, names);
  RoundEncoder encoder(names);
  Round round;
  for (int i = 0; i < 20; ++i) {
    rounds.fill(round);
    encoder.add(round);
  }
  const auto piece = copy(encoder.finish_piece());
  Random random(8);
  int refused = 0;
  for (int i = 0; i < 5'000; ++i) {
    auto damaged = piece;
    damaged[random.below(damaged.size())] = static_cast<std::byte>(random.below(256));
    if (random.chance(0.1)) damaged.resize(random.below(damaged.size()));
    Names read;
    RoundDecoder decoder(read);
    if (!decoder.load(damaged)) {
      ++refused;
      continue;
    }
    while (decoder.next(round)) {
    }
  }
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace tracebed
