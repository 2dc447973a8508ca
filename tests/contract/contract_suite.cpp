// What every scheduler must keep, through the real engine and the virtual fleet: one of Tracebed's
// is held to it by being registered, and another by a program of its own (suite_schedulers.h). That
// no node is over-committed, and that all derived figures agree, is checked by the engine after
// every round of every story (paranoid).
//
// TRACEBED_STORIES sets the number of stories per test (default 40), TRACEBED_STORY plays one seed
// only.
#include <cstdlib>
#include <gtest/gtest.h>

#include "contract/random_story.h"
#include "contract/suite_schedulers.h"

namespace tracebed {
namespace {

std::uint64_t environment_number(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

class SchedulerContract : public ::testing::TestWithParam<std::string_view> {
 protected:
  static constexpr std::uint64_t stories = 40;

  // So many that a thing which happens now and then must have happened in one.
  static bool plays_enough_stories() {
    return environment_number("TRACEBED_STORY", 0) == 0 &&
           environment_number("TRACEBED_STORIES", stories) >= stories;
  }

  // Calls visit(seed) for every story's seed; a failure says how to see it again.
  template <class Visitor>
  void for_each_seed(Visitor&& visit) const {
    const std::uint64_t only = environment_number("TRACEBED_STORY", 0);
    const std::uint64_t last = only != 0 ? only : environment_number("TRACEBED_STORIES", stories);
    for (std::uint64_t seed = only != 0 ? only : 1; seed <= last; ++seed) {
      SCOPED_TRACE("TRACEBED_STORY=" + std::to_string(seed) + ", scheduler " +
                   std::string(GetParam()));
      visit(seed);
      if (HasFailure()) return;
    }
  }
};

void expect_complete(const StoryResult& result) {
  EXPECT_EQ(result.replay.outcome, RunOutcome::complete);
  if (!result.replay.stall) return;
  for (const SharedWaitingReason& reason : result.replay.stall->reasons) {
    ADD_FAILURE() << reason.jobs << " jobs wait: " << reason.text;
  }
}

void expect_each_task_once(const JobAccount& job) {
  EXPECT_EQ(job.successes.size(), job.record.tasks) << job.record.name;
}

TEST_P(SchedulerContract, EveryJobEndsExactlyOnceAndIsRejectedOnlyIfItNeverFits) {
  for_each_seed([&](std::uint64_t seed) {
    const Story story = calm_story(seed);
    const StoryResult result = play(story, GetParam());
    expect_complete(result);
    ASSERT_EQ(result.jobs.size(), story.jobs.size());
    for (const auto& [id, job] : result.jobs) {
      EXPECT_EQ(job.ended, 1u) << job.record.name;
      if (job.record.outcome == JobOutcome::rejected) {
        // Or it has a deadline for which it is too late.
        const bool never_fits = job.record.diagnostics.find("asks for") != std::string::npos;
        EXPECT_TRUE(never_fits || (job.record.deadline != never &&
                                   job.record.diagnostics.starts_with("its deadline")))
            << job.record.diagnostics;
        continue;
      }
      EXPECT_EQ(job.record.outcome, JobOutcome::succeeded) << job.record.diagnostics;
      expect_each_task_once(job);
      for (const auto& [task, times] : job.successes) EXPECT_EQ(times, 1u);
      EXPECT_EQ(job.attempts_lost() > 0, job.record.attempts > job.record.tasks)
          << "lost attempts are reduces that made room";
    }
  });
}

// Machines go and come, tasks outgrow their memory, decisions are refused, containers are killed;
// in the end all machines are up and nothing meddles with a cluster at rest. All jobs end, those
// that could not do any better as failed.
TEST_P(SchedulerContract, SurvivesLostNodesRefusalsAndKills) {
  std::uint64_t refusals = 0;
  std::uint64_t lost = 0;
  for_each_seed([&](std::uint64_t seed) {
    const Story story = random_story(seed);
    const StoryResult result = play(story, GetParam());
    expect_complete(result);
    EXPECT_EQ(result.attempts_again, 0u);
    ASSERT_EQ(result.jobs.size(), story.jobs.size());
    refusals += result.counters.refusals;
    for (const auto& [id, job] : result.jobs) {
      lost += job.attempts_lost();
      EXPECT_EQ(job.ended, 1u) << job.record.name;
      EXPECT_NE(job.record.outcome, JobOutcome::killed) << job.record.diagnostics;
      if (job.record.outcome == JobOutcome::succeeded) expect_each_task_once(job);
      if (job.record.outcome == JobOutcome::failed) {
        EXPECT_NE(job.record.diagnostics.find("out_of_memory"), std::string::npos)
            << job.record.diagnostics;
      }
    }
  });
  if (plays_enough_stories()) {
    EXPECT_GT(refusals, 0u) << "no story had a refusal to survive";
    EXPECT_GT(lost, 0u) << "no story lost an attempt";
  }
}

// A task that the administrator moves continues at its destination, or anywhere but where it was;
// its job ends as it would have.
TEST_P(SchedulerContract, PlacesMovedTasksWhereTheyAreToGoOn) {
  std::uint64_t went_to = 0;
  std::uint64_t went_away = 0;
  for_each_seed([&](std::uint64_t seed) {
    Story story = calm_story(seed);
    story.move_chance = 0.05;
    if (seed % 4 == 0) {
      story.masters.emplace();
      story.masters->demand = Resources(100, 64);
    }
    const StoryResult result = play(story, GetParam());
    if (!story.masters) {
      expect_complete(result);
    }
    EXPECT_EQ(result.counters.master_actions_refused, 0u);
    EXPECT_EQ(result.attempts_again, 0u);
    for (const MovedTask& moved : result.moved) {
      const auto& attempts = result.jobs.at(moved.job).attempts;
      const auto ended = attempts.find({moved.task, moved.attempt});
      const auto next = attempts.find({moved.task, moved.attempt + 1});
      // It may have ended by itself before it was told.
      if (ended == attempts.end() || ended->second.second == ContainerEnd::succeeded) continue;
      if (!moved.has_elsewhere || next == attempts.end()) continue;
      const NodeId went = next->second.first;
      if (moved.destination.is_valid()) {
        EXPECT_EQ(went, moved.destination) << "from " << moved.from.value();
        ++went_to;
      } else {
        EXPECT_NE(went, moved.from);
        ++went_away;
      }
    }
    EXPECT_EQ(play(story, GetParam()).digest, result.digest);
  });
  if (plays_enough_stories()) {
    EXPECT_GT(went_to, 0u) << "no task was moved to a node that was named";
    EXPECT_GT(went_away, 0u) << "no task was moved away";
  }
}

// Whatever its tasks take and however late something else begins, a run ends when its jobs do.
TEST_P(SchedulerContract, PlaysJobsOfAllLengthsToTheirEnds) {
  for_each_seed([&](std::uint64_t seed) {
    const Story story = long_story(seed);
    const StoryResult result = play(story, GetParam());
    expect_complete(result);
    ASSERT_EQ(result.jobs.size(), story.jobs.size());
    for (const auto& [id, job] : result.jobs) {
      EXPECT_EQ(job.ended, 1u) << job.record.name;
      if (job.record.outcome == JobOutcome::rejected) continue;
      EXPECT_EQ(job.record.outcome, JobOutcome::succeeded) << job.record.diagnostics;
      expect_each_task_once(job);
    }
  });
}

// A run whose jobs cannot end is given up; no other is.
TEST_P(SchedulerContract, GivesUpWhatIsStuck) {
  std::uint64_t stalled = 0;
  for_each_seed([&](std::uint64_t seed) {
    const Story story = stuck_story(seed);
    const StoryResult result = play(story, GetParam());
    EXPECT_NE(result.replay.outcome, RunOutcome::cancelled) << "it never ends";
    ASSERT_EQ(result.jobs.size(), story.jobs.size());
    std::uint64_t killed = 0;
    for (const auto& [id, job] : result.jobs) {
      EXPECT_EQ(job.ended, 1u) << job.record.name;
      if (job.record.outcome == JobOutcome::killed) ++killed;
    }
    EXPECT_EQ(killed > 0, result.replay.outcome == RunOutcome::stalled);
    if (killed > 0) ++stalled;
  });
  if (plays_enough_stories()) {
    EXPECT_GT(stalled, 0u) << "no story was stuck";
  }
}

TEST_P(SchedulerContract, DecidesTheSameAgain) {
  for_each_seed([&](std::uint64_t seed) {
    const Story story = random_story(seed);
    EXPECT_EQ(play(story, GetParam()).digest, play(story, GetParam()).digest);
  });
}

// Jobs that run their tasks on executors, which hold their containers while there is nothing to run
// in them: more than fit, on nodes that leave or are drained, killed while they are idle, moved,
// and with masters in containers.
TEST_P(SchedulerContract, ServesJobsOnExecutors) {
  for_each_seed([&](std::uint64_t seed) {
    Story story = seed % 3 == 0 ? unlucky_story(seed) : random_story(seed);
    story.executors = static_cast<std::uint32_t>(1 + seed * seed % 40);
    story.move_chance = seed % 2 == 0 ? 0.02 : 0;
    if (seed % 4 == 3) {
      story.masters.emplace();
      story.masters->demand = Resources(100, 64);
    }
    const StoryResult result = play(story, GetParam());
    if (!story.masters) {
      expect_complete(result);
    }
    EXPECT_EQ(result.counters.master_actions_refused, 0u);
    EXPECT_EQ(result.attempts_again, 0u);
    ASSERT_EQ(result.jobs.size(), story.jobs.size());
    for (const auto& [id, job] : result.jobs) {
      EXPECT_EQ(job.ended, 1u) << job.record.name;
      if (job.record.outcome == JobOutcome::succeeded) expect_each_task_once(job);
      if (job.record.outcome == JobOutcome::failed && !story.masters) {
        EXPECT_NE(job.record.diagnostics.find("out_of_memory"), std::string::npos)
            << job.record.diagnostics;
      }
    }
    EXPECT_EQ(play(story, GetParam()).digest, result.digest);
  });
}

// With masters in containers, which take room, are killed with the rest and talk once a second.
// Jobs may find no room beside the masters, so a story may stall; what ends otherwise ends as it
// should, and no call of a master was out of its bounds.
TEST_P(SchedulerContract, ServesMastersInContainers) {
  std::uint64_t complete = 0;
  std::uint64_t masters_again = 0;
  for_each_seed([&](std::uint64_t seed) {
    Story story = random_story(seed);
    story.masters.emplace();
    story.masters->demand = Resources(100, 64);
    const StoryResult result = play(story, GetParam());
    ASSERT_EQ(result.jobs.size(), story.jobs.size());
    EXPECT_GT(result.counters.master_calls, 0u);
    EXPECT_EQ(result.counters.master_actions_refused, 0u);
    EXPECT_EQ(result.counters.master_calls_misplaced, 0u);
    EXPECT_EQ(result.attempts_again, 0u);
    masters_again += result.counters.masters_failed;
    if (result.replay.outcome == RunOutcome::complete) ++complete;
    for (const auto& [id, job] : result.jobs) {
      EXPECT_EQ(job.ended, 1u) << job.record.name;
      if (job.record.outcome == JobOutcome::succeeded) expect_each_task_once(job);
      if (job.record.outcome == JobOutcome::killed) {
        EXPECT_EQ(result.replay.outcome, RunOutcome::stalled);
      }
    }
    EXPECT_EQ(play(story, GetParam()).digest, result.digest);
  });
  EXPECT_GT(complete, 0u);
  if (plays_enough_stories()) {
    EXPECT_GT(masters_again, 0u) << "no master was tried again";
  }
}

INSTANTIATE_TEST_SUITE_P(All, SchedulerContract, ::testing::ValuesIn(suite_schedulers()),
                         [](const auto& parameter) { return std::string(parameter.param); });

}  // namespace
}  // namespace tracebed
