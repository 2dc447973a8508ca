// Every experiment that a reproduction plans is one that `tracebed run` takes.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
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

TEST(Reproductions, PlanExperimentsOfDifferentNamesThatResolve) {
  for (const Reproduction& one : builtin_reproductions()) {
    SCOPED_TRACE(one.name);
    const TemporaryFolder folder;
    std::set<std::string> names;
    const ReproductionPlan plan = one.plan(request_in(folder));
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
