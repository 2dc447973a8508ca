// How a task fetches what tasks of earlier stages keep: from few hosts at a time, several outputs
// in a request, and again elsewhere what it has not got from a host that failed.
#include "coordinator/virtual/modelled_fetches.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "support/at_seconds.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

constexpr JobId some_job(3u);
constexpr std::int64_t some_stage = 1;
constexpr ContainerId some_task(70u);
constexpr NodeId own(0u);

// Sends what the test says.
class ScriptedHosts final : public ModelledReads::Datanodes {
 public:
  struct Request {
    NodeId host;
    NodeId reader;
    std::int64_t bytes = 0;
    bool operator==(const Request&) const = default;
  };
  bool is_up(NodeId node) const override { return !down.contains(node); }
  std::uint64_t begin_read(NodeId host, NodeId reader, const FlowDemand& demand,
                           TraceTime now) override {
    EXPECT_LE(demand.due, now) << "no request is paced";
    requests.push_back({host, reader, demand.bytes});
    weights.push_back(demand.weight);
    return requests.size() - 1;
  }
  std::uint64_t begin_memory_read(NodeId, NodeId, const FlowDemand&, TraceTime) override {
    ADD_FAILURE() << "outputs are on disks";
    return 0;
  }
  std::int64_t cancel_read(std::uint64_t transfer, TraceTime /*now*/) override {
    cancelled.push_back(transfer);
    return sent_of_cancelled;
  }
  std::int64_t sent_so_far(std::uint64_t, TraceTime) const override { return sent_of_running; }

  void pace(std::uint64_t, TraceTime, TraceTime) override { ADD_FAILURE() << "none is paced"; }

  std::set<NodeId> down;
  std::vector<Request> requests;
  std::vector<double> weights;  // of these
  std::vector<std::uint64_t> cancelled;
  std::int64_t sent_of_cancelled = 0;
  std::int64_t sent_of_running = 0;
};
using Request = ScriptedHosts::Request;

// Nodes 0 and 1 are in one rack, all others in another.
std::vector<Machine> machines() {
  std::vector<Machine> machines(40);
  for (std::size_t i = 0; i < machines.size(); ++i) machines[i].rack = i < 2 ? "/a" : "/b";
  return machines;
}

class ModelledFetchesTest : public testing::Test {
 protected:
  // The task is to fetch the first `length` bytes, that many of each source.
  void plan(std::int64_t sources, std::int64_t length, ContainerId container = some_task) {
    TaskWork work;
    work.shuffle_job = some_job.value();
    work.shuffle_stage = some_stage;
    work.shuffle_sources = sources;
    work.shuffle_length = length;
    work.shuffle_copies = 5;
    work.io_weight = weight_;
    fetches_.plan(container, own, work);
  }
  void make_ready(std::uint32_t source, NodeId node) {
    fetches_.ready({some_job, static_cast<std::uint16_t>(some_stage), source,
                    ContainerId(std::size_t{source}), node, 0},
                   now_);
  }
  void fail(NodeId node) {
    hosts_.down.insert(node);
    fetches_.leave(node, now_);
  }

  TraceTime now_ = at_seconds(5);
  std::int64_t weight_ = 0;
  ScriptedHosts hosts_;
  std::vector<Machine> machines_ = machines();
  ModelledFetches fetches_{machines_, 1, hosts_};
};

TEST_F(ModelledFetchesTest, GetEachSourcesPartOnceItIsReady) {
  plan(3, 20);
  make_ready(2, NodeId(1u));
  EXPECT_THAT(hosts_.requests, IsEmpty()) << "its process does not run yet";
  fetches_.start(some_task, now_);
  EXPECT_THAT(hosts_.requests, ElementsAre(Request{NodeId(1u), own, 6}));
  make_ready(0, NodeId(5u));
  make_ready(1, own);
  EXPECT_THAT(hosts_.requests, ElementsAre(Request{NodeId(1u), own, 6}, Request{NodeId(5u), own, 7},
                                           Request{own, own, 7}));
  fetches_.sent(2, now_);
  fetches_.sent(0, now_);
  EXPECT_TRUE(fetches_.is_fetching(some_task));
  EXPECT_THAT(fetches_.take_whole(), IsEmpty());
  fetches_.sent(1, now_);
  EXPECT_FALSE(fetches_.is_fetching(some_task));
  EXPECT_THAT(fetches_.take_whole(), ElementsAre(some_task));
  EXPECT_EQ(fetches_.end(some_task, now_), (ReadBytes{7, 6, 7}));
  EXPECT_EQ(fetches_.end(some_task, now_), ReadBytes());
}

TEST_F(ModelledFetchesTest, AskFewHostsAtATimeAndEachForSeveralOutputs) {
  constexpr std::uint32_t sources = 30 * 25;
  plan(sources, sources * 2);
  for (std::uint32_t source = 0; source < sources; ++source) {
    make_ready(source, NodeId(std::size_t{10 + source % 30}));
  }
  fetches_.start(some_task, now_);
  ASSERT_THAT(hosts_.requests, SizeIs(5));
  for (const Request& request : hosts_.requests) EXPECT_EQ(request.bytes, 20 * 2);
  std::size_t at_a_time = 5;
  for (std::uint64_t transfer = 0; transfer < hosts_.requests.size(); ++transfer) {
    fetches_.sent(transfer, now_);
    EXPECT_LE(hosts_.requests.size(), transfer + 1 + at_a_time);
  }
  EXPECT_THAT(hosts_.requests, SizeIs(60));  // of each host, 20 outputs and then 5
  EXPECT_EQ(fetches_.end(some_task, now_), (ReadBytes{0, 0, sources * 2}));
}

