// What a step expects: all that differs is told, and bounds and counts are as good as figures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/scenario/load_scenario.h"
#include "coordinator/scenario/story.h"
#include "core/input_error.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Six lines; two applications get three containers and one of them.
constexpr const char* two_applications =
    "[scheduler]\nname = 'fifo'\n[[node]]\nvcores = 4\nmemory = '4 GiB'\n[[application]]\n"
    "name = 'a'\nasks = [{ name = 'maps', memory = '1 GiB', count = 2 }, { memory = '1 GiB' }]\n"
    "[[application]]\nname = 'b'\nasks = [{ memory = '1 GiB', count = 3 }]\n"
    "[[step]]\nheartbeat = 'n1'\n";

std::vector<std::string> unmet_of(const std::string& expectations) {
  const std::string text = std::string(two_applications) + expectations;
  const auto scenarios = parse_scenarios(test::schedulers(), text, "story.toml", ".");
  return play(scenarios.at(0), test::schedulers()).at(1).unmet;
}

std::string refusal_of(const std::string& expectations) {
  try {
    (void)unmet_of(expectations);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(Expectations, AllThatDifferAreTold) {
  EXPECT_THAT(
      unmet_of("[step.expect]\nused.a = { memory = 1, vcores = 1 }\nused.b.memory = 2\n"
               "used.c.memory = 0\npending = { a = 0, b = 7 }\n"),
      ElementsAre("story.toml:18: step[0].expect.pending.b: expected 7, got 2",
                  "story.toml:15: step[0].expect.used.a.memory: expected 1, got 3072",
                  "story.toml:15: step[0].expect.used.a.vcores: expected 1, got 3",
                  "story.toml:15: step[0].expect.used.b.memory: expected 2, got 1024",
                  "story.toml:15: step[0].expect.used.c: expected {\"memory\":0}, but there is no "
                  "c"));
}

TEST(Expectations, MayBeBounds) {
  EXPECT_THAT(unmet_of("[step.expect]\n"
                       "used.a.memory = { at_least = '3 GiB', at_most = 3072 }\n"
                       "used.b = { memory = { not = 0 }, vcores = { at_least = 0.5 } }\n"
                       "allocated = { at_least = 4, at_most = 4 }\n"
                       "waiting.b = { not = 'locality' }\n"
                       "why.b = { not = 'limit' }\n"
                       "running.n1 = { not = ['a', 'a'] }\n"),
              IsEmpty());
  EXPECT_THAT(
      unmet_of("[step.expect]\n"
               "allocated = { at_least = 5 }\n"
               "used.a.memory = { at_least = '4 GiB', not = '3 GiB' }\n"
               "used.b = { memory = { at_most = 1000 }, vcores = { at_most = 0.5 } }\n"
               "waiting.b = { not = 'room' }\n"
               "why.b = { not = '1024 MiB' }\n"),
      ElementsAre(
          HasSubstr("step[0].expect.allocated: expected at least 5, got [\"a.maps@n1\","),
          HasSubstr("step[0].expect.used.a.memory: expected at least 4096, got 3072"),
          HasSubstr("step[0].expect.used.a.memory: expected something other than 3072, got 3072"),
          HasSubstr("step[0].expect.used.b.memory: expected at most 1000, got 1024"),
          HasSubstr("step[0].expect.used.b.vcores: expected at most 0.5, got 1"),
          HasSubstr("step[0].expect.waiting.b: expected something other than \"room\", got "
                    "[\"room\"]"),
          HasSubstr("step[0].expect.why.b: expected something other than \"1024 MiB\", got ")));
}

// "a" is not of application "ab": names end where they end.
TEST(Expectations, MayCountContainersOfApplicationsAsksAndNodes) {
  EXPECT_THAT(unmet_of("[step.expect]\n"
                       "allocated = { a = 3, 'a.maps' = 2, b = 1, '@n1' = 4, 'a.maps@n1' = 2, "
                       "'a.m' = 0, '@1' = 0, c = 0 }\n"
                       "running.n1 = { a = 3, b = { at_least = 1 } }\n"
                       "locality = { none_asked = 4, node = 0 }\n"
                       "waiting.b = { room = 1, locality = 0 }\n"
                       "killed = { a = 0 }\n"),
              IsEmpty());
  EXPECT_THAT(
      unmet_of("[step.expect]\n"
               "allocated = { a = 2, b = { at_least = 2 } }\n"
               "running.n1 = { c = 1 }\n"),
      ElementsAre(HasSubstr("step[0].expect.allocated.a: expected 2, got 3 in [\"a.maps@n1"),
                  HasSubstr("step[0].expect.allocated.b: expected at least 2, got 1 in ["),
                  HasSubstr("step[0].expect.running.n1.c: expected 1, got 0 in [")));
}

// What is not limited is more than any number.
TEST(Expectations, OfAnUnlimitedFigureAreAboveEveryBound) {
  const std::string text =
      "[scheduler]\nname = 'fair'\n[[node]]\nvcores = 4\nmemory = '4 GiB'\n"
      "[[application]]\nname = 'a'\nqueue = 'root.q'\nasks = [{ memory = '1 GiB' }]\n"
      "[expect.queues.'root.q']\nmaximum.memory = { at_least = '1 TiB' }\n"
      "maximum_running_applications = { at_most = 5 }\n";
  const auto steps =
      play(parse_scenarios(test::schedulers(), text, "story.toml", ".").at(0), test::schedulers());
  EXPECT_THAT(steps.at(0).unmet,
              ElementsAre(HasSubstr("maximum_running_applications: expected at most 5, got null")));
}

TEST(Expectations, AreRefusedWhereTheyMeanNothing) {
  const auto at = [](const std::string& rest) {
    return HasSubstr("story.toml:15: step[0].expect." + rest);
  };
  const auto refusal = [](const std::string& line) {
    return refusal_of("[step.expect]\n" + line + "\n");
  };
  EXPECT_THAT(refusal("used.a.memory = { at_least = 1, more = 2 }"),
              at("used.a.memory.more: a table with at_least, at_most or not has nothing else"));
  EXPECT_THAT(refusal("used.a.memory = { at_least = true }"),
              at("used.a.memory.at_least: expected a number of MiB or a size, got true"));
  EXPECT_THAT(refusal("used.a.vcores = { at_most = 'two' }"),
              at("used.a.vcores.at_most: expected a number, got \"two\""));
  EXPECT_THAT(refusal("used.a.vcores = { at_most = nan }"),
              at("used.a.vcores.at_most: expected a number, got nan"));
  EXPECT_THAT(refusal("used.a.vcores = { at_least = 3, at_most = 2 }"),
              at("used.a.vcores: expected at_least to be no more than at_most, got 3 and 2"));
  EXPECT_THAT(refusal("used.a = { not = { memory = 1 } }"),
              at("used.a.not: expected a text, number, boolean or list"));
  EXPECT_THAT(refusal("allocated = { a = 'two' }"),
              at("allocated.a: expected how many there are: a whole number, or at_least, at_most "
                 "or not of one, got \"two\""));
  EXPECT_THAT(refusal("allocated = {}"),
              at("allocated: expected how many there are of at least one name, got "));
  EXPECT_THAT(refusal("allocated = { a = -1 }"), at("allocated.a: expected how many there are"));
  EXPECT_THAT(refusal("running.n1 = { a = 0.5 }"), at("running.n1.a: expected how many there are"));
}

TEST(Expectations, OfAnAskGoByItsName) {
  const std::string text =
      "[scheduler]\nname = 'capacity'\n[scheduler.config.yarn.scheduler.capacity]\n"
      "maximum-am-resource-percent = 1\nroot = { queues = 'default', default.capacity = 100 }\n"
      "node-locality-delay = 9\n"
      "[[node]]\ncount = 2\nvcores = 4\nmemory = '4 GiB'\n"
      "[[application]]\nname = 'first'\nasks = [{ memory = '1 GiB' }]\n"
      "[[application]]\nname = 'a'\n"
      "asks = [{ name = 'maps', memory = '1 GiB', count = 2, nodes = ['n2'] },\n"
      "        { memory = '1 GiB', priority = 5, count = 2, nodes = ['n2'] }]\n"
      "[[step]]\nheartbeat = 'n1'\n"
      "[[step]]\nheartbeat = 'n1'\n"
      "expect.asks.a.missed_opportunities = 0\n"
      "expect.asks.'a.maps' = { missed_opportunities = { at_least = 1 }, "
      "figures.'Missed Opportunities' = { not = '0' } }\n";
  const auto steps =
      play(parse_scenarios(test::schedulers(), text, "story.toml", ".").at(0), test::schedulers());
  EXPECT_THAT(steps.at(2).unmet, IsEmpty()) << steps.at(2).facts.dump(2);
  for (const auto& [figure, value] : steps.at(2).facts.at("applications").at("a").items()) {
    EXPECT_EQ(figure.find("of_ask"), std::string::npos) << figure;
  }
}

}  // namespace
}  // namespace tracebed
