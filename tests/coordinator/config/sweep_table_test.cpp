// [sweep] as it is read: what is swept, and every defect with its message.
#include "coordinator/config/sweep_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

#include "core/input_error.h"

namespace tracebed {
namespace {

using ::testing::ElementsAre;

std::vector<SweepDimension> read_text(const std::string& text) {
  const toml::table root = parse_toml(text, "f.toml");
  return read_sweep(TomlValue(*root.get("sweep"), "sweep"));
}

std::vector<std::string> values_of(const std::string& range) {
  return read_text("[sweep]\nkey = " + range + "\n").front().keys.front().values;
}

TEST(SweepTable, HasListsInTheOrderOfTheFile) {
  const auto dimensions = read_text(
      "[sweep]\nseed = [1, 2]\ncluster.nodes = [10, 20, 30]\n\"scheduler.fair.config\" = "
      "[\"a.xml\"]"
      "\ncluster.labels = [[\"a\"], [\"a\", \"b\"]]\n");
  ASSERT_EQ(dimensions.size(), 4U);
  EXPECT_EQ(dimensions[0].keys.front().key, "seed");
  EXPECT_EQ(dimensions[1].keys.front().key, "cluster.nodes");
  EXPECT_EQ(dimensions[1].keys.front().line, 3U);
  EXPECT_THAT(dimensions[1].keys.front().values, ElementsAre("10", "20", "30"));
  EXPECT_EQ(dimensions[2].keys.front().key, "scheduler.fair.config");
  EXPECT_EQ(dimensions[3].size(), 2U);
}

TEST(SweepTable, PairsListsThatChangeTogether) {
  const auto dimensions = read_text(
      "[[sweep.paired]]\ncluster.nodes = [10, 20]\ncluster.vcores = { from = 4, to = 2, step = -2 "
      "}\n");
  ASSERT_EQ(dimensions.size(), 1U);
  ASSERT_EQ(dimensions[0].keys.size(), 2U);
  EXPECT_EQ(dimensions[0].keys[1].key, "cluster.vcores");
  EXPECT_THAT(dimensions[0].keys[1].values, ElementsAre("4", "2"));
}

TEST(SweepTable, ComputesRangesInDecimals) {
  EXPECT_THAT(values_of("{ from = 0, to = 0.4, step = 0.1 }"),
              ElementsAre("0", "0.1", "0.2", "0.3", "0.4"));
  EXPECT_THAT(values_of("{ from = 1, to = 1000, factor = 10 }"),
              ElementsAre("1", "10", "100", "1000"));
  EXPECT_THAT(values_of("{ from = 8, to = 1, factor = 0.5 }"), ElementsAre("8", "4", "2", "1"));
  EXPECT_THAT(values_of("{ from = \"10s\", to = \"30s\", step = \"10s\" }"),
              ElementsAre("\"10s\"", "\"20s\"", "\"30s\""));
  EXPECT_THAT(values_of("{ from = \"1 GiB\", to = \"4 GiB\", factor = 2 }"),
              ElementsAre("\"1 GiB\"", "\"2 GiB\"", "\"4 GiB\""));
  EXPECT_THAT(values_of("{ from = 5, to = 5, step = 1 }"), ElementsAre("5"));
}

struct SweepDefect {
  const char* text;
  const char* message;
};

const SweepDefect sweep_defects[] = {
    {"[sweep]\n", "f.toml:1: sweep: expected a key and its values, got none"},
    {"[sweep]\nseed = []\n",
     "f.toml:2: sweep.seed: expected at least one value, got an empty list"},
    {"[sweep]\nseed = 3\n",
     "f.toml:2: sweep.seed: expected a list of values, or { from = …, to = …, step = … }, got 3"},
    {"[sweep]\nseed = [1, 1]\n", "f.toml:2: sweep.seed[1]: expected each value once, got 1 again"},
    {"[sweep]\nseed = [{ a = 1 }]\n",
     "f.toml:2: sweep.seed[0]: expected a text, a number, true, false or a list of such, got a "
     "table"},
    {"[sweep]\ncluster.nodes = [1]\n\"cluster.nodes\" = [2]\n",
     "f.toml:3: sweep.cluster.nodes: cluster.nodes is swept already, in line 2"},
    {"[[sweep.paired]]\nseed = [1, 2]\nscale.time = [1]\n",
     "f.toml:1: sweep.paired[0]: scale.time (line 3): expected 2 values, as seed has, got 1"},
    {"[[sweep.paired]]\nseed = [1, 2]\n",
     "f.toml:1: sweep.paired[0]: expected at least two keys, which change together, got 1"},
    {"[sweep]\nseed = { from = 1, step = 1 }\n", "f.toml:2: sweep.seed.to: this key is missing"},
    {"[sweep]\nseed = { from = 1, to = 2 }\n",
     "f.toml:2: sweep.seed: expected either `step` or `factor` beside `from` and `to`"},
    {"[sweep]\nseed = { from = 1, to = 4, step = 2 }\n",
     "f.toml:2: sweep.seed: expected a whole number of steps from `from` to `to`"},
    {"[sweep]\nseed = { from = 1, to = 4, step = -1 }\n",
     "f.toml:2: sweep.seed: expected a whole number of steps from `from` to `to`"},
    {"[sweep]\nseed = { from = 1, to = 4, step = 0 }\n",
     "f.toml:2: sweep.seed: expected a whole number of steps from `from` to `to`"},
    {"[sweep]\nseed = { from = 0, to = 4, factor = 2 }\n",
     "f.toml:2: sweep.seed: expected bounds above 0, and a factor above 0 that is not 1"},
    {"[sweep]\nseed = { from = 1, to = 1000000, step = 1 }\n",
     "f.toml:2: sweep.seed: expected at most 100000 values, got 1000000"},
    {"[sweep]\nseed = { from = 1, to = 4, step = 1, count = 3 }\n",
     "f.toml:2: sweep.seed.count: unknown key; known are from, to, step, factor"},
    {"[sweep]\nseed = { from = \"1s\", to = \"4m\", step = \"1s\" }\n",
     "f.toml:2: sweep.seed: expected one unit in `from`, `to` and `step`"},
    {"[sweep]\nseed = { from = true, to = 4, step = 1 }\n",
     "f.toml:2: sweep.seed.from: expected a number of at most 9 decimals, or a text of one with "
     "its "
     "unit such as \"10s\", got true"},
};

TEST(SweepTable, RefusesEveryDefectWithItsPlace) {
  for (const auto& [text, message] : sweep_defects) {
    try {
      read_text(text);
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_STREQ(error.what(), message);
    }
  }
}

}  // namespace
}  // namespace tracebed
