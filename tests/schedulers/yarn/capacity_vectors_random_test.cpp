// Random trees of capacities with a unit for each resource, on random clusters: nobody has more
// than there is, and what is left over is warned of.
#include <algorithm>
#include <gtest/gtest.h>

#include "core/random.h"
#include "schedulers/yarn/capacity/queue_figures.h"
#include "schedulers/yarn/vector_lines.h"

namespace tracebed {
namespace {

class VectorDrawer {
 public:
  explicit VectorDrawer(std::uint64_t seed) : random_(Random::stream(seed, "vectors")) {}

  VectorLines tree() {
    VectorLines lines;
    add_children("root", 0, lines);
    return lines;
  }
  Resources cluster() {
    Resources cluster(random_.between(0, 64) * 500, random_.between(0, 100'000));
    cluster[2] = random_.chance(0.5) ? 0 : random_.between(1, 16);
    return cluster;
  }

 private:
  std::string entry(std::int64_t most, bool has_weights) {
    const std::uint64_t unit = random_.below(has_weights ? 3 : 2);
    if (unit == 0) return std::to_string(random_.between(1, most));
    if (unit == 1) return std::to_string(random_.between(1, 120)) + "%";
    return std::to_string(random_.between(0, 30)) + (random_.chance(0.3) ? ".5w" : "w");
  }
  std::string capacity(bool has_weights) {
    if (random_.chance(0.2)) return std::to_string(random_.between(0, 100));
    if (has_weights && random_.chance(0.2)) return std::to_string(random_.between(0, 9)) + "w";
    // Memory is above 0.
    std::string list = "[memory=1" + entry(9'999, has_weights);
    if (random_.chance(0.8)) list += ",vcores=" + entry(40, has_weights);
    if (random_.chance(0.5)) list += ",gpu=" + entry(9, has_weights);
    return list + "]";
  }
  void add_children(const std::string& path, int depth, VectorLines& lines) {
    std::string names;
    for (std::int64_t i = random_.between(1, 4); i > 0; --i) {
      const std::string name = "q" + std::to_string(i);
      const std::string child = path + "." + name;
      names += (names.empty() ? "" : ",") + name;
      if (random_.chance(0.95)) lines.emplace_back(child + ".capacity", capacity(true));
      if (random_.chance(0.3)) lines.emplace_back(child + ".maximum-capacity", capacity(false));
      if (depth < 2 && random_.chance(0.4)) add_children(child, depth + 1, lines);
    }
    lines.emplace_back(path + ".queues", names);
  }

  Random random_;
};

bool is_warned(const QueueFigures& figures, CapacityWarning::Kind kind, std::size_t dimension) {
  return std::find(figures.warnings.begin(), figures.warnings.end(),
                   CapacityWarning{kind, dimension}) != figures.warnings.end();
}

void check_branch(const CapacityConfiguration& configuration,
                  const std::vector<QueueFigures>& figures, std::size_t parent,
                  const Resources& cluster) {
  const QueueFigures& above = figures[parent];
  Resources given;
  for (const std::size_t child : configuration.queues[parent].children) {
    const QueueFigures& own = figures[child];
    EXPECT_FALSE(own.guaranteed.has_negative());
    EXPECT_TRUE(own.guaranteed.fits_in(own.maximum));
    EXPECT_TRUE(own.maximum.fits_in(above.maximum));
    EXPECT_TRUE(own.guaranteed.memory_mib() > 0 || own.guaranteed.is_zero());
    EXPECT_GE(own.absolute_capacity, 0);
    EXPECT_LE(own.capacity, 1);
    EXPECT_LE(own.maximum_capacity, 1);
    given += own.guaranteed;
  }
  EXPECT_TRUE(given.fits_in(above.guaranteed));
  if (configuration.queues[parent].is_leaf() || cluster.memory_mib() == 0) return;
  for (std::size_t d = 0; d < 3; ++d) {
    // Of machines with half a core whole ones count.
    const bool is_left = given[d] < above.guaranteed[d] / yarn_unit(d) * yarn_unit(d);
    EXPECT_EQ(is_left, is_warned(above, CapacityWarning::Kind::branch_underutilized, d));
  }
}

TEST(RandomCapacityVectors, GiveNobodyMoreThanThereIsAndWarnOfTheRest) {
  constexpr std::uint64_t draws_of_trees = 2'000;
  const ResourceDimensions dimensions(std::vector<std::string>{"gpu"});
  std::size_t read = 0;
  for (std::uint64_t seed = 1; seed <= draws_of_trees; ++seed) {
    SCOPED_TRACE(seed);
    VectorDrawer drawer(seed);
    const auto loaded = read_vectors(drawer.tree(), dimensions);
    // An amount above a maximum is refused.
    if (!loaded) continue;
    ++read;
    const CapacityConfiguration& configuration = loaded->configuration;
    for (const CapacityQueue& queue : configuration.queues) {
      const ConfiguredCapacity& own = queue.partitions.at("").capacity;
      const std::string text = capacity_text(own, dimensions);
      if (!text.starts_with('[')) continue;
      const auto again = parse_capacity(text, dimensions, CapacityForms::any);
      ASSERT_TRUE(again.has_value()) << text;
      EXPECT_EQ(*again, own) << text;
    }
    const Resources cluster = drawer.cluster();
    const std::vector<QueueFigures> figures = figures_in(configuration, "", cluster);
    for (std::size_t i = 0; i < configuration.queues.size(); ++i) {
      check_branch(configuration, figures, i, cluster);
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(read, draws_of_trees / 2);
}

}  // namespace
}  // namespace tracebed
