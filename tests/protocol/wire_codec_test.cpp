#include "protocol/wire_codec.h"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <vector>

#include "core/random.h"
#include "protocol/wire_datanode_samples.h"
#include "protocol/wire_samples.h"
#include "support/random_work.h"

namespace tracebed::wire {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

WallTime wall(std::int64_t nanoseconds) {
  return WallTime(WallDuration(nanoseconds));
}

ContainerExit sample_exit(std::uint64_t sequence, std::string diagnostics = {}) {
  ContainerExit exit;
  exit.sequence = sequence;
  exit.container = ContainerId(static_cast<std::uint32_t>(sequence) + 40);
  exit.end = ContainerEnd::out_of_memory;
  exit.started = wall(1'700'000'000'123'456'789);
  exit.ended = wall(1'700'000'003'000'000'001);
  exit.cpu_time = 1'234'567ns;
  exit.memory_peak_bytes = 33'554'432;
  exit.bytes_read = 4096;
  exit.bytes_written = 8192;
  exit.account = {.input = {11, 22, 33}, .output = 44, .shuffled = {55, 66, 77}, .spilled = 88};
  exit.exit_code = -1;
  exit.signal = 9;
  exit.diagnostics = std::move(diagnostics);
  return exit;
}

Hello sample_hello() {
  Hello hello;
  hello.agent = "node-3";
  hello.rack = "/rack-b";
  hello.labels = {"gpu", "ssd"};
  hello.capacity = Resources(2'000, 512);
  hello.capacity[5] = 7;
  hello.isolation = Isolation::cgroup_v1;
  hello.address = "127.0.1.3";
  hello.wall_clock = wall(1'700'000'000'000'000'000);
  hello.running = {ContainerId(3u), ContainerId(9u)};
  hello.exits = {sample_exit(1), sample_exit(2, "no such program"), sample_exit(5)};
  hello.keeps_outputs = true;
  return hello;
}

Launch sample_launch(std::uint32_t container) {
  Launch launch;
  launch.container = ContainerId(container);
  launch.application = ApplicationId(12u);
  launch.task = TaskRef{1, 77};
  launch.attempt = 3;
  launch.limits = Resources(500, 64);
  launch.limits[7] = 2;
  Random random(container);
  launch.work = test::random_work(random);
  launch.time_limit = 10s;
  launch.is_held = true;
  launch.virtual_memory_limit_mib = 134;
  launch.memory_look = 3s;
  if (container % 2 == 1) launch.devices = "gpu_milli:0 gpu_milli:3";
  return launch;
}

std::vector<Body> samples() {
  Heartbeat heartbeat;
  heartbeat.wall_clock = wall(5);
  heartbeat.used_milli_vcores = 1'750;
  heartbeat.used_memory_mib = 300;
  heartbeat.started = {{ContainerId(8u), wall(4)}};
  heartbeat.exits = {sample_exit(7, "killed"), sample_exit(8)};
  heartbeat.exits[1].end = ContainerEnd::checkpointed;
  heartbeat.exits[1].progress = 999'999;
  heartbeat.echo = {wall(3), wall(2)};
  heartbeat.shuffle_port = 13'562;
  heartbeat.progress = {{ContainerId(8u), 0}, {ContainerId(9u), 1'000'000}};
  heartbeat.processors = {.busy_us = 7, .stolen_us = 8, .idle_us = 9, .own_us = 10};
  Welcome welcome;
  welcome.node = NodeId(2u);
  welcome.heartbeat_period = 50ms;
  welcome.out_of_band_heartbeat = true;
  welcome.time_scale = 12.5;
  welcome.silence_max = 5s;
  welcome.orphan_grace = 0s;
  welcome.sent = wall(11);
  welcome.namenode = "127.0.0.1:8020";
  welcome.shuffle_key = std::string(shuffle_key_bytes, 'k');
  welcome.shuffle_rates = {7'000'000, std::nullopt, std::chrono::microseconds(300)};
  welcome.shares_vcores = true;
  welcome.cpu_enforcement = CpuEnforcement::weight;
  return {sample_hello(),
          welcome,
          Refuse{1, 4, "version 4 is not spoken here"},
          heartbeat,
          HeartbeatAck{9, 7, wall(12), {JobId(3u), JobId(5u)}},
          LaunchBatch{{sample_launch(1), sample_launch(2)}},
          ContinueBatch{{ContainerId(6u), ContainerId(2u)}},
          KillBatch{{ContainerId(1u)}},
          Goodbye{"told to stop"},
          Shutdown{"run over"},
          LaunchMaster{ContainerId(5u), ApplicationId(2u), 2, Resources(1000, 1536), 77, {}},
          LaunchMaster{ContainerId(5u), ApplicationId(2u), 2, Resources(1000, 1536), 77,
                       MasterKeys{std::string(key_bytes, 'p'), std::string(key_bytes, 's'),
                                  std::string(key_bytes, 'c')}},
          MasterHello{ApplicationId(2u), 2},
          sample_master_job(),
          sample_call(),
          sample_answer(),
          CheckpointBatch{{ContainerId(4u), ContainerId(1u)}},
          LogLines{{{WallTime(5ns), Severity::warning, "a cgroup is left"}, {}}, 3},
          samples_from_datanodes()[0],
          samples_to_datanodes()[0]};
}

TEST(WireCodec, EveryMessageComesBackAsItWasSent) {
  std::set<std::size_t> kinds;
  for (const Body& body : samples()) kinds.insert(body.index());
  ASSERT_EQ(kinds.size(), std::variant_size_v<Body>);
  Encoder encoder;
  for (const Body& body : samples()) {
    const Message sent = message(body);
    const Result<Message> received = decode(encoder.encode(sent));
    ASSERT_TRUE(received) << body.index() << ": " << received.error().message;
    EXPECT_EQ(*received, sent) << body.index();
  }
}

TEST(WireCodec, AMessageAtAnOddAddressIsRead) {
  Encoder encoder;
  const std::span<const std::byte> bytes = encoder.encode(message(sample_hello()));
  for (std::size_t shift = 1; shift < 8; ++shift) {
    std::vector<std::byte> moved(shift);
    moved.insert(moved.end(), bytes.begin(), bytes.end());
    const auto received = decode(std::span<const std::byte>(moved).subspan(shift));
    ASSERT_TRUE(received);
    EXPECT_EQ(*received, message(sample_hello()));
  }
}

TEST(WireCodec, GarbageIsRefused) {
  EXPECT_FALSE(decode({}));
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    std::vector<std::byte> bytes(random.below(200));
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(256));
    EXPECT_FALSE(decode(bytes));
  }
}

