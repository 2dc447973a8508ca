// Plays every story of tests/scenarios: each case is a test of its own, named as its file and case.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <gtest/gtest.h>

#include "coordinator/scenario/expectations.h"
#include "coordinator/scenario/load_scenario.h"
#include "coordinator/scenario/story_text.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

struct Story {
  std::string file;  // below the folder of stories
  std::size_t number = 0;
  std::string title;  // of the test
};

std::string title_text(const std::string& text) {
  std::string title;
  for (const char c : text) {
    title += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  return title;
}

// A file that cannot be read is one story, which then says why.
std::vector<Story> stories() {
  std::vector<Story> all;
  const std::filesystem::path folder = TRACEBED_SCENARIOS;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    const std::string file = entry.path().lexically_relative(folder).string();
    const std::string title = title_text(file.substr(0, file.size() - 5));
    try {
      const std::vector<Scenario> cases = load_scenarios(test::schedulers(), entry.path());
      for (std::size_t i = 0; i < cases.size(); ++i) {
        const bool is_alone = cases.size() == 1;
        all.push_back({file, i, is_alone ? title : title + "__" + title_text(cases[i].name)});
      }
    } catch (const std::exception&) {
      all.push_back({file, 0, title});
    }
  }
  std::sort(all.begin(), all.end(), [](const Story& a, const Story& b) {
    return std::pair(a.file, a.number) < std::pair(b.file, b.number);
  });
  return all;
}

class Stories : public testing::TestWithParam<Story> {
 protected:
  Scenario scenario() const {
    const std::filesystem::path folder = TRACEBED_SCENARIOS;
    return load_scenarios(test::schedulers(), folder / GetParam().file).at(GetParam().number);
  }
};

TEST_P(Stories, Holds) {
  const Scenario story = scenario();
  const std::vector<PlayedStep> steps = play(story, test::schedulers());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_TRUE(steps[i].unmet.empty()) << to_text(steps[i], i, true);
  }
}

using Json = nlohmann::ordered_json;

// Everything that differs from `value` in one leaf.
std::vector<Json> changes_of(const Json& value) {
  std::vector<Json> changes;
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) {
      for (const Json& changed : changes_of(inner)) {
        Json& whole = changes.emplace_back(value);
        whole[key] = changed;
      }
    }
  } else if (value.is_array()) {
    changes.push_back(value);
    changes.back().push_back("somebody@nowhere");
    if (value.empty()) return changes;
    changes.push_back(value);
    changes.back().erase(0);
  } else if (value.is_boolean()) {
    changes.emplace_back(!value.get<bool>());
  } else if (value.is_string()) {
    changes.emplace_back(value.get<std::string>() + "~");
  } else if (value.is_number_integer()) {
    changes.emplace_back(value.get<std::int64_t>() + 1);
  } else {
    changes.emplace_back(value.get<double>() + 0.01);
  }
  return changes;
}

// Expectations that hold whatever happens say nothing.
TEST_P(Stories, FailsWithAnyOtherFigure) {
  const Scenario story = scenario();
  if (!story.refused.empty()) {
    Scenario other = story;
    other.refused += "~";
    EXPECT_FALSE(play(other, test::schedulers()).at(0).unmet.empty());
    return;
  }
  const std::vector<PlayedStep> steps = play(story, test::schedulers());
  std::size_t changes = 0;
  const auto look = [&](const std::vector<ExpectedFact>& expected, const StoryFacts& facts) {
    for (const ExpectedFact& fact : expected) {
      const std::vector<Json> others = changes_of(fact.value);
      EXPECT_FALSE(others.empty()) << fact.where << " expects nothing";
      changes += others.size();
      for (const Json& other : others) {
        const ExpectedFact changed{fact.where, fact.name, other};
        EXPECT_FALSE(unmet(std::span(&changed, 1), facts).empty())
            << fact.where << ": " << other.dump() << " would hold, too";
      }
    }
  };
  look(story.expected, steps.at(0).facts);
  for (std::size_t i = 0; i < story.steps.size(); ++i) {
    look(story.steps[i].expected, steps.at(i + 1).facts);
  }
  EXPECT_GT(changes, 0u) << "the story expects nothing";
}

INSTANTIATE_TEST_SUITE_P(Scenario, Stories, testing::ValuesIn(stories()),
                         [](const auto& story) { return story.param.title; });

// What is restated from Hadoop's tests says which of them states the rule.
TEST(StoriesOfHadoop, NameTheTestThatStatesTheRule) {
  const std::filesystem::path folder = std::filesystem::path(TRACEBED_SCENARIOS) / "hadoop";
  std::size_t cases = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    for (const Scenario& scenario : load_scenarios(test::schedulers(), entry.path())) {
      ++cases;
      EXPECT_TRUE(scenario.source.starts_with("Test") &&
                  scenario.source.find('.') != std::string::npos)
          << entry.path() << ", " << scenario.name << ": " << scenario.source;
    }
  }
  EXPECT_GE(cases, 100u);
}

}  // namespace
}  // namespace tracebed
