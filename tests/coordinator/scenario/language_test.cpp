// What scenarios can say, each in a story that is as small as can be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/scenario/load_scenario.h"
#include "coordinator/scenario/story_text.h"
#include "core/input_error.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Scenario> cases_of(const std::string& text) {
  return parse_scenarios(test::schedulers(), text, "story.toml", ".");
}

std::vector<PlayedStep> play_text(const std::string& text) {
  return play(cases_of(text).at(0), test::schedulers());
}

void expect_to_hold(const std::string& text) {
  for (const Scenario& scenario : cases_of(text)) {
    const std::vector<PlayedStep> steps = play(scenario, test::schedulers());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      EXPECT_TRUE(steps[i].unmet.empty()) << scenario.name << "\n" << to_text(steps[i], i, true);
    }
  }
}

constexpr const char* one_node = "[[node]]\nvcores = 8\nmemory = '8 GiB'\n";
const std::string fifo = std::string("[scheduler]\nname = 'fifo'\n") + one_node;

TEST(ScenarioLanguage, AMasterRunsFirstAndThenAsks) {
  expect_to_hold(fifo + R"(
    [[application]]
    name = 'a'
    master = { memory = '2 GiB' }
    asks = [{ memory = '1 GiB', count = 2 }]
    [expect]
    pending = { 'a.master' = 1 }
    [[step]]
    heartbeat = 'n1'
    expect.allocated = ['a.master@n1']
    [[step]]
    heartbeat = 'n1'
    expect.allocated = ['a@n1 x2']
    expect.used.a = { memory = '4 GiB' }
    expect.pending = { 'a.master' = 0, a = 0 }
    [[step]]
    ask = { application = 'a', name = 'more', memory = '1 GiB' }
    [[step]]
    release = 'a@n1'
    times = 2
    expect.ended = ['a@n1 x2']
    [[step]]
    heartbeat = 'n1'
    expect.running.n1 = ['a.master', 'a.more'])");
}

TEST(ScenarioLanguage, AMasterMayRunWhenTheStoryBegins) {
  expect_to_hold(fifo + R"(
    [[application]]
    name = 'a'
    master = { memory = '2 GiB' }
    asks = [{ memory = '1 GiB', count = 1 }]
    running = [{ node = 'n1', count = 3 }, { ask = 'master', node = 'n1' }]
    [expect]
    pending = { 'a.master' = 0, a = 1 }
    used.a = { memory = '5 GiB' })");
}

// As any request, that of a master is rounded up; only one without a container takes nothing.
TEST(ScenarioLanguage, AMasterOfSizeZeroIsRoundedUpAndCounts) {
  const auto story = [](const std::string& scheduler, const std::string& expected) {
    return "[scheduler]\n" + scheduler + one_node + R"(
    [[application]]
    name = 'a'
    queue = 'root.q'
    master = { memory = '0 MiB', vcores = 0 }
    asks = [{ memory = '1 GiB', count = 2 }]
    [[step]]
    update = true
    [[step]]
    heartbeat = 'n1'
    expect.allocated = ['a.master@n1']
    [[step]]
    update = true
    [[step]]
    heartbeat = 'n1'
    times = 2
    expect.allocated = { a = 2 }
    expect.used.a.memory = '3 GiB'
    )" + expected;
  };
  expect_to_hold(story("name = 'fair'\n", "expect.queues.'root.q'.masters.memory = '1 GiB'\n"));
  expect_to_hold(
      story("name = 'capacity'\nconfig.yarn.scheduler.capacity = { root = { queues = "
            "'q', q.capacity = 100 }, maximum-am-resource-percent = 1 }\n",
            "expect.queues.'root.q'.masters.memory = '1 GiB'\n"));
}

// What a limit would refuse can be the state in which a story begins.
TEST(ScenarioLanguage, MoreMayRunThanALimitAllowsWhenTheStoryBegins) {
  const std::string applications = std::string(one_node) + R"(
    [[application]]
    name = 'a'
    queue = 'root.q'
    master = { memory = '1 GiB' }
    asks = [{ memory = '1 GiB', priority = 5 }]
    running = [{ ask = 'master', node = 'n1' }, { node = 'n1', count = 2 }]
    [[application]]
    name = 'b'
    queue = 'root.q'
    master = { memory = '1 GiB' }
    asks = [{ memory = '1 GiB', priority = 5 }]
    running = [{ ask = 'master', node = 'n1' }, { node = 'n1', count = 2 }]
    [[step]]
    update = true
    [[step]]
    heartbeat = 'n1'
    expect.running.n1 = { a = { at_least = 3 }, b = 3 }
    )";
  const auto fair = [&](const std::string& limit, const std::string& expected) {
    SCOPED_TRACE(limit);
    expect_to_hold("[scheduler]\nname = 'fair'\nconfig = \"<allocations><queue name='q'>" + limit +
                   "</queue></allocations>\"\n" + applications + expected);
  };
  fair("<maxResources>2048 mb, 2 vcores</maxResources>",
       "expect.allocated = []\nexpect.waiting = { a = 'queue_room', b = 'queue_room' }\n");
  fair("<maxRunningApps>1</maxRunningApps>",
       "expect.allocated = ['a@n1']\nexpect.waiting.b = 'running_limit'\n");
  // Both masters run: the limit is for those that do not.
  fair("<maxAMShare>0.1</maxAMShare>",
       "expect.allocated = ['a@n1']\nexpect.queues.'root.q'.masters.memory = '2 GiB'\n"
       "expect.waiting.b = { not = 'master_limit' }\n");
  const auto capacity = [&](const std::string& limit, const std::string& expected) {
    SCOPED_TRACE(limit);
    expect_to_hold(
        "[scheduler]\nname = 'capacity'\n[scheduler.config.yarn.scheduler.capacity]\n"
        "root = { queues = 'q,r', q.capacity = 50, r.capacity = 50, " +
        limit + " }\n" + applications + expected);
  };
  capacity("q.maximum-capacity = 50, q.maximum-am-resource-percent = 1",
           "expect.allocated = []\nexpect.waiting = { a = 'queue_room', b = 'queue_room' }\n");
  capacity("q.maximum-am-resource-percent = 0.1, q.user-limit-factor = 9",
           "expect.allocated = ['a@n1']\nexpect.waiting.b = 'master_limit'\n");
  capacity("q.maximum-am-resource-percent = 1, q.user-limit-factor = 0.5",
           "expect.allocated = []\nexpect.waiting.a = 'user_limit'\n");
}

