// Whoever is not the agent or master that a message is of changes nothing, whatever the message:
// every kind of stranger says every kind of message, while agents are awaited and in mid-run.
#include <gmock/gmock.h>
#include <tuple>
#include <utility>

#include "coordinator/real/real_fleet_harness.h"

namespace tracebed::test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

enum class Stranger { has_no_key, has_an_unknown_key, has_another_agents_key, has_a_masters_key };

constexpr std::size_t message_kinds = std::variant_size_v<wire::Body>;

template <std::size_t... Kinds>
std::vector<wire::Body> one_of_each(std::index_sequence<Kinds...>) {
  return {std::variant_alternative_t<Kinds, wire::Body>()...};
}

// A message of each kind; those that agents and masters send are as harmful as can be.
std::vector<wire::Body> forged_messages(const ScriptedAgent& victim) {
  std::vector<wire::Body> bodies = one_of_each(std::make_index_sequence<message_kinds>());
  for (wire::Body& body : bodies) {
    if (auto* hello = std::get_if<wire::Hello>(&body)) {
      *hello = victim.hello();
      hello->exits = {exit_of(8, 1'000)};
    } else if (auto* beat = std::get_if<wire::Heartbeat>(&body)) {
      *beat = heartbeat({exit_of(8, 1'001)});
    } else if (auto* goodbye = std::get_if<wire::Goodbye>(&body)) {
      goodbye->reason = "forged";
    } else if (auto* log = std::get_if<wire::LogLines>(&body)) {
      log->lines = {{wall_now(), {}, "forged"}};
    } else if (auto* master = std::get_if<wire::MasterHello>(&body)) {
      *master = {ApplicationId(3u), 1};
    } else if (auto* call = std::get_if<MasterCall>(&body)) {
      call->application = ApplicationId(3u);
      call->sequence = 1;
      call->actions = {ReleaseContainer{ContainerId(8u)}};
    }
  }
  return bodies;
}

class StrangersTest : public RealFleetTest, public testing::WithParamInterface<Stranger> {
 protected:
  StrangersTest() {
    options_.endpoint = "tcp://127.0.0.1:*";
    options_.take_log = [this](const std::string&, const wire::LogLines& log) {
      for (const wire::LogLine& line : log.lines) logged_.push_back(line.text);
    };
  }

  static bool is_let_in() {
    return GetParam() == Stranger::has_another_agents_key ||
           GetParam() == Stranger::has_a_masters_key;
  }
  void connect(const std::optional<LinkKeys>& master_keys) {
    const std::string endpoint = fleet_->endpoint();
    switch (GetParam()) {
      case Stranger::has_no_key:
        stranger_.emplace(endpoint, options_.run, "node-0");
        return;
      case Stranger::has_an_unknown_key:
        stranger_.emplace(endpoint, options_.run, "node-0", make_key_pair(),
                          fleet_->links()[0].coordinator);
        return;
      case Stranger::has_another_agents_key:
        stranger_.emplace(endpoint, options_.run, "node-0", fleet_->links()[1]);
        return;
      case Stranger::has_a_masters_key:
        stranger_.emplace(endpoint, options_.run, "node-0", *master_keys);
        return;
    }
  }
  // Every kind of message, in the victim's session, in a newer one and in that of a master. What
  // cannot leave, as there is no connection, stays in the stranger's own queue.
  std::uint64_t say_everything(const ScriptedAgent& victim, std::uint64_t master_session) {
    if (!is_let_in()) stranger_->never_wait();
    std::uint64_t said = 0;
    std::uint64_t sequence = 1'000;
    for (const wire::Body& body : forged_messages(victim)) {
      for (const std::uint64_t session :
           {victim.session(), victim.session() + 500, master_session}) {
        stranger_->send_as({options_.run, options_.epoch, session, ++sequence}, body);
        ++said;
      }
    }
    return said;
  }
  std::uint64_t unheeded() const {
    const RealFleetCounters& counters = fleet_->counters();
    return counters.misplaced + counters.refused + counters.garbage;
  }
  // A stranger who has no key that is known is not let in, so there is no message to wait for.
  bool were_all_judged(std::uint64_t said) const {
    if (is_let_in()) return unheeded() == said;
    return GetParam() == Stranger::has_no_key || fleet_->keys_refused() > 0;
  }

  std::optional<ScriptedAgent> stranger_;
  std::vector<std::string> logged_;
};

TEST_P(StrangersTest, ChangeNothingInMidRun) {
  start(2);
  Job job;
  job.id = JobId(8u);
  LaunchMaster master;
  master.container = ContainerId(1u);
  master.node = NodeId(1u);
  master.application = ApplicationId(3u);
  master.attempt = 1;
  master.limits = Resources(1'000, 256);
  master.job = Immutable(job);
  master.nodes = Immutable(std::vector<Node>(1));
  LaunchMaster other = master;
  other.container = ContainerId(2u);
  other.application = ApplicationId(4u);
  execute({launch_on(0, 8), master, other});
  agents_[0].expect<wire::LaunchBatch>();
  const auto launched = agents_[1].expect<wire::LaunchMaster>();
  const auto others = agents_[1].expect<wire::LaunchMaster>();
  ASSERT_TRUE(launched.keys && others.keys);
  connect(LinkKeys{{others.keys->own_public, others.keys->own_secret}, others.keys->coordinator});

  const std::uint64_t said = say_everything(agents_[0], launched.session);
  EXPECT_TRUE(eventually([&] {
    beat(1);
    EXPECT_THAT(arrived<ContainerEnded>(), IsEmpty());
    EXPECT_THAT(arrived<NodeLost>(), IsEmpty());
    EXPECT_THAT(arrived<NodeJoined>(), IsEmpty());
    EXPECT_THAT(round_.master_calls, IsEmpty());
    for (const NodeHeartbeat& beat : arrived<NodeHeartbeat>()) EXPECT_EQ(beat.node, NodeId(1u));
    return were_all_judged(said);
  })) << unheeded();
  EXPECT_THAT(logged_, IsEmpty());

  // The victim's own session goes on, and its own word counts.
  wire::ContainerExit honest = exit_of(8, 1);
  honest.exit_code = 3;
  honest.end = ContainerEnd::failed;
  agents_[0].send(heartbeat({honest}));
  EXPECT_TRUE(eventually([&] {
    wait();
    return !arrived<ContainerEnded>().empty();
  }));
  ASSERT_THAT(arrived<ContainerEnded>(), SizeIs(1));
  EXPECT_EQ(arrived<ContainerEnded>()[0].end, ContainerEnd::failed);
  EXPECT_EQ(fleet_->counters().agents_lost, 0u);
}

class StrangersBeforeARun : public StrangersTest {};

TEST_P(StrangersBeforeARun, ChangeNothingWhileAgentsAreAwaited) {
  open(2);
  connect(std::nullopt);
  ScriptedAgent& first = add_agent(0);
  const std::uint64_t said = say_everything(first, 77);
  stranger_->send_as({"another-run", 0, 5, 2'000}, first.hello());
  int looks = 0;
  bool are_asked = false;
  const auto look = [&] {
    ++looks;
    for (const AgentRecord& agent : fleet_->agents()) {
      EXPECT_TRUE(are_asked || !agent.is_connected);
    }
    if (are_asked || !were_all_judged(said + (is_let_in() ? 1 : 0))) return;
    are_asked = true;
    first.send_hello();
    add_agent(1).send_hello();
  };
  EXPECT_NO_THROW(fleet_->wait_for_agents(timeout, look));
  EXPECT_TRUE(are_asked);
  first.expect<wire::Welcome>();
  EXPECT_THAT(logged_, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(OfEveryKind, StrangersTest,
                         testing::Values(Stranger::has_no_key, Stranger::has_an_unknown_key,
                                         Stranger::has_another_agents_key,
                                         Stranger::has_a_masters_key));
// Masters have no keys before there are masters.
INSTANTIATE_TEST_SUITE_P(OfEveryKind, StrangersBeforeARun,
                         testing::Values(Stranger::has_no_key, Stranger::has_an_unknown_key,
                                         Stranger::has_another_agents_key));

}  // namespace
}  // namespace tracebed::test
