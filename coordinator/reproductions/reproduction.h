// The experiments of a paper, as data: what is run, and the tables that set what came out beside
// the paper's figures. `tracebed reproduce NAME` runs them (reproduction_run.h).
//
// A paper is one source file of this room, with a function that papers.h declares and
// reproductions.cpp lists. Its experiments are ordinary ones: texts of TOML, each of which
// `tracebed run` takes, too. Nothing of the paper's figures is asserted, and nothing is tuned to
// them; what the paper does not state is a setting with a default, and a note says so.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/outcomes.h"
#include "core/settings.h"
#include "report/confidence_interval.h"
#include "report/metrics.h"
#include "report/run_description.h"

namespace tracebed {

struct ReproductionRequest {
  std::filesystem::path folder;  // with everything; need not exist when experiments are planned
  std::uint64_t seed = 1;
  std::uint32_t repetitions = 10;  // of each scheduler in each experiment, one seed each
  SettingValues settings;          // those that are given of the reproduction's own
};

// What experiments name: a trace, an XML file.
struct PlannedFile {
  std::string name;  // beside the experiments' own files, so that these name it just so
  std::string text;
};

// The repetitions, the seed and the output folder are added to it.
struct PlannedExperiment {
  std::string name;  // letters, digits and '-'; unique. Its text is NAME.toml, its runs are
                     // below runs/NAME.
  std::string toml;
  // Where what it replays is drawn for each repetition: the one of those that are requested, whose
  // runs it has alone, with the seed that is as far above the first. 0: it has all of them.
  std::uint32_t repetition = 0;
};

struct ReproductionPlan {
  std::vector<PlannedFile> files;
  std::vector<PlannedExperiment> experiments;
};

// A replay that ended by itself, or stalled.
struct MeasuredRun {
  std::string experiment;
  std::string label;  // of the scheduler
  std::uint32_t repetition = 1;
  std::uint64_t seed = 0;
  RunOutcome outcome = RunOutcome::complete;
  std::string reason;  // why it did not complete, in words; may be empty
  std::string digest;
  RunMetrics metrics;
  std::vector<NamedCount> counters;        // as in run.json
  std::vector<MachineLoad> machine_loads;  // likewise; of real machines
  std::filesystem::path folder;            // with everything else that is known of it
};

class ReproductionResults {
 public:
  void add(MeasuredRun run) { runs_.push_back(std::move(run)); }
  // Of a scheduler in an experiment, by repetition; none if that was not run (--only).
  std::vector<const MeasuredRun*> find(std::string_view experiment, std::string_view label) const;
  const std::vector<MeasuredRun>& all() const { return runs_; }

 private:
  std::vector<MeasuredRun> runs_;
};

// A cell of a table: its text as it is printed, and, if it is a figure, its value for programs.
struct TableCell {
  std::string text;
  std::optional<double> value = {};
  std::optional<ConfidenceInterval> interval = {};  // 95 %, of the value
};

struct ReproductionTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<TableCell>> rows;  // as many cells as there are columns
  std::vector<std::string> notes;            // a sentence each, below the table
};

// A paper's experiments as processes on agents of this machine, at scale, each of which is run once
// more on modelled machines, so that its tables have both worlds beside each other.
struct RealPart {
  std::uint32_t repetitions = 1;  // unless others are requested
  std::string_view summary;       // one sentence: what is run, and about how long that takes
  // Settings of the reproduction that change nothing here, which are refused.
  std::vector<std::string_view> without = {};
  // As those of Reproduction.
  std::function<ReproductionPlan(const ReproductionRequest&)> plan;
  std::function<std::vector<ReproductionTable>(const ReproductionRequest&,
                                               const ReproductionResults&)>
      tables;
};

// Where the experiments of a real part are run.
struct WorldOfPart {
  std::string_view world;  // as in an experiment; the end of the experiment's name
  std::string_view title;
};
inline constexpr std::array<WorldOfPart, 2> worlds_of_real_part{
    {{"local", "real processes"}, {"virtual", "modelled machines"}}};

struct Reproduction {
  // All texts outlive it.
  std::string_view name;     // in lower case, as people type it
  std::string_view paper;    // authors, title, where and when
  std::string_view summary;  // one sentence: what is run, and what the tables show
  std::vector<SettingDescription> settings;
  // Writes nothing. Throws InputError for a setting that is unknown or wrong.
  std::function<ReproductionPlan(const ReproductionRequest&)> plan;
  // After all runs; the request is that of plan().
  std::function<std::vector<ReproductionTable>(const ReproductionRequest&,
                                               const ReproductionResults&)>
      tables;
  RealPart real_part;
};

}  // namespace tracebed
