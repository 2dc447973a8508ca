// Plays every story of tests/scenarios; each is a test of its own, named as its file.
#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

#include "coordinator/scenario/load_scenario.h"
#include "coordinator/scenario/story_text.h"

namespace tracebed {
namespace {

std::vector<std::string> stories() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(TRACEBED_SCENARIOS)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Stories : public testing::TestWithParam<std::string> {};

TEST_P(Stories, Holds) {
  const std::filesystem::path folder = TRACEBED_SCENARIOS;
  const Scenario scenario = load_scenario(folder / (GetParam() + ".toml"));
  const std::vector<PlayedStep> steps = play(scenario);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_TRUE(steps[i].unmet.empty()) << to_text(steps[i], i, true);
  }
}

INSTANTIATE_TEST_SUITE_P(Scenario, Stories, testing::ValuesIn(stories()),
                         [](const auto& story) { return story.param; });

}  // namespace
}  // namespace tracebed