TEST(WireCodec, EveryTruncationIsRefused) {
  Encoder encoder;
  for (const Body& body : samples()) {
    const std::span<const std::byte> bytes = encoder.encode(message(body));
    for (std::size_t size = 0; size + 8 <= bytes.size(); ++size) {
      EXPECT_FALSE(decode(bytes.first(size))) << body.index() << " cut to " << size;
    }
  }
}

// Whatever a changed byte does, decoding ends and what it accepts can be encoded again: nothing
// outside the bounds gets through.
TEST(WireCodec, AcceptsOnlyWhatASenderCouldHaveSent) {
  Encoder encoder;
  Encoder again;
  Random random(2);
  std::size_t accepted = 0;
  for (const Body& body : samples()) {
    const std::span<const std::byte> original = encoder.encode(message(body));
    for (int i = 0; i < 2000; ++i) {
      std::vector<std::byte> bytes(original.begin(), original.end());
      bytes[random.below(bytes.size())] = static_cast<std::byte>(random.below(256));
      const Result<Message> received = decode(bytes);
      if (!received) continue;
      ++accepted;
      const Result<Message> repeated = decode(again.encode(*received));
      ASSERT_TRUE(repeated) << repeated.error().message;
    }
  }
  EXPECT_GT(accepted, 1000u);
}

