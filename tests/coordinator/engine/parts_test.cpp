// Parts of the engine by themselves, around a step context of the test's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/engine/asks.h"
#include "coordinator/engine/doubles.h"
#include "coordinator/engine/preemptions.h"
#include "coordinator/engine/run_records.h"

namespace tracebed {
namespace {

using doubles::plain_machine;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class PartsTest : public testing::Test {
 protected:
  struct Records final : RecordSink {
    void attempt_ended(const AttemptRecord& record) override { attempts.push_back(record); }
    void job_ended(const JobRecord& record) override { jobs.push_back(record); }
    void preemption_ended(const PreemptionRecord& record) override {
      preemptions.push_back(record);
    }
    void sampled(const ClusterSample& sample) override { samples.push_back(sample); }

    std::vector<AttemptRecord> attempts;
    std::vector<JobRecord> jobs;
    std::vector<PreemptionRecord> preemptions;
    std::vector<ClusterSample> samples;
  };

  PartsTest() {
    ledger_.add_node(NodeId(0u), plain_machine(4));
    ledger_.add_node(NodeId(1u), plain_machine(4));
    application_ = ledger_.open_application(Job{}, trace_time(0));
    at(0);
  }
  void at(std::int64_t second) {
    context_.end();
    context_.begin(trace_time(second), commands_);
  }
  // The container of one unit on a node, launched.
  ContainerId run_on(std::uint32_t node) {
    SetAsk figures;
    figures.pending = 1;
    const AskId ask = ledger_.open_ask(application_, figures, Resources(1000, 512));
    const GangPiece piece{NodeId(node), 1};
    const ContainerId id = ledger_.allocate(ask, std::span(&piece, 1), context_.now());
    states_.emplace_at(id);
    ledger_.launch_task(id, Locality::none_asked);
    return id;
  }
  template <class Event>
  std::size_t events() const {
    return static_cast<std::size_t>(
        std::count_if(context_.events.begin(), context_.events.end(),
                      [](const auto& event) { return std::holds_alternative<Event>(event); }));
  }

  Records recorded_;
  StepContext context_{recorded_};
  std::vector<Command> commands_;
  Ledger ledger_;
  ContainerStates states_;
  ApplicationId application_;
};

// ---- asks ----

class AsksTest : public PartsTest {
 protected:
  SetAsk away_from(std::uint32_t node) {
    SetAsk ask;
    ask.pending = 1;
    ask.avoided = NodeId(node);
    return ask;
  }

  Asks asks_{ledger_, context_};
  AskList slots_;
};

TEST_F(AsksTest, TellTheSchedulerOfWhatIsOpenedChangedAndClosed) {
  asks_.set(application_, slots_, SetAsk{.slot = 2, .pending = 3}, Resources(1000, 512));
  ASSERT_THAT(slots_, SizeIs(3));
  const AskId ask = slots_[2];
  asks_.set(application_, slots_, SetAsk{.slot = 2, .pending = 4}, Resources(2000, 512));
  EXPECT_EQ(slots_[2], ask);
  EXPECT_EQ(ledger_.model().asks[ask].pending, 4u);
  EXPECT_EQ(ledger_.model().asks[ask].demand, Resources(2000, 512));
  EXPECT_EQ(events<AskChanged>(), 2u);
  asks_.close(slots_, 2);
  EXPECT_FALSE(slots_[2].is_valid());
  EXPECT_EQ(events<AskRemoved>(), 1u);
  asks_.close_all(slots_);
  EXPECT_THAT(slots_, IsEmpty());
  EXPECT_EQ(events<AskRemoved>(), 1u) << "it was closed already";
}

TEST_F(AsksTest, AvoidANodeWhileAnotherCouldHoldThem) {
  asks_.set(application_, slots_, away_from(0), Resources(1000, 512));
  EXPECT_EQ(ledger_.model().asks[slots_[0]].avoided, NodeId(0u));
  context_.events.clear();
  asks_.review_avoided();
  EXPECT_EQ(events<AskChanged>(), 0u);
  ledger_.remove_node(NodeId(1u));
  asks_.review_avoided();
  EXPECT_FALSE(ledger_.model().asks[slots_[0]].avoided.is_valid());
  EXPECT_EQ(events<AskChanged>(), 1u);
}

TEST_F(AsksTest, DoNotAvoidTheOnlyNodeThatCouldHoldThem) {
  ledger_.remove_node(NodeId(1u));
  asks_.set(application_, slots_, away_from(0), Resources(1000, 512));
  EXPECT_FALSE(ledger_.model().asks[slots_[0]].avoided.is_valid());
}

TEST_F(AsksTest, NoLongerAvoidWhatTheyAreSetWithout) {
  asks_.set(application_, slots_, away_from(0), Resources(1000, 512));
  asks_.set(application_, slots_, SetAsk{.pending = 1}, Resources(1000, 512));
  EXPECT_FALSE(ledger_.model().asks[slots_[0]].avoided.is_valid());
}

// ---- preemptions ----

class PreemptionsTest : public PartsTest {
 protected:
  void end(ContainerId id, ContainerEnd end) {
    preemptions_.container_ended(id, ledger_.model().containers[id], end);
    ledger_.release(id, 1);
    states_.erase(id);
  }
  static PreemptionTerms until(std::int64_t second) { return {.deadline = trace_time(second)}; }

