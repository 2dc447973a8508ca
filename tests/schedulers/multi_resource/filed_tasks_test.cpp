// What Tetris files tasks in is held to a scan of all of them.
#include "schedulers/multi_resource/filed_tasks.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "core/random.h"
#include "schedulers/multi_resource/asks_by_node.h"

namespace tracebed {
namespace {

using Filed = FiledTasks::Filed;
using Scored = FiledTasks::Scored;

// Where each task stands to one node is drawn anew for each search.
class DrawnPlace final : public FiledTasks::Place {
 public:
  DrawnPlace(Random& random, const std::map<AskId, Filed>& all)
      : free_(random.between(0, 6), random.between(0, 6)), all_(all) {
    const double near = random.unit();
    for (const auto& [ask, filed] : all) {
      std::optional<bool>& remote = remote_[ask];
      if (random.chance(0.9)) remote = filed.names_places && !random.chance(near);
      const bool is_near = remote && !*remote;
      if (filed.names_places && (is_near || random.chance(0.1))) named_.push_back(ask);
    }
  }

  bool has_room(const Resources& demand) const override { return demand.fits_in(free_); }
  double alignment(const Resources& demand) const override {
    return (static_cast<double>(demand[0]) * static_cast<double>(free_[0]) +
            static_cast<double>(demand[1]) * static_cast<double>(free_[1])) /
           100;
  }
  std::optional<bool> is_remote(const FiledTasks::Task& task) const override {
    return remote_.at(task.ask);
  }
  std::size_t named() const override { return named_.size(); }
  void visit_named(const std::function<void(const Filed&)>& visit) const override {
    for (const AskId ask : named_) visit(all_.at(ask));
  }