TEST(WireCodec, AnOversizedMessageIsRefusedBySizeAlone) {
  const std::vector<std::byte> bytes(message_bytes_max + 1);
  const auto received = decode(bytes);
  ASSERT_FALSE(received);
  EXPECT_THAT(received.error().message, HasSubstr("8388609 bytes"));
  EXPECT_THAT(received.error().message, HasSubstr("limit is 8388608"));
}

TEST(WireCodec, TheLargestBatchesFitIntoAMessage) {
  LaunchBatch launches;
  for (std::uint32_t i = 0; i < launches_max; ++i) {
    launches.launches.push_back(sample_launch(i));
    launches.launches.back().devices.assign(device_text_bytes_max, 'd');
  }
  EXPECT_TRUE(pass(launches));
  KillBatch kills;
  for (std::uint32_t i = 0; i < batch_ids_max; ++i) kills.containers.push_back(ContainerId(i));
  EXPECT_TRUE(pass(kills));
  Hello hello = sample_hello();
  hello.exits.clear();
  for (std::uint32_t i = 1; i <= exits_max; ++i) hello.exits.push_back(sample_exit(i));
  hello.running = kills.containers;
  EXPECT_TRUE(pass(hello));
}

template <class T>
T with(T value, const std::function<void(T&)>& change) {
  change(value);
  return value;
}

TEST(WireCodec, AValueOutsideItsBoundsIsRefusedByName) {
  const Heartbeat heartbeat = std::get<Heartbeat>(samples()[3]);
  const Welcome welcome = std::get<Welcome>(samples()[1]);
  const auto launch = [](const std::function<void(Launch&)>& change) {
    return Body(LaunchBatch{{with<Launch>(sample_launch(1), change)}});
  };
  const auto hello = [](const std::function<void(Hello&)>& change) {
    return Body(with<Hello>(sample_hello(), change));
  };
  const std::vector<std::pair<Body, std::string>> cases = {
      {launch([](Launch& l) { l.container = ContainerId(); }), "container"},
      {launch([](Launch& l) { l.attempt = 0; }), "attempt"},
      {launch([](Launch& l) { l.limits[0] = -1; }), "limits"},
      {launch([](Launch& l) { l.virtual_memory_limit_mib = -1; }), "virtual_memory_limit_mib"},
      {launch([](Launch& l) { l.memory_look = 0ns; }), "memory_look"},
      {launch([](Launch& l) { l.devices.assign(device_text_bytes_max + 1, 'd'); }), "devices"},
      {launch([](Launch& l) { l.devices = std::string("gpu:0\0gpu:1", 11); }), "devices"},
      {hello([](Hello& h) { h.agent = std::string(name_bytes_max + 1, 'a'); }), "agent"},
      {hello([](Hello& h) { h.labels.assign(labels_max + 1, "l"); }), "labels"},
      {hello([](Hello& h) { h.isolation = Isolation(3); }), "isolation"},
      {hello([](Hello& h) { h.capacity[1] = -1; }), "capacity"},
      {hello([](Hello& h) { h.exits[0].sequence = 0; }), "exit.sequence"},
      {hello([](Hello& h) { h.exits[1].sequence = 1; }), "exit.sequence"},
      {hello([](Hello& h) { h.exits[0].end = ContainerEnd(container_end_count); }), "exit.end"},
      {hello([](Hello& h) { h.exits[0].progress = 1; }), "exit.progress"},
      {hello([](Hello& h) {
         h.exits[0].end = ContainerEnd::checkpointed;
         h.exits[0].progress = whole_work + 1;
       }),
       "exit.progress"},
      {hello([](Hello& h) { h.exits[0].ended = wall(1); }), "exit.ended"},
      {hello([](Hello& h) { h.exits[0].signal = 128; }), "exit.signal"},
      {with<Heartbeat>(heartbeat, [](Heartbeat& h) { h.used_milli_vcores = -1; }),
       "used_milli_vcores"},
      {with<Heartbeat>(heartbeat, [](Heartbeat& h) { h.wall_clock = wall(-1); }), "wall_clock"},
      {with<Heartbeat>(heartbeat, [](Heartbeat& h) { h.echo->received = wall(-1); }),
       "echo.received"},
      {with<Heartbeat>(heartbeat, [](Heartbeat& h) { h.processors->busy_us = -1; }),
       "processors.busy"},
      {with<Heartbeat>(heartbeat, [](Heartbeat& h) { h.processors->stolen_us = -1; }),
       "processors.stolen"},
      {with<Heartbeat>(heartbeat, [](Heartbeat& h) { h.processors->idle_us = -1; }),
       "processors.idle"},
      {with<Heartbeat>(heartbeat, [](Heartbeat& h) { h.processors->own_us = amount_max + 1; }),
       "processors.own"},
      {with<Welcome>(welcome, [](Welcome& w) { w.heartbeat_period = 0ns; }), "heartbeat_period"},
      {with<Welcome>(welcome, [](Welcome& w) { w.time_scale = 0; }), "time_scale"},
      {with<Welcome>(welcome,
                     [](Welcome& w) { w.time_scale = std::numeric_limits<double>::quiet_NaN(); }),
       "time_scale"},
      {with<Welcome>(welcome, [](Welcome& w) { w.silence_max = 0ns; }), "silence_max"},
  };
  for (const auto& [body, field] : cases) {
    const Result<Message> received = pass(body);
    ASSERT_FALSE(received) << field;
    EXPECT_THAT(received.error().message, HasSubstr(field + " is out of its bounds"));
  }
}