TEST(ScenarioLanguage, StepsComeAtAnyTimeOrAtOne) {
  const std::string text = "beat = '0s'\n" + fifo + R"(
    [[application]]
    name = 'a'
    asks = [{ memory = '1 GiB', count = 1 }]
    [[step]]
    heartbeat = 'n1'
    [[step]]
    at = '2500ms'
    finish = 'a@n1'
    [[step]]
    at = '2500ms'
    [[step]]
    at = '1h')";
  const std::vector<PlayedStep> steps = play_text(text);
  std::vector<std::int64_t> times;
  for (const PlayedStep& step : steps) times.push_back(to_microseconds(step.at));
  EXPECT_THAT(times, ElementsAre(0, 0, 2'500'000, 2'500'000, 3'600'000'000));
}

// The update thread is far away, so that without the step the demand would not be known.
TEST(ScenarioLanguage, FiguresAreUpdatedWhenTheStorySays) {
  const std::string text =
      std::string("[scheduler]\nname = 'fair'\nupdate_interval_ms = 100000\n") + one_node + R"(
    [[application]]
    name = 'a'
    queue = 'root.q'
    asks = [{ memory = '1 GiB', count = 2 }]
    [[step]]
    heartbeat = 'n1'
    expect.queues.'root.q'.demand.memory = 0
    [[step]]
    update = true
    expect.queues.'root.q'.demand.memory = '2 GiB'
    expect.queues.'root.q'.fair_share.memory = '8 GiB'
    expect.applications.a.fair_share.memory = '8 GiB'
    expect.allocated = [])";
  expect_to_hold(text);
}

TEST(ScenarioLanguage, CapacityHasARoundOfPreemptionWhenTheStorySays) {
  expect_to_hold(std::string("beat = '0s'\n[scheduler]\nname = 'capacity'\n") +
                 "preemption = { enabled = true, natural_termination_factor = 1, "
                 "total_preemption_per_round = 1 }\n" +
                 R"([scheduler.config.yarn.scheduler.capacity.root]
    queues = 'a,b'
    a.capacity = 25
    a.user-limit-factor = 9
    b.capacity = 75
    )" + one_node +
                 R"(
    [[application]]
    name = 'one'
    queue = 'a'
    asks = [{ memory = '1 GiB', count = 1 }]
    running = [{ node = 'n1', count = 6 }]
    [[application]]
    name = 'two'
    queue = 'b'
    asks = [{ memory = '1 GiB', count = 4 }]
    [[step]]
    update = true
    expect.wanted_back = ['one@n1 x2']
    [step.expect.queues.'root.a']
    ideal.memory = '4 GiB'
    preemptable.memory = '4 GiB'
    untouchable.memory = 0
    to_preempt.memory = '2 GiB'
    active_users = 1
    dominant_share = 0.75
    [step.expect.queues.'root.b']
    ideal.memory = '4 GiB')");
}

// Whatever the scheduler does at intervals, it can do at any moment. Some need time to decide.
TEST(ScenarioLanguage, EverySchedulerMayBeToldToUpdate) {
  for (const SchedulerEntry& entry : test::schedulers()) {
    SCOPED_TRACE(std::string(entry.name));
    const char* queues =
        "config.yarn.scheduler.capacity = { maximum-am-resource-percent = 1, root = { queues = "
        "'default', default.capacity = 100 } }\n";
    expect_to_hold("[scheduler]\nname = '" + std::string(entry.name) + "'\n" +
                   (entry.name == "capacity" ? queues : "") + one_node + R"(
    [[application]]
    name = 'a'
    asks = [{ memory = '1 GiB', priority = 20, count = 2 }]
    [[application]]
    name = 'b'
    asks = [{ memory = '1 GiB', priority = 20, count = 3 }]
    [[step]]
    update = true
    expect.allocated = []
    [[step]]
    heartbeat = 'n1'
    times = 9
    [[step]]
    advance = '1s'
    [[step]]
    update = true
    expect.killed = []
    [[step]]
    heartbeat = 'n1'
    times = 9
    expect.used = { a.memory = '2 GiB', b.memory = '3 GiB' })");
  }
}