  Preemptions preemptions_{ledger_.model(), states_, context_};
};

TEST_F(PreemptionsTest, AreDueAtTheirDeadlineAndAnnouncedToTheSchedulerAlone) {
  const ContainerId of_scheduler = run_on(0);
  const ContainerId of_administrator = run_on(0);
  preemptions_.request(of_scheduler, until(5), PreemptionSource::scheduler);
  preemptions_.request(of_administrator, until(5), PreemptionSource::administrator);
  EXPECT_EQ(preemptions_.next_deadline(), trace_time(5));
  EXPECT_THAT(preemptions_.due(), IsEmpty());
  at(5);
  EXPECT_THAT(preemptions_.due(), ElementsAre(of_scheduler, of_administrator));
  preemptions_.announce_due();
  EXPECT_EQ(events<PreemptionDue>(), 1u);
}

TEST_F(PreemptionsTest, OfAnAdministratorReplaceTheSchedulersAndAreNotReplacedByThem) {
  const ContainerId id = run_on(0);
  preemptions_.request(id, until(5), PreemptionSource::scheduler);
  preemptions_.request(id, until(9), PreemptionSource::administrator);
  preemptions_.request(id, until(3), PreemptionSource::scheduler);
  EXPECT_EQ(preemptions_.find(id)->terms.deadline, trace_time(9));
}

TEST_F(PreemptionsTest, GiveWayIfTheyAreBestEffort) {
  const ContainerId id = run_on(0);
  PreemptionTerms terms = until(9);
  terms.purpose = PreemptionPurpose::relocate;
  preemptions_.request(id, terms, PreemptionSource::administrator);
  preemptions_.request(id, until(3), PreemptionSource::scheduler);
  EXPECT_EQ(preemptions_.find(id)->terms.deadline, trace_time(3));
}

TEST_F(PreemptionsTest, EndAsTheirContainerDoes) {
  const std::vector<std::pair<ContainerEnd, PreemptionEnd>> ends{
      {ContainerEnd::succeeded, PreemptionEnd::given_up},
      {ContainerEnd::preempted, PreemptionEnd::given_up},
      {ContainerEnd::checkpointed, PreemptionEnd::checkpointed},
      {ContainerEnd::node_lost, PreemptionEnd::lost}};
  for (const auto& [container_end, preemption_end] : ends) {
    const ContainerId id = run_on(0);
    preemptions_.request(id, until(5), PreemptionSource::scheduler);
    end(id, container_end);
    EXPECT_EQ(recorded_.preemptions.back().end, preemption_end);
  }
  EXPECT_EQ(context_.counters.requested_lost, 1u);
  const ContainerId id = run_on(0);
  preemptions_.request(id, until(5), PreemptionSource::scheduler);
  preemptions_.force(id);
  end(id, ContainerEnd::preempted);
  EXPECT_EQ(recorded_.preemptions.back().end, PreemptionEnd::forced);
  EXPECT_TRUE(preemptions_.empty());
}

TEST_F(PreemptionsTest, AreFulfilledByWhatElseTheApplicationGivesUp) {
  const ContainerId marked = run_on(0);
  const ContainerId other = run_on(1);
  preemptions_.request(marked, until(5), PreemptionSource::scheduler);
  EXPECT_THAT(preemptions_.take_changed(), ElementsAre(application_));
  end(other, ContainerEnd::succeeded);
  EXPECT_EQ(recorded_.preemptions.back().end, PreemptionEnd::substituted);
  EXPECT_EQ(events<PreemptionSettled>(), 1u);
  EXPECT_THAT(preemptions_.take_changed(), ElementsAre(application_));
  EXPECT_THAT(preemptions_.take_changed(), IsEmpty());
}

TEST_F(PreemptionsTest, ListWhatAnApplicationHoldsButItsMasterAndOrphans) {
  const ContainerId task = run_on(0);
  const ContainerId orphan = run_on(0);
  states_[orphan].is_orphan = true;
  const ContainerId held = run_on(1);
  states_[held].is_held = true;
  std::map<ApplicationId, std::vector<HeldContainer>> list;
  list[application_];
  preemptions_.list_held(list);
  ASSERT_THAT(list[application_], SizeIs(2));
  EXPECT_EQ(list[application_][0].container, task);
  EXPECT_EQ(list[application_][0].work_begun, trace_time(0));
  EXPECT_EQ(list[application_][1].container, held);
  EXPECT_EQ(list[application_][1].work_begun, never) << "it waits to be let begin";
}

// ---- records ----

class RunRecordsTest : public PartsTest {
 protected:
  RunRecords records_{ledger_, context_};
  JobRecord job_;
};

TEST_F(RunRecordsTest, SampleTheClusterOncePerStepInWhichItChanged) {
  records_.job_submitted(application_, Job{}, 1, job_);
  records_.sample(1);
  records_.sample(1);
  ASSERT_THAT(recorded_.samples, SizeIs(1));
  EXPECT_EQ(recorded_.samples[0].jobs_open, 1u);
  EXPECT_EQ(recorded_.samples[0].jobs_waiting, 1u);
  records_.allocated(job_);
  records_.allocated(job_);
  context_.cluster_changed = true;
  records_.sample(1);
  EXPECT_EQ(recorded_.samples[1].jobs_waiting, 0u) << "a job waits for its first container alone";
}

TEST_F(RunRecordsTest, CountAJobThatEndsWithoutAContainerAsNoLongerWaiting) {
  records_.job_submitted(application_, Job{}, 1, job_);
  at(7);
  records_.job_ended(job_, JobOutcome::rejected, "no such queue", LeafId());
  records_.sample(0);
  EXPECT_EQ(recorded_.samples.back().jobs_waiting, 0u);
  ASSERT_THAT(recorded_.jobs, SizeIs(1));
  EXPECT_EQ(recorded_.jobs[0].finished, trace_time(7));
  EXPECT_EQ(recorded_.jobs[0].diagnostics, "no such queue");
}

TEST_F(RunRecordsTest, NoticeALivelockUntilAnythingMovesOn) {
  const ContainerId id = run_on(0);
  const auto lose = [&] {
    records_.attempt_ended(id, ledger_.model().containers[id], states_[id], ContainerEnd::preempted,
                           {});
  };
  for (std::uint32_t i = 1; i < PreemptionLivelock::losses_max; ++i) lose();
  EXPECT_FALSE(records_.is_livelocked());
  lose();
  EXPECT_TRUE(records_.is_livelocked());
  records_.attempt_ended(id, ledger_.model().containers[id], states_[id],
                         ContainerEnd::checkpointed, {});
  EXPECT_FALSE(records_.is_livelocked());
}

}  // namespace
}  // namespace tracebed
