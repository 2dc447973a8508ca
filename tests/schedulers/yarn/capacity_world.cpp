#include "schedulers/yarn/capacity_world.h"

namespace tracebed {

void CapacityWorld::verify() const {
  harness_.verify();
  const QueueTree& tree = state().tree();
  const std::size_t partitions = state().partitions().size();
  struct Sum {
    std::vector<Resources> used;
    std::vector<std::uint64_t> wanted;
    std::uint32_t containers = 0;
  };
  const auto empty = [&] {
    return Sum{std::vector<Resources>(partitions), std::vector<std::uint64_t>(partitions), 0};
  };
  std::vector<Sum> children(tree.size(), empty());
  std::vector<Sum> applications(tree.size(), empty());
  state().applications().for_each([&](ApplicationId id, const RunningApplication& application) {
    Sum& sum = applications[application.leaf];
    Resources used;
    for (std::size_t p = 0; p < application.used.size(); ++p) {
      sum.used[p] += application.used[p];
      used += application.used[p];
    }
    sum.used[0] += application.reserved;
    sum.containers += application.containers;
    EXPECT_EQ(used, harness_.cluster().applications[id].used);
    if (application.stage != RunningApplication::Stage::active) return;
    for (std::size_t p = 0; p < application.wanted.size(); ++p) {
      sum.wanted[p] += application.wanted[p];
    }
  });
  for (QueueIndex i = static_cast<QueueIndex>(tree.size()); i-- > 0;) {
    const RunningQueue& queue = tree[i];
    const Sum& below = queue.leaf != nullptr ? applications[i] : children[i];
    const std::string& path = tree.configured(i).path;
    EXPECT_EQ(queue.containers, below.containers) << path;
    for (std::size_t p = 0; p < partitions; ++p) {
      const QueueUse& use = queue.uses[p];
      EXPECT_EQ(use.used, below.used[p]) << path;
      EXPECT_EQ(use.wanted, below.wanted[p]) << path;
      const std::string& label = state().partitions().label(static_cast<PartitionIndex>(p));
      if (!state().settings().shared_labels.contains(label)) {
        EXPECT_LE(use.used.memory_mib(), use.figures.maximum.memory_mib()) << path;
      }
      if (queue.leaf != nullptr) {
        Resources of_users;
        for (const auto& [id, user] : queue.leaf->users.all()) of_users += user.uses[p].used;
        EXPECT_EQ(of_users, use.used) << path;
      }
      if (i == 0) continue;
      children[tree.parent(i)].used[p] += use.used;
      children[tree.parent(i)].wanted[p] += use.wanted;
    }
    if (i > 0) children[tree.parent(i)].containers += queue.containers;
  }
}

}  // namespace tracebed