TEST(ScenarioLanguage, OldReducesNeedNotWaitForMaps) {
  const auto story = [](const char* waits, const char* share) {
    return std::string("[scheduler]\nname = 'slot_fair'\ngeneration = '0.20'\nslots = 2\n") +
           "wait_for_maps_before_launching_reduces = " + waits + "\n" + one_node + R"(
    [[application]]
    name = 'a'
    asks = [{ name = 'maps', priority = 20, memory = '1 GiB', count = 2 },
            { name = 'reduces', priority = 10, memory = '1 GiB', count = 2 }]
    [[step]]
    update = true
    expect.applications.a.fair_share_reduce = )" +
           share + "\n";
  };
  expect_to_hold(story("true", "0"));
  expect_to_hold(story("false", "1"));
}

TEST(ScenarioLanguage, SlotSchedulersShowHowNearATaskHasToBe) {
  expect_to_hold(R"(beat = '0s'
    [scheduler]
    name = 'slot_fair'
    slots = 2
    locality_delay_ms = 4000
    [[node]]
    count = 2
    vcores = 8
    memory = '8 GiB'
    [[application]]
    name = 'a'
    asks = [{ memory = '1 GiB', priority = 20, nodes = ['n1'] }]
    [[step]]
    at = '1s'
    heartbeat = 'n2'
    [[step]]
    at = '3500ms'
    heartbeat = 'n2'
    expect.applications.a.waited_for_places = 2.5
    expect.applications.a.figures.'Allowed Locality Level' = 'node'
    [[step]]
    at = '5s'
    heartbeat = 'n2'
    expect.allocated = ['a@n2']
    expect.locality = ['rack'])");
}

TEST(ScenarioLanguage, ApplicationsMayRequestATime) {
  expect_to_hold(fifo + R"(
    [[application]]
    name = 'a'
    requested_time = '90m'
    asks = [{ memory = '1 GiB' }]
    [expect]
    requested_time.a = 5400)");
}

TEST(ScenarioLanguage, ApplicationsMayHaveADeadline) {
  expect_to_hold(fifo + R"(
    [[application]]
    name = 'a'
    deadline = '90s'
    asks = [{ memory = '1 GiB' }]
    [[application]]
    name = 'b'
    asks = [{ memory = '1 GiB' }]
    [expect]
    deadline = { a = 90 })");
}

TEST(ScenarioLanguage, CasesBeginWithWhatTheFileSays) {
  const std::string text = R"(
    [scheduler]
    name = 'capacity'
    [scheduler.config.yarn.scheduler.capacity.root]
    queues = 'a,b'
    a.capacity = 25
    b.capacity = 75
    [[node]]
    vcores = 8
    memory = '8 GiB'
    [expect]
    queues.root.used.memory = 0
    [[case]]
    name = 'as the file says'
    expect.queues.'root.a'.entitled.memory = '2 GiB'
    [[case]]
    name = 'other properties, and one more node'
    scheduler.config.yarn.scheduler.capacity.root = { a.capacity = 50, b.capacity = 50 }
    node = [{ vcores = 8, memory = '8 GiB' }]
    expect.queues.'root.a'.entitled.memory = '8 GiB'
    [[case.step]]
    refresh.config.yarn.scheduler.capacity.root = { a.capacity = 10, b.capacity = 90 }
    expect.refused = 'nothing'
    expect.queues.'root.a'.entitled.memory = 1638
    [[case]]
    name = 'another scheduler'
    scheduler.name = 'fifo'
    step = [{ expect.free.n1.memory = '8 GiB' }]
    expect.queue_order = []
    )";
  const std::vector<Scenario> cases = cases_of(text);
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(play(cases[0], test::schedulers()).at(0).unmet, std::vector<std::string>());
  EXPECT_EQ(play(cases[1], test::schedulers()).at(0).unmet, std::vector<std::string>());
  EXPECT_EQ(play(cases[1], test::schedulers()).at(1).unmet, std::vector<std::string>());
  // What the file expects at the start, all its cases do.
  EXPECT_THAT(play(cases[2], test::schedulers()).at(0).unmet,
              ElementsAre(HasSubstr("there is no root")));
}

TEST(ScenarioLanguage, StepsBeforeAnImpossibleOneArePlayed) {
  const Scenario scenario =
      cases_of(fifo + "[[step]]\n[[step]]\nfinish = 'a@n1'\n[[step]]\n").at(0);
  std::vector<std::string> titles;
  EXPECT_THROW(play(scenario, test::schedulers(),
                    [&](const PlayedStep& step) { titles.push_back(step.title); }),
               InputError);
  EXPECT_THAT(titles, ElementsAre("the start", "a look"));
}

}  // namespace
}  // namespace tracebed
