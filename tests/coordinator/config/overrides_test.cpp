// Values that replace those of a file, by keys of tables in lists, too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/load_experiment.h"
#include "core/input_error.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

constexpr const char* listed_text = R"(
name = "listed"
world = "virtual"
schedulers = ["fifo"]
[[scheduler]]
name = "capacity"
label = "a"
[[scheduler]]
name = "capacity"
label = "a.b"
[trace]
file = "jobs.tsv"
[[cluster.group]]
nodes = 1
vcores = 1
memory = "1 GiB"
[[cluster.group]]
nodes = 2
vcores = 1
memory = "1 GiB"
)";

class OverridesOfLists : public ::testing::Test {
 protected:
  OverridesOfLists() {
    folder_.write("jobs.tsv", "job0\t0\t0\t1\t0\t0\n");
    file_ = folder_.write("listed.toml", listed_text);
  }
  Experiment with(const std::string& key, const std::string& value) const {
    return load_experiment(file_, std::nullopt,
                           std::vector<Override>{{"--set " + key, key, value}});
  }
  std::string refusal(const std::string& key) const {
    try {
      with(key, "1");
    } catch (const InputError& error) {
      return error.what();
    }
    return "not refused";
  }

  TemporaryFolder folder_;
  std::filesystem::path file_;
};

TEST_F(OverridesOfLists, ReachASchedulerByTheLongestLabelThatFits) {
  const Experiment experiment = with("scheduler.a.b.maximum_application_priority", "3");
  ASSERT_EQ(experiment.schedulers.size(), 3U);
  EXPECT_EQ(experiment.schedulers[0].label, "fifo");
  EXPECT_TRUE(experiment.schedulers[1].settings.empty());
  ASSERT_EQ(experiment.schedulers[2].settings.size(), 1U);
  EXPECT_EQ(experiment.schedulers[2].settings[0].key, "maximum_application_priority");
  EXPECT_EQ(experiment.schedulers[2].settings[0].value, "3");
}

TEST_F(OverridesOfLists, ReachASchedulerOfTheShortForm) {
  const Experiment experiment = with("scheduler.fifo.size.x", "3");
  ASSERT_EQ(experiment.schedulers.size(), 3U);
  EXPECT_EQ(experiment.schedulers[0].label, "fifo");
  ASSERT_EQ(experiment.schedulers[0].settings.size(), 1U);
  EXPECT_EQ(experiment.schedulers[0].settings[0].key, "size.x");
}

TEST_F(OverridesOfLists, ReachATableByItsNumber) {
  EXPECT_EQ(with("cluster.group.2.nodes", "5").cluster.machines.size(), 6U);
}

TEST_F(OverridesOfLists, AreRefusedWhereThereIsNoSuchTable) {
  EXPECT_THAT(refusal("scheduler.fif.x"),
              ::testing::StartsWith("--set scheduler.fif.x: scheduler.fif.x: expected "
                                    "scheduler.LABEL.KEY with the label of a scheduler of the "
                                    "experiment; did you mean fifo?"));
  EXPECT_THAT(refusal("cluster.group.3.nodes"),
              ::testing::HasSubstr("group: expected the number of one of its 2 tables and a key, "
                                   "such as group.1.KEY, got group.3.nodes"));
  EXPECT_THAT(refusal("cluster.group.0.nodes"), ::testing::HasSubstr("got group.0.nodes"));
  EXPECT_THAT(refusal("name.x"), ::testing::StartsWith("--set name.x: name is not a table"));
}

TEST_F(OverridesOfLists, HaveThePlaceOfTheFileThatGivesThem) {
  const std::vector<Override> overrides{{"sweep.toml", "seed", "-1", 12}};
  try {
    load_experiment(file_, std::nullopt, overrides);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                ::testing::StartsWith("sweep.toml:12: seed: expected a whole number from 0 to"));
  }
}

}  // namespace
}  // namespace tracebed
