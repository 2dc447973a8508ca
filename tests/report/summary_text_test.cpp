#include "report/summary_text.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

#include "report/headline.h"
#include "report/scale_text.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream input(text);
  for (std::string line; std::getline(input, line);) lines.push_back(line);
  return lines;
}

FigureDifference judged(double baseline, double difference, Verdict verdict) {
  FigureDifference figure;
  figure.baseline = baseline;
  figure.difference = difference;
  figure.interval = ConfidenceInterval{difference - 1, difference + 1};
  figure.verdict = verdict;
  return figure;
}

class SummaryText : public ::testing::Test {
 protected:
  // Figures as of 200 jobs on machines of two dimensions; JCT mean is the primary one.
  static WorldComparison world_of(const std::string& name,
                                  const std::vector<std::string>& schedulers) {
    WorldComparison world;
    world.world = name;
    world.jobs_common = 200;
    world.figures = compared_figures(std::vector<std::string>{"vcores", "memory"}, 200);
    world.primary = 0;
    for (const std::string& label : schedulers) {
      ComparedScheduler& scheduler = world.schedulers.emplace_back();
      scheduler.label = label;
      scheduler.metrics.resize(1);
      scheduler.metrics[0].succeeded = 200;
      scheduler.metrics[0].makespan = 5'400;
      scheduler.figures.assign(world.figures.size(), 100);
    }
    for (std::size_t s = 1; s < schedulers.size(); ++s) {
      Candidate& candidate = world.candidates.emplace_back();
      candidate.scheduler = s;
      candidate.pairs = {3, 3, {}};
      candidate.differences.assign(world.figures.size(), judged(100, -10, Verdict::better));
    }
    return world;
  }
  FigureDifference& primary_of(std::size_t candidate) {
    return comparison_.worlds.front().candidates[candidate].differences[0];
  }
  void use(const std::vector<std::string>& schedulers) {
    comparison_.worlds = {world_of("virtual", schedulers)};
  }
  std::string text() const { return summary_text(comparison_); }

  // Lines between the first empty one and the notes.
  std::size_t table_lines() const {
    const std::vector<std::string> lines = lines_of(text());
    return static_cast<std::size_t>(std::count_if(
        std::find(lines.begin(), lines.end(), ""), lines.end(), [](const std::string& line) {
          return !line.empty() && !line.starts_with("note: ") &&
                 !line.starts_with("Changes against") &&
                 line.find("--details") == std::string::npos;
        }));
  }

  Comparison comparison_;
};

TEST_F(SummaryText, BeginsWithTheVerdictOnThePrimaryFigure) {
  use({"fifo", "fair"});
  EXPECT_THAT(text(), StartsWith("In the virtual world, over 200 jobs, JCT mean against fifo: fair "
                                 "– better by 10.0 % (95 % CI\n  9.0..11.0).\n\nfigure "));
  EXPECT_THAT(text(), HasSubstr("\nJCT mean (s)               100   100  -10.0 %  better\n"));
}

TEST_F(SummaryText, OfOneRepetitionHasNoVerdicts) {
  use({"fifo", "fair"});
  comparison_.worlds.front().candidates.front().pairs = {1, 1, {}};
  primary_of(0) = judged(100, -10, Verdict::one_repetition);
  EXPECT_EQ(headline(comparison_),
            "In the virtual world, over 200 jobs, JCT mean against fifo: fair – on this trace and "
            "seed: -10.0 %.");
  EXPECT_THAT(text(), HasSubstr("\nJCT mean (s)               100   100  -10.0 %\n"));
}

TEST_F(SummaryText, RanksTheCandidatesAndGroupsEqualVerdicts) {
  use({"fifo", "a", "b", "c", "d", "e"});
  primary_of(1) = judged(100, 30, Verdict::worse);
  primary_of(2) = judged(100, -40, Verdict::better);
  primary_of(3) = judged(100, 0.1, Verdict::cannot_tell);
  EXPECT_EQ(
      headline(comparison_),
      "In the virtual world, over 200 jobs, JCT mean against fifo: c – better by 40.0 % (95 % "
      "CI 39.0..41.0); a and e – better by 10.0 % (95 % CI 9.0..11.0); d – cannot tell (+0.1 "
      "%, 95 % CI -0.9..+1.1); the table has the others.");
}

TEST_F(SummaryText, OfAFigureThatShouldBeHighRanksTheHighestFirst) {
  use({"fifo", "low", "high"});
  WorldComparison& world = comparison_.worlds.front();
  const auto found = std::find_if(world.figures.begin(), world.figures.end(),
                                  [](const auto& figure) { return figure.key == "throughput"; });
  world.primary = static_cast<std::size_t>(found - world.figures.begin());
  world.candidates[1].differences[*world.primary] = judged(100, 50, Verdict::better);
  EXPECT_EQ(ranked_candidates(world), (std::vector<std::size_t>{1, 0}));
}

