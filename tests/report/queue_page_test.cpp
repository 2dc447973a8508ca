#include "report/queue_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "report/run_json.h"
#include "report/sample_runs.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

QueueView queue(const std::string& path, Resources used, std::vector<Figure> figures,
                std::size_t applications = 0) {
  QueueView view;
  view.queue = {path, true, std::move(figures)};
  view.used = used;
  for (std::size_t i = 0; i < applications; ++i) view.active.push_back(ApplicationId(i));
  return view;
}

std::vector<std::string> paths(const std::vector<ShownQueue>& queues) {
  std::vector<std::string> list;
  for (const ShownQueue& shown : queues) list.push_back(shown.path);
  return list;
}

const Resources cluster(4'000, 8'192);

class QueuePageTest : public ::testing::Test {
 protected:
  // With one queue, in which so many applications are.
  void look(std::int64_t at, const Resources& free, std::size_t applications = 0) {
    SchedulerView view;
    view.queues.push_back(queue("root.a", cluster - free, {{"at", "at", at}}, applications));
    keeper_.look(trace_time(at), cluster, free, view);
  }

  BusiestQueuePage keeper_{ResourceDimensions()};
};

TEST_F(QueuePageTest, IsKeptAsItStoodWhenTheMostWasInUse) {
  look(1, Resources(4'000, 8'192));
  look(2, Resources(3'000, 2'048));  // 75 % of the memory
  look(3, Resources(2'000, 4'096));  // 50 % of both
  EXPECT_EQ(keeper_.page().at, trace_time(2));
  EXPECT_DOUBLE_EQ(keeper_.page().used_share, 0.75);
  EXPECT_THAT(keeper_.page().queues.at(0).figures, ElementsAre(Pair("at", "2")));
  EXPECT_DOUBLE_EQ(keeper_.page().queues.at(0).used_share, 0.75);
}

TEST_F(QueuePageTest, OfEquallyFullClustersIsThatWithTheMostApplications) {
  look(1, Resources(0, 0), 1);
  look(2, Resources(0, 0), 3);
  look(3, Resources(0, 0), 3);
  look(4, Resources(0, 0), 2);
  EXPECT_EQ(keeper_.page().at, trace_time(2));
}

TEST_F(QueuePageTest, IsKeptOfAClusterThatWasNeverUsedOrHasNothing) {
  keeper_.look(trace_time(1), Resources(), Resources(), {});
  EXPECT_TRUE(keeper_.page().queues.empty());
  SchedulerView view;
  view.queues.push_back(queue("root.a", Resources(), {}));
  keeper_.look(trace_time(2), Resources(), Resources(), view);
  EXPECT_THAT(paths(keeper_.page().queues), ElementsAre("root.a"));
  EXPECT_EQ(keeper_.page().used_share, 0);
}

TEST_F(QueuePageTest, HasParentsBeforeTheirChildrenAndSiblingsByName) {
  SchedulerView view;
  for (const char* path : {"root", "root.b", "root.a-b", "root.a", "root.a.x"}) {
    view.queues.push_back(queue(path, Resources(), {}));
  }
  keeper_.look(trace_time(0), cluster, cluster, view);
  EXPECT_THAT(paths(keeper_.page().queues),
              ElementsAre("root", "root.a", "root.a.x", "root.a-b", "root.b"));
}

TEST_F(QueuePageTest, IsBoundedToTheQueuesThatUseMost) {
  SchedulerView view;
  const std::size_t all = BusiestQueuePage::queues_max + 2;
  for (std::size_t i = 0; i < all; ++i) {
    const auto used = static_cast<std::int64_t>(i == 5 || i == 7 ? 0 : 1);
    view.queues.push_back(queue("root.q" + std::to_string(10'000 + i), Resources(0, used), {}));
  }
  keeper_.look(trace_time(0), cluster, cluster, view);
  const QueuePage& page = keeper_.page();
  EXPECT_EQ(page.queues_in_all, all);
  ASSERT_EQ(page.queues.size(), BusiestQueuePage::queues_max);
  EXPECT_EQ(page.queues[4].path, "root.q10004");
  EXPECT_EQ(page.queues[5].path, "root.q10006");
  EXPECT_EQ(page.queues[6].path, "root.q10008");
}

TEST_F(QueuePageTest, OfAQueueWithAStateShowsTheResourceManagersFiguresAlone) {
  const ExplainedQueue of_capacity{"root.a",
                                   true,
                                   {{"queue_state", "Queue State", "RUNNING"},
                                    {"guaranteed", "Guaranteed Resources", Resources(0, 1)}}};
  EXPECT_THAT(page_figures(of_capacity, {}), ElementsAre(Pair("Queue State", "RUNNING")));
  const ExplainedQueue of_fair{"root.a",
                               true,
                               {{"weight", "weight", 1.0},
                                {"used_resources", "Used Resources", Resources(500, 64)},
                                {"dominant_share", "", Ratio{0.5}}}};
  EXPECT_THAT(
      page_figures(of_fair, {}),
      ElementsAre(Pair("weight", "1.0"), Pair("Used Resources", "memory: 64, vCores: 0.5")));
}

TEST_F(QueuePageTest, ComesBackFromARunsRecord) {
  RunRecord record;
  record.description = sample_description({});
  record.end.emplace();
  record.end->queue_page = {trace_time(90'000'000),
                            0.75,
                            3,
                            {{"root", false, 0.75, {{"Queue State", "RUNNING"}}},
                             {"root.\"a\"", true, 0.5, {{"Used Capacity", "150.0%"}, {"b", ""}}}}};
  const TemporaryFolder folder;
  const auto file = folder.path() / "run.json";
  RunMetrics metrics;
  metrics.utilisation.resize(2);
  write_run_json(file, record, &metrics);
  EXPECT_EQ(read_run_json(file).end->queue_page, record.end->queue_page);

  record.end->queue_page = {};
  write_run_json(file, record, &metrics);
  EXPECT_EQ(read_run_json(file).end->queue_page, QueuePage());
}

}  // namespace
}  // namespace tracebed
