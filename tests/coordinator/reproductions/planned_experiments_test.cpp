// Every experiment that a reproduction plans is one that `tracebed run` takes.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include "coordinator/config/load_experiment.h"
#include "coordinator/reproductions/reproductions.h"
#include "coordinator/resolving/resolved_experiment.h"
#include "core/input_error.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;

ReproductionRequest request_in(const TemporaryFolder& folder, SettingValues settings = {}) {
  return {folder.path(), 1, 2, std::move(settings)};
}

TEST(Reproductions, HaveNamesTextsAndTheOrderOfTheirNames) {
  const std::vector<Reproduction> all = builtin_reproductions();
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const Reproduction& one : all) {
    EXPECT_FALSE(one.name.empty() || one.paper.empty());
    EXPECT_TRUE(one.summary.ends_with('.')) << one.name;
    EXPECT_EQ(&find_reproduction(all, one.name), &one);
  }
}

TEST(Reproductions, AreFoundByNameOrRefusedWithTheKnownOnes) {
  const std::vector<Reproduction> all = builtin_reproductions();
  try {
    find_reproduction(all, "nobody");
    FAIL() << "it was found";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is no reproduction nobody"));
    EXPECT_THAT(error.what(), HasSubstr("lian"));
  }
}

// Of all parts of all papers.
struct PlannedPart {
  std::string name;
  std::vector<SettingDescription> settings;
  std::vector<std::string_view> without;
  std::function<ReproductionPlan(const ReproductionRequest&)> plan;
};
std::vector<PlannedPart> all_parts() {
  std::vector<PlannedPart> parts;
  for (const Reproduction& one : builtin_reproductions()) {
    parts.push_back({std::string(one.name), one.settings, {}, one.plan});
    parts.push_back({fmt::format("{}, local", one.name), one.settings, one.real_part.without,
                     one.real_part.plan});
  }
  return parts;
}

TEST(Reproductions, PlanExperimentsOfDifferentNamesThatResolve) {
  for (const PlannedPart& part : all_parts()) {
    SCOPED_TRACE(part.name);
    const TemporaryFolder folder;
    std::set<std::string> names;
    const ReproductionPlan plan = part.plan(request_in(folder));
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "a plan writes nothing";
    for (const PlannedFile& file : plan.files) {
      EXPECT_TRUE(names.insert(file.name).second) << file.name;
      folder.write(file.name, file.text);
    }
    for (const PlannedExperiment& planned : plan.experiments) {
      SCOPED_TRACE(planned.name);
      EXPECT_TRUE(names.insert(planned.name).second);
      EXPECT_TRUE(std::all_of(planned.name.begin(), planned.name.end(),
                              [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; }));
      const auto file = folder.write(planned.name + ".toml", planned.toml);
      const Experiment experiment = load_experiment(file, std::nullopt);
      EXPECT_TRUE(experiment.output.empty());
      EXPECT_NO_THROW(resolve(test::schedulers(), experiment));
    }
    EXPECT_FALSE(plan.experiments.empty());
  }
}

// All texts of the plan; none if the setting does not have this value.
std::optional<std::string> planned_text(const PlannedPart& part, SettingValues settings) {
  const TemporaryFolder folder;
  try {
    const ReproductionPlan plan = part.plan(request_in(folder, std::move(settings)));
    std::string text;
    for (const PlannedFile& file : plan.files) text += file.name + file.text;
    for (const PlannedExperiment& planned : plan.experiments) text += planned.name + planned.toml;
    return text;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

// A setting that changes nothing is one of those that the part is without, and no other is.
TEST(Reproductions, ObeyEachOfTheirSettings) {
  constexpr std::array<const char*, 12> values = {"1",   "2",    "7",     "0.5", "paper", "job",
                                                  "one", "text", "exact", "map", "each",  "kind"};
  for (const PlannedPart& part : all_parts()) {
    const std::optional<std::string> plain = planned_text(part, {});
    for (const SettingDescription& setting : part.settings) {
      SCOPED_TRACE(fmt::format("{}: {}", part.name, setting.name));
      std::size_t planned = 0;
      bool is_obeyed = false;
      for (const char* value : values) {
        if (value == setting.default_value) continue;
        const auto text = planned_text(part, {{std::string(setting.name), value}});
        if (text) ++planned;
        is_obeyed |= text && text != plain;
      }
      EXPECT_GT(planned, 0u) << "the test knows no other value of it";
      const bool is_left_out =
          std::find(part.without.begin(), part.without.end(), setting.name) != part.without.end();
      EXPECT_NE(is_obeyed, is_left_out);
    }
  }
}

// Beside each experiment on real processes there is the same on modelled machines: but for the
// world and the name that says which, its text is equal.
TEST(Reproductions, PlanEachRealExperimentInBothWorlds) {
  std::size_t parts = 0;
  for (const Reproduction& one : builtin_reproductions()) {
    ++parts;
    SCOPED_TRACE(one.name);
    const TemporaryFolder folder;
    std::map<std::string, std::array<std::string, 2>> texts;  // local and virtual, by the rest
    for (const PlannedExperiment& planned : one.real_part.plan(request_in(folder)).experiments) {
      for (std::size_t i = 0; i < worlds_of_real_part.size(); ++i) {
        const std::string world(worlds_of_real_part.at(i).world);
        if (!planned.name.ends_with("-" + world)) continue;
        EXPECT_THAT(planned.toml, HasSubstr("world = \"" + world + "\"\n"));
        std::string text = std::regex_replace(planned.toml, std::regex("^#.*"), "");
        text = std::regex_replace(text, std::regex(world + "\""), "\"");
        texts[planned.name.substr(0, planned.name.size() - world.size())].at(i) = text;
      }
    }
    EXPECT_GE(texts.size(), 2u);
    for (const auto& [name, both] : texts) EXPECT_EQ(both[0], both[1]) << name;
  }
  EXPECT_EQ(parts, 3u);
}

// All that a setting's text lists in backticks are choices; each is planned as it says.
TEST(Reproductions, RefuseValuesThatTheirSettingsDoNotHave) {
  for (const Reproduction& one : builtin_reproductions()) {
    for (const SettingDescription& setting : one.settings) {
      SCOPED_TRACE(fmt::format("{} {}", one.name, setting.name));
      const TemporaryFolder folder;
      try {
        (void)one.plan(request_in(folder, {{std::string(setting.name), "no such value"}}));
        FAIL() << "it was planned";
      } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr(std::string(setting.name)));
        EXPECT_THAT(error.what(), HasSubstr("no such value"));
      }
    }
  }
}

}  // namespace
}  // namespace tracebed