TEST_F(SummaryText, OfSeveralCandidatesShowsChangesAndMarksThoseThatAreNotSettled) {
  use({"fifo", "fair", "capacity"});
  primary_of(1) = judged(100, 0.1, Verdict::cannot_tell);
  EXPECT_THAT(text(), HasSubstr("\nfigure                    fifo     fair  capacity\n"));
  EXPECT_THAT(text(), HasSubstr("\nJCT mean (s)               100  -10.0 %  (+0.1 %)\n"));
  EXPECT_THAT(text(), HasSubstr("Changes against fifo; in parentheses: not shown to be better or "
                                "worse.\n"));
}

TEST_F(SummaryText, HasATableOfAtMostTwentyFiveLinesInATerminalsWidth) {
  for (const std::size_t candidates : {0u, 1u, 2u, 5u, 12u}) {
    for (const std::size_t worlds : {1u, 2u, 3u}) {
      std::vector<std::string> schedulers{"fifo"};
      for (std::size_t c = 0; c < candidates; ++c) {
        schedulers.push_back("candidate" + std::to_string(c));
      }
      comparison_.worlds.clear();
      for (std::size_t w = 0; w < worlds; ++w) {
        comparison_.worlds.push_back(world_of("world" + std::to_string(w), schedulers));
      }
      EXPECT_LE(table_lines(), summary_table_lines_max) << candidates << " in " << worlds;
      EXPECT_THAT(text(), HasSubstr("\nJCT mean (s) "));
      for (const std::string& line : lines_of(text())) {
        const auto characters = std::count_if(line.begin(), line.end(),
                                              [](char byte) { return (byte & 0xC0) != 0x80; });
        EXPECT_LE(characters, 100) << line;
      }
    }
  }
  EXPECT_THAT(text(), HasSubstr(" more schedulers and "));
}

TEST_F(SummaryText, OfASingleSchedulerSaysHowManyJobsSucceededInWhatTime) {
  use({"fifo"});
  EXPECT_EQ(headline(comparison_),
            "fifo in the virtual world: 200 jobs succeeded in 1.5 h, JCT mean 100 s.");
}

TEST_F(SummaryText, WithoutAPrimaryFigureSaysThatNothingIsJudged) {
  use({"fifo", "fair"});
  comparison_.worlds.front().primary.reset();
  comparison_.worlds.front().jobs_common = 1;
  EXPECT_EQ(headline(comparison_),
            "In the virtual world, 1 job succeeded under all 2 schedulers: too few to judge them.");
}

// Two runs of a scheduler in the virtual world, three in the local one.
SchedulerAgreement agreement_of_jct(const std::string& label, const RunRange& model,
                                    const RunRange& real, Agreement agreement) {
  SchedulerAgreement scheduler;
  scheduler.label = label;
  scheduler.model_runs = 2;
  scheduler.real_runs = 3;
  scheduler.jobs = 200;
  scheduler.figures = {{"jct_mean", "JCT mean (s)", model, real, agreement}};
  return scheduler;
}

TEST_F(SummaryText, OfTwoWorldsSaysHowFarTheModelWasFromTheMachine) {
  comparison_.worlds = {world_of("virtual", {"fifo"}), world_of("local", {"fifo"})};
  WorldDifference difference;
  difference.label = "fifo";
  difference.model_world = "virtual";
  difference.real_world = "local";
  difference.jobs = 200;
  difference.repetitions = 1;
  comparison_.world_differences = {difference};
  WorldAgreement worlds{"virtual", "local", {}, {}, {}};
  worlds.schedulers = {
      agreement_of_jct("fifo", {98, 100, 101}, {103, 104, 109}, Agreement::beyond_repetitions)};
  comparison_.world_agreements = {worlds};
  EXPECT_EQ(headline(comparison_),
            "Under fifo, over 200 jobs, JCT mean was 104 s in the local world, 4.0 % longer than "
            "in the virtual one, more than repetitions differ by.");
  EXPECT_THAT(text(), HasSubstr("fifo, JCT mean (s)  100 (98..101)  104 (103..109)  +4.0 %  "
                                "beyond repetitions\n"));
  EXPECT_THAT(text(), HasSubstr("fifo: local world against virtual, 200 jobs in one pair of runs"));
  EXPECT_THAT(text(), Not(HasSubstr("makespan")));
}