// Of a launch on an agent and of one that a master asks for.
TEST(WireCodec, EveryFieldOfATasksWorkArrivesAndOutOfItsBoundsIsRefusedByName) {
  const auto pass_both = [](const TaskWork& work) {
    Launch launch = sample_launch(1);
    launch.work = work;
    LaunchTask task;
    task.container = ContainerId(1u);
    task.work = work;
    MasterCall call;
    call.application = ApplicationId(1u);
    call.actions = {task};
    return std::vector<Result<Message>>{pass(LaunchBatch{{launch}}), pass(call)};
  };
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const TaskWork work = test::random_work(random);
    const std::vector<Result<Message>> received = pass_both(work);
    ASSERT_TRUE(received[0]) << received[0].error().message;
    ASSERT_TRUE(received[1]) << received[1].error().message;
    EXPECT_EQ(std::get<LaunchBatch>(received[0]->body).launches.at(0).work, work);
    EXPECT_EQ(std::get<LaunchTask>(std::get<MasterCall>(received[1]->body).actions.at(0)).work,
              work);
  }
  for (const TaskWorkField& field : task_work_fields) {
    if (field.most == 1) continue;  // a flag has no other values
    for (const std::int64_t bad : {std::int64_t{-1}, field.most + 1}) {
      TaskWork work;
      field.set(work, bad);
      for (const Result<Message>& received : pass_both(work)) {
        ASSERT_FALSE(received) << field.name;
        EXPECT_THAT(received.error().message, HasSubstr(std::string(field.name) + " from 0 to"));
      }
    }
  }
}

TEST(WireCodec, AnEnvelopeNeedsASessionAndASequence) {
  Encoder encoder;
  Message without = message(Goodbye{});
  without.envelope.session = 0;
  EXPECT_FALSE(decode(encoder.encode(without)));
  without.envelope.session = 1;
  without.envelope.sequence = 0;
  EXPECT_FALSE(decode(encoder.encode(without)));
}

TEST(WireCodec, AHelloOfAnotherVersionIsReadFarEnoughToRefuseIt) {
  Hello hello = sample_hello();
  hello.protocol_version = 99;
  hello.isolation = Isolation(200);  // a value that only that version knows
  const Result<Message> received = pass(hello);
  ASSERT_TRUE(received);
  EXPECT_EQ(std::get<Hello>(received->body).protocol_version, 99u);
  EXPECT_EQ(std::get<Hello>(received->body).agent, "node-3");
}

TEST(WireCodec, ALongReasonIsCut) {
  const Result<Message> received = pass(Shutdown{std::string(text_bytes_max + 7, 'x')});
  ASSERT_TRUE(received);
  EXPECT_EQ(std::get<Shutdown>(received->body).reason, std::string(text_bytes_max, 'x'));
}

}  // namespace
}  // namespace tracebed::wire
