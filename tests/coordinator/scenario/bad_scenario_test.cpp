// Scenarios that cannot be played stop with file, line, key, expected and got.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/scenario/load_scenario.h"
#include "coordinator/scenario/story.h"
#include "coordinator/scenario/story_fault.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

constexpr const char* good =
    "[scheduler]\nname = 'fifo'\n[[node]]\nvcores = 2\nmemory = '2 GiB'\n"
    "[[application]]\nname = 'a'\nasks = [{ memory = '1 GiB', count = 2 }]\n";

std::vector<PlayedStep> played(const std::string& text) {
  return play(parse_scenarios(test::schedulers(), text, "story.toml", ".").at(0),
              test::schedulers());
}

struct BadScenario {
  std::string text;  // after the good one
  std::string fault;
};

class BadScenarios : public testing::TestWithParam<BadScenario> {};

TEST_P(BadScenarios, SayWhereAndWhatWasExpected) {
  EXPECT_THAT(story_fault(good + GetParam().text), HasSubstr(GetParam().fault));
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadScenarios,
    testing::Values(
        BadScenario{"colour = 1\n", "story.toml:9: application[0].colour: unknown key"},
        BadScenario{"[[step]]\nheartbeat = 'n1'\nfinish = 'a@n1'\n",
                    "story.toml:11: step[0].finish: a step does one thing, and this one has "
                    "step[0].heartbeat already"},
        BadScenario{"[[step]]\nsubmit = 'a'\ntimes = 2\n", "story.toml:11: step[0].times: only"},
        BadScenario{"[[step]]\nheartbeat = 'n7'\n",
                    "story.toml:9: step[0]: there is no node \"n7\""},
        BadScenario{"[[step]]\nfinish = 'a@n1'\n", "story.toml:9: step[0]: no container a@n1 runs"},
        BadScenario{"[[step]]\nend = 'b'\n", "there is no application \"b\""},
        BadScenario{"[[step]]\njoin = 'n1'\n", "n1 is already there"},
        BadScenario{"[[step]]\nask = { memory = '1 GiB' }\n",
                    "story.toml:10: step[0].ask.application: this key is missing"},
        BadScenario{"[[step]]\nask = { application = 'a', memory = '1 GiB', priority = 3 }\n",
                    "an ask keeps its priority"},
        BadScenario{
            "[[step]]\nask = { application = 'a', memory = '1 GiB', nodes = { n1 = { count "
            "= 1, memory = '2 GiB' } } }\n",
            "story.toml:10: step[0].ask.nodes.n1: expected how many units are wanted there, "
            "got a table: an ask has one size"},
        BadScenario{"[[step]]\nexpect.alocated = []\n",
                    "step[0].expect.alocated: unknown key; did you mean allocated?"},
        BadScenario{"[[step]]\nat = '0s'\nheartbeat = 'n1'\n",
                    "story.toml:9: step[0].at: expected a time that is not before"},
        BadScenario{"[[step]]\nupdate = false\n", "story.toml:10: step[0].update: expected true"},
        BadScenario{"master = { memory = '1 GiB', count = 2 }\n",
                    "story.toml:9: application[0].master: an application's master is one"},
        BadScenario{"master = { memory = '1 GiB' }\nrunning = [{ node = 'n1' }]\n",
                    "application[0].running: expected the application's master, once"},
        BadScenario{"master = { memory = '1 GiB' }\n[[step]]\nask = { application = 'a', memory = "
                    "'1 GiB' }\n",
                    "story.toml:11: step[0].ask: the master of a has no container yet"},
        BadScenario{"[[case]]\nsource = 'x'\n", "story.toml:9: case[0].name: this key is missing"},
        BadScenario{"[[case]]\nname = 'x'\n[[case]]\nname = 'x'\n",
                    "story.toml:11: case[1]: there are two cases \"x\""},
        BadScenario{"[[case]]\nname = 'x'\n[[case.step]]\nheartbeat = 'n7'\n",
                    "story.toml:11: case[0].step[0]: there is no node \"n7\""},
        BadScenario{"running = [{ ask = 'maps', node = 'n1' }]\n",
                    "application[0].running[0]: the application has no ask \"maps\""},
        BadScenario{"running = [{ node = 'n1', count = 3 }]\n",
                    "story.toml:9: application[0].running[0]: the node n1 has no room for it"},
        BadScenario{"[[step]]\nask = { application = 'a', memory = '1 GiB', count = 100000 }\n" +
                        [] {
                          std::string more;
                          for (int i = 0; i < 10; ++i) {
                            more +=
                                "[[step]]\nask = { application = 'a', memory = '1 GiB', "
                                "count = 100000 }\n";
                          }
                          return more;
                        }(),
                    "expected asks for at most 1000000 containers, got 1100002"}));

TEST(Scenario, TellsWhatIsNotAsExpected) {
  const std::string text = std::string(good) +
                           "[[step]]\nheartbeat = 'n1'\nexpect.allocated = ['a@n1']\n"
                           "expect.free.n1 = { memory = '1 GiB' }\nexpect.why.a = 'limit'\n"
                           "expect.queues.root = {}\n";
  const std::vector<PlayedStep> steps = played(text);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_THAT(steps[1].unmet,
              testing::UnorderedElementsAre(
                  "story.toml:11: step[0].expect.allocated: expected [\"a@n1\"], got "
                  "[\"a@n1\",\"a@n1\"]",
                  "story.toml:12: step[0].expect.free.n1.memory: expected 1024, got 0",
                  "story.toml:13: step[0].expect.why.a: expected \"limit\", got \"\"",
                  "story.toml:14: step[0].expect.queues.root: expected {}, but there is no root"));
}

TEST(Scenario, HasNoSchedulerThatMeasuresItsDecisions) {
  EXPECT_THAT(
      story_fault("[scheduler]\nname = 'monolithic'\ndecision_time = 'measured'\n"
                  "[[node]]\nvcores = 1\nmemory = '1 GiB'\n"),
      HasSubstr("decision_time = \"measured\" needs real machines, but a scenario's time is "
                "its own"));
}

TEST(Scenario, MayExpectThatASchedulerIsRefused) {
  const std::string text =
      "refused = 'has no setting \"colour\"'\n[scheduler]\nname = 'fifo'\n"
      "colour = 'red'\n";
  const std::vector<PlayedStep> steps = played(text);
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_TRUE(steps[0].unmet.empty());
  EXPECT_THAT(steps[0].facts.at("refused").get<std::string>(),
              HasSubstr("story.toml:4: scheduler.colour"));
  const std::string accepted = "refused = 'colour'\n[scheduler]\nname = 'fifo'\n";
  EXPECT_EQ(played(accepted)[0].unmet.size(), 1u);
}

TEST(Scenario, RunsAHundredThousandContainersThroughOneNode) {
  std::string text =
      "[scheduler]\nname = 'fifo'\n[[node]]\nvcores = 100000\nmemory = '100 TiB'\n"
      "[[application]]\nname = 'a'\nasks = [{ memory = '1 GiB', count = 100000 }]\n"
      "[[step]]\nheartbeat = 'n1'\nexpect.allocated = ['a@n1 x100000']\n";
  EXPECT_TRUE(played(text)[1].unmet.empty());
}

}  // namespace
}  // namespace tracebed