TEST_F(SummaryText, OfTwoWorldsAndSeveralSchedulersSaysHowTheyRankInEach) {
  comparison_.worlds = {world_of("virtual", {"fifo", "fair"}), world_of("local", {"fifo", "fair"})};
  WorldAgreement worlds{"virtual", "local", {}, {"fair", "fifo"}, {"fair", "fifo"}};
  worlds.schedulers = {
      agreement_of_jct("fifo", {98, 100, 120}, {110, 115, 116}, Agreement::within_repetitions),
      agreement_of_jct("fair", {50, 50, 50}, {49, 49, 49}, Agreement::too_few_runs)};
  comparison_.world_agreements = {worlds};
  EXPECT_THAT(
      headline(comparison_),
      HasSubstr("Under fifo, over 200 jobs, JCT mean was 115 s in the local world, 15.0 % "
                "longer than in the virtual one, within what repetitions differ by. Under "
                "fair, over 200 jobs, JCT mean was 49 s in the local world, 2.0 % shorter "
                "than in the virtual one; the runs are too few to tell whether "
                "repetitions differ by as much. By median JCT, the schedulers rank alike in "
                "both worlds: "
                "fair, fifo."));
  EXPECT_THAT(text(), HasSubstr("where differences come from, and the figures of each world"));
  comparison_.world_agreements[0].real_order = {"fifo", "fair"};
  EXPECT_THAT(
      headline(comparison_),
      HasSubstr(
          "By median JCT, the schedulers rank differently: fair, fifo in the virtual world, fifo, "
          "fair in the local one."));
}

TEST_F(SummaryText, OfTwoWorldsHasNoRatioToATimeOfZero) {
  comparison_.worlds = {world_of("virtual", {"fifo"}), world_of("local", {"fifo"})};
  WorldAgreement worlds{"virtual", "local", {}, {}, {}};
  worlds.schedulers = {
      agreement_of_jct("fifo", {0, 0, 0}, {2, 2, 2}, Agreement::beyond_repetitions)};
  comparison_.world_agreements = {worlds};
  EXPECT_THAT(headline(comparison_),
              HasSubstr("JCT mean was 2 s in the local world, 2 s longer than in the virtual one"));
  comparison_.world_agreements[0].schedulers[0].figures[0].real = {};
  EXPECT_THAT(headline(comparison_),
              HasSubstr("JCT mean was 0 s in the local world, as long as in the virtual one"));
}

TEST_F(SummaryText, OfTwoWorldsHasNoMoreLinesThanOfOne) {
  comparison_.worlds = {world_of("virtual", {"fifo"}), world_of("local", {"fifo"})};
  WorldAgreement worlds{"virtual", "local", {}, {}, {}};
  for (int i = 0; i < 40; ++i) {
    worlds.schedulers.push_back(agreement_of_jct("scheduler" + std::to_string(i), {1, 1, 1},
                                                 {1, 1, 1}, Agreement::within_repetitions));
  }
  comparison_.world_agreements = {worlds};
  EXPECT_THAT(text(), HasSubstr("scheduler20, JCT mean"));
  EXPECT_THAT(text(), HasSubstr("19 more rows: --details\n"));
}

TEST_F(SummaryText, HasFewNotesAndSaysHowManyAreLeftOut) {
  use({"fifo", "fair"});
  for (int i = 0; i < 7; ++i) {
    comparison_.worlds.front().notes.push_back("of interest " + std::to_string(i));
  }
  EXPECT_THAT(text(), HasSubstr("note: of interest 4\n2 more notes: --details\n"));
  EXPECT_THAT(text(), Not(HasSubstr("of interest 5")));
}

TEST(ScaleText, ShowsOnlyWhatChanged) {
  EXPECT_EQ(scale_line({}), "");
  EXPECT_EQ(scale_text({{{"cpu ÷ 12", "CPU time burnt"}, {"tasks ÷ 2", "tasks of a stage"}},
                        {{"jobs", 50, 50, 0},
                         {"vcore-seconds of a job, mean", 158.174, 13.1284, -0.004},
                         {"load of memory", 1.2213, 1.2213, 0},
                         {"tasks", 123, 62, 0}}}),
            "Scaled: cpu ÷ 12, tasks ÷ 2.\n"
            "  cpu ÷ 12 changes CPU time burnt\n"
            "  tasks ÷ 2 changes tasks of a stage\n"
            "changed by scaling             from     to  by rounding\n"
            "───────────────────────────────────────────────────────\n"
            "vcore-seconds of a job, mean  158.2  13.13       -0.4 %\n"
            "tasks                           123     62\n");
}

}  // namespace
}  // namespace tracebed