 private:
  Resources free_;
  const std::map<AskId, Filed>& all_;
  std::map<AskId, std::optional<bool>> remote_;
  std::vector<AskId> named_;
};

std::optional<Scored> scanned(const std::map<AskId, Filed>& all, const DrawnPlace& place,
                              const FiledTasks::Weights& weights) {
  // Sums are of whole demands at a time, in their order, as floating-point sums depend on it.
  std::map<std::pair<bool, Resources>, std::vector<const Filed*>,
           decltype([](const auto& a, const auto& b) {
             return a.first != b.first ? a.first > b.first : DemandOrder()(a.second, b.second);
           })>
      demands;
  for (const auto& [ask, filed] : all) {
    demands[{filed.is_before_barrier, filed.demand}].push_back(&filed);
  }
  double alignments = 0;
  double works = 0;
  for (const auto& [demand, tasks] : demands) {
    if (!place.has_room(demand.second)) continue;
    WideAmount work = 0;
    for (const Filed* one : tasks) work += one->task.work;
    alignments += place.alignment(demand.second) * static_cast<double>(tasks.size());
    works += static_cast<double>(work);
  }
  const double factor = works > 0 ? weights.work * alignments / works : 0;
  std::optional<Scored> best;
  bool is_best_before_barrier = false;
  for (const auto& [ask, filed] : all) {
    const std::optional<bool> remote = place.is_remote(filed.task);
    if (!place.has_room(filed.demand) || !remote) continue;
    const double aligned =
        place.alignment(filed.demand) * (*remote ? 1 - weights.remote_penalty : 1);
    const Scored one{aligned - factor * static_cast<double>(filed.task.work), filed.task};
    if (best && is_best_before_barrier != filed.is_before_barrier) {
      if (is_best_before_barrier) continue;
    } else if (best &&
               (one.score < best->score || (one.score == best->score && best->task < one.task))) {
      continue;
    }
    best = one;
    is_best_before_barrier = filed.is_before_barrier;
  }
  return best;
}

TEST(FiledTasksTest, FindTheTaskThatAScanOfAllFinds) {
  Random random(11);
  FiledTasks files;
  std::map<AskId, Filed> all;
  for (int step = 0; step < 20'000; ++step) {
    const AskId ask(static_cast<std::uint32_t>(random.below(60)));
    const auto known = all.find(ask);
    if (known != all.end()) {
      files.remove(known->second);
      all.erase(known);
    }
    if (random.chance(0.8)) {
      const Filed filed{.task = {random.between(0, 5), TraceTime(seconds(random.between(0, 3))),
                                 ApplicationId(ask.value()), ask},
                        .demand = Resources(random.between(1, 3), random.between(1, 3)),
                        .is_before_barrier = random.chance(0.2),
                        .names_places = random.chance(0.7)};
      files.add(filed);
      all.emplace(ask, filed);
    }
    const FiledTasks::Weights weights{.work = random.chance(0.2) ? 0 : random.unit() * 3,
                                      .remote_penalty = random.chance(0.2) ? 0 : random.unit()};
    const DrawnPlace place(random, all);
    const std::optional<Scored> found = files.best(place, weights);
    const std::optional<Scored> expected = scanned(all, place, weights);
    ASSERT_EQ(found.has_value(), expected.has_value()) << "step " << step;
    if (!found) continue;
    ASSERT_EQ(found->task.ask, expected->task.ask) << "step " << step;
    ASSERT_EQ(found->score, expected->score) << "step " << step;
  }
}

// A thousand tasks of about equal work have their input elsewhere, apart from the last one.
TEST(FiledTasksTest, LookAtFewTasksThoughAllAreRemote) {
  FiledTasks files;
  std::map<AskId, Filed> all;
  for (std::uint32_t i = 0; i < 1'000; ++i) {
    const Filed filed{.task = {1'000 + i, TraceTime(), ApplicationId(i), AskId(i)},
                      .demand = Resources(1, 1),
                      .is_before_barrier = false,
                      .names_places = true};
    files.add(filed);
    all.emplace(AskId(i), filed);
  }
  class OneNamed final : public FiledTasks::Place {
   public:
    explicit OneNamed(const Filed& named) : named_(named) {}
    bool has_room(const Resources&) const override { return true; }
    double alignment(const Resources&) const override { return 0.5; }
    std::optional<bool> is_remote(const FiledTasks::Task& task) const override {
      ++looked_at;
      return task.ask != named_.task.ask;
    }
    std::size_t named() const override { return 1; }
    void visit_named(const std::function<void(const Filed&)>& visit) const override {
      visit(named_);
    }
    mutable std::size_t looked_at = 0;

   private:
    const Filed& named_;
  };
  const OneNamed place(all.at(AskId(999u)));
  const auto best = files.best(place, {.work = 0.01, .remote_penalty = 0.1});
  ASSERT_TRUE(best.has_value());
  EXPECT_EQ(best->task.ask, AskId(999u));
  EXPECT_LE(place.looked_at, 3u);
}

TEST(AsksByNodeTest, HasTheAsksThatNameANode) {
  Random random(5);
  AsksByNode index;
  std::map<AskId, std::set<NodeId>> all;
  for (int step = 0; step < 5'000; ++step) {
    const AskId ask(static_cast<std::uint32_t>(random.below(20)));
    all.erase(ask);
    if (random.chance(0.2)) {
      index.remove(ask);
    } else {
      std::vector<PlaceCount<NodeId>> places;
      for (std::uint32_t node = 0; node < 30; ++node) {
        if (!random.chance(0.3)) continue;
        const auto count = static_cast<std::uint32_t>(random.below(3));
        places.push_back({NodeId(node), count});
        if (count > 0) all[ask].insert(NodeId(node));
      }
      index.set(ask, places);
    }
    const NodeId node(static_cast<std::uint32_t>(random.below(31)));
    std::vector<AskId> expected;
    for (const auto& [one, nodes] : all) {
      if (nodes.contains(node)) expected.push_back(one);
    }
    std::vector<AskId> found(index.at(node).begin(), index.at(node).end());
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found, expected) << "step " << step;
  }
}

}  // namespace
}  // namespace tracebed