TEST_F(ModelledFetchesTest, ShareLinksByTheWeightOfTheirTask) {
  weight_ = 250;
  plan(2, 20);
  make_ready(0, NodeId(1u));
  make_ready(1, NodeId(5u));
  fetches_.start(some_task, now_);
  EXPECT_THAT(hosts_.weights, ElementsAre(0.25, 0.25));
}

TEST_F(ModelledFetchesTest, OfDifferentTasksBeginWithDifferentHosts) {
  std::set<NodeId> first;
  for (std::uint32_t source = 0; source < 40; ++source)
    make_ready(source, NodeId(std::size_t{source}));
  for (std::size_t task = 0; task < 30; ++task) {
    plan(40, 40, ContainerId(task));
    const std::size_t before = hosts_.requests.size();
    fetches_.start(ContainerId(task), now_);
    first.insert(hosts_.requests[before].host);
  }
  EXPECT_GT(first.size(), 10u);
}

TEST_F(ModelledFetchesTest, NeedNothingOfSourcesThatHaveNothingForThem) {
  plan(3, 2);
  fetches_.start(some_task, now_);
  make_ready(2, NodeId(1u));
  EXPECT_THAT(hosts_.requests, IsEmpty());
  make_ready(0, NodeId(1u));
  make_ready(1, NodeId(1u));
  fetches_.sent(0, now_);
  fetches_.sent(1, now_);
  EXPECT_THAT(fetches_.take_whole(), ElementsAre(some_task));
}

TEST_F(ModelledFetchesTest, GetAgainWhatWasNotWholeWhenAHostFailed) {
  plan(4, 40);
  for (const std::uint32_t source : {0u, 1u, 2u}) make_ready(source, NodeId(7u));
  fetches_.start(some_task, now_);
  make_ready(3, NodeId(7u));  // waits for the first request
  ASSERT_THAT(hosts_.requests, ElementsAre(Request{NodeId(7u), own, 30}));
  hosts_.sent_of_cancelled = 19;  // one output, and a part of the next
  fail(NodeId(7u));
  EXPECT_THAT(hosts_.cancelled, ElementsAre(0));
  EXPECT_THAT(hosts_.requests, SizeIs(1));
  make_ready(0, NodeId(8u));  // its task ran again as well, as nobody knows who has it
  EXPECT_THAT(hosts_.requests, SizeIs(1));
  for (const std::uint32_t source : {1u, 2u, 3u}) make_ready(source, NodeId(8u));
  EXPECT_THAT(hosts_.requests,
              ElementsAre(Request{NodeId(7u), own, 30}, Request{NodeId(8u), own, 10}));
  fetches_.sent(1, now_);
  fetches_.sent(2, now_);
  EXPECT_THAT(hosts_.requests, SizeIs(3));
  EXPECT_EQ(hosts_.requests[2].bytes, 20);
  EXPECT_EQ(fetches_.end(some_task, now_), (ReadBytes{0, 0, 40}));
}

TEST_F(ModelledFetchesTest, TakeTheOtherCopyOfWhatIsReadyTwice) {
  plan(1, 10);
  fetches_.start(some_task, now_);
  make_ready(0, NodeId(7u));
  make_ready(0, NodeId(8u));
  EXPECT_THAT(hosts_.requests, SizeIs(1));
  fail(NodeId(7u));
  EXPECT_THAT(hosts_.requests,
              ElementsAre(Request{NodeId(7u), own, 10}, Request{NodeId(8u), own, 10}));
}

TEST_F(ModelledFetchesTest, FindNothingOnAMachineThatFailedBeforeTheyBegan) {
  plan(2, 10);
  make_ready(0, NodeId(7u));
  fail(NodeId(7u));
  make_ready(1, NodeId(7u));  // it ended there before
  fetches_.start(some_task, now_);
  EXPECT_THAT(hosts_.requests, IsEmpty());
}

TEST_F(ModelledFetchesTest, ThatEndEarlyCountWhatIsWhole) {
  plan(2, 20);
  make_ready(0, NodeId(7u));
  make_ready(1, NodeId(7u));
  fetches_.start(some_task, now_);
  hosts_.sent_of_cancelled = 15;
  EXPECT_EQ(fetches_.end(some_task, now_), (ReadBytes{0, 0, 10}));
  EXPECT_FALSE(fetches_.is_fetching(some_task));
  make_ready(0, NodeId(8u));
  EXPECT_THAT(hosts_.requests, SizeIs(1));
}

TEST_F(ModelledFetchesTest, FindNothingOnceTheirJobHasEnded) {
  make_ready(0, NodeId(7u));
  fetches_.remove(some_job);
  plan(1, 10);
  fetches_.start(some_task, now_);
  EXPECT_THAT(hosts_.requests, IsEmpty());
}

TEST_F(ModelledFetchesTest, WithoutTimeHaveTheFirstBytesOfWhatIsReady) {
  plan(2, 20);
  make_ready(0, own);
  make_ready(1, NodeId(1u));
  EXPECT_EQ(fetches_.end_untimed(some_task, 13), (ReadBytes{10, 3, 0}));
}

}  // namespace
}  // namespace tracebed
