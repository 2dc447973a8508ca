// H. Lian and Y. Liu, 2020: how large a part of a queue application masters may take decides how
// long a group of MapReduce jobs takes. Five machines, one of them the master; four groups of
// thirty jobs, all submitted together; Capacity's maximum-am-resource-percent and Fair's
// maxAMShare.
//
// The paper does not state the machines, the costs of the jobs or the order of the mixed group:
// memory of 8 GiB and four cores are assumed, costs are those of the cost table
// (traces/parts/job_kinds.h), and the kinds take turns. Application masters of 1536 MB take two
// units of 1024 MB, tasks one. Containers compute on idle cores beyond their vcores, as they do in
// YARN unless strict-resource-usage is set. Disks and links are not modelled: what a task waits for
// its disk is in its costs.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "coordinator/reproductions/papers.h"
#include "coordinator/reproductions/table_cells.h"
#include "core/input_error.h"
#include "system/replace_file.h"

namespace tracebed {
namespace {

constexpr int jobs = 30;
constexpr int maps = 5;
constexpr std::int64_t bytes_of_size = 100'000'000;

struct JobGroup {
  std::string_view name;   // of its trace
  std::string_view title;  // as the paper names it
  std::vector<std::string_view> kinds;
};
const std::array<JobGroup, 4> groups{{{"grep", "Grep", {"grep"}},
                                      {"terasort", "TeraSort", {"terasort"}},
                                      {"wordcount", "WordCount", {"wordcount"}},
                                      {"mix", "mixed", {"grep", "terasort", "wordcount"}}}};

struct TunedScheduler {
  std::string_view name;
  std::string_view title;
  std::string_view parameter;
  int default_tenths = 1;      // the parameter's default
  std::string_view more = {};  // of the scheduler's settings
  std::array<int, 4> best{};   // that the paper found, in tenths, by group
};
constexpr std::array<TunedScheduler, 2> tuned{
    {{"capacity", "Capacity", "maximum-am-resource-percent", 1, "", {6, 5, 3, 5}},
     {"fair", "Fair", "maxAMShare", 5, "user_as_default_queue = false\n", {8, 9, 6, 8}}}};

constexpr int tenths_max = 10;

std::string share_text(int tenths) {
  return fmt::format("{}.{}", tenths / 10, tenths % 10);
}

std::string fixed_label(int tenths) {
  return "fixed-" + share_text(tenths);
}

std::string experiment_name(const TunedScheduler& scheduler, const JobGroup& group) {
  return fmt::format("{}-{}", scheduler.name, group.name);
}

// ---- what is run ----

const std::vector<SettingDescription>& settings() {
  static const std::vector<SettingDescription> all{
      {"task_size", "map",
       "what the paper's table 1 gives 100 MB: `map`, each of a job's five maps, or `job`, the "
       "job"},
      {"gap_ms", "0", "milliseconds between two submissions; the paper's jobs come all together"},
      {"cores", "4", "of each of the four machines, which the paper does not state"},
  };
  return all;
}

struct Choices {
  bool is_size_of_map = true;
  std::int64_t gap_ms = 0;
  std::int64_t cores = 4;
};

Choices choices_of(const SettingValues& values) {
  SettingReader reader("reproduction lian", settings(), values);
  Choices choices;
  choices.is_size_of_map = reader.choice("task_size", {"map", "job"}) == 0;
  choices.gap_ms = reader.integer("gap_ms", 0, 3'600'000);
  choices.cores = reader.integer("cores", 1, 1'000);
  if (const Status status = reader.status(); !status) {
    throw InputError("--set " + status.error().message);
  }
  return choices;
}

std::string trace_of(const JobGroup& group, const Choices& choices) {
  const std::int64_t bytes = bytes_of_size * (choices.is_size_of_map ? maps : 1);
  // Eight units of memory to a machine, and as many containers of these vcores.
  const double vcores = static_cast<double>(choices.cores) / 8;
  std::string text =
      "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,input_path\n";
  for (int i = 0; i < jobs; ++i) {
    const std::string_view kind = group.kinds[static_cast<std::size_t>(i) % group.kinds.size()];
    text += fmt::format("{0}{1},{2:.3f},{0},{3},{4},1,{5:.3f},1024,user,default,\n", kind, i,
                        static_cast<double>(choices.gap_ms * i) / 1000, bytes, maps, vcores);
  }
  return text;
}

std::string file_of(const TunedScheduler& scheduler, int tenths) {
  return fmt::format("{}-{}.xml", scheduler.name, share_text(tenths));
}

std::string configuration_of(const TunedScheduler& scheduler, int tenths) {
  const std::string share = share_text(tenths);
  if (scheduler.name == "fair") {
    return fmt::format(
        "<?xml version=\"1.0\"?>\n<allocations>\n  <queue name=\"default\">\n"
        "    <maxAMShare>{}</maxAMShare>\n  </queue>\n</allocations>\n",
        share);
  }
  std::string text = "<?xml version=\"1.0\"?>\n<configuration>\n";
  const auto add = [&](std::string_view name, std::string_view value) {
    text += fmt::format(
        "  <property>\n    <name>yarn.scheduler.capacity.{}</name>\n"
        "    <value>{}</value>\n  </property>\n",
        name, value);
  };
  add("maximum-am-resource-percent", share);
  add("root.queues", "default");
  add("root.default.capacity", "100");
  return text + "</configuration>\n";
}

std::string text_of(const TunedScheduler& scheduler, const JobGroup& group,
                    const Choices& choices) {
  std::string text = fmt::format(
      "# Lian and Liu 2020: {} under {}, {} fixed at each value.\n"
      "name = \"lian-{}\"\nworld = \"virtual\"\nam = \"container\"\n\n"
      "[trace]\nfile = \"{}.csv\"\n\n[trace.rules]\nmix.cpu_limit = \"core\"\n\n"
      "[cluster]\nnodes = 4\nvcores = {}\nmemory = \"8 GiB\"\n\n"
      "[master_container]\nvcores = {:.3f}\nmemory = \"1536 MiB\"\n\n"
      "[compare]\nprimary = \"makespan\"\nnoise = false\nbaseline = \"{}\"\n",
      group.title, scheduler.title, scheduler.parameter, experiment_name(scheduler, group),
      group.name, choices.cores, static_cast<double>(choices.cores) / 8,
      fixed_label(scheduler.default_tenths));
  for (int tenths = 0; tenths <= tenths_max; ++tenths) {
    text += fmt::format("\n[[scheduler]]\nname = \"{}\"\nlabel = \"{}\"\nconfig = \"{}\"\n{}",
                        scheduler.name, fixed_label(tenths), file_of(scheduler, tenths),
                        scheduler.more);
  }
  return text;
}

std::vector<PlannedExperiment> plan(const ReproductionRequest& request) {
  const Choices choices = choices_of(request.settings);
  std::vector<PlannedExperiment> experiments;
  for (const JobGroup& group : groups) {
    replace_file(request.folder / fmt::format("{}.csv", group.name), trace_of(group, choices));
  }
  for (const TunedScheduler& scheduler : tuned) {
    for (int tenths = 0; tenths <= tenths_max; ++tenths) {
      replace_file(request.folder / file_of(scheduler, tenths),
                   configuration_of(scheduler, tenths));
    }
    for (const JobGroup& group : groups) {
      experiments.push_back(
          {experiment_name(scheduler, group), text_of(scheduler, group, choices)});
    }
  }
  return experiments;
}

// ---- the tables ----

// The value with the least mean, of those under which every repetition completed.
std::optional<int> best_of(const ReproductionResults& results, const std::string& experiment) {
  std::optional<int> best;
  double least = 0;
  for (int tenths = 0; tenths <= tenths_max; ++tenths) {
    std::vector<double> values;
    const MeasuredRuns runs = results.find(experiment, fixed_label(tenths));
    for (const MeasuredRun* run : runs) {
      if (run->outcome == RunOutcome::complete) values.push_back(makespan_of(*run));
    }
    const std::optional<MeanOfRuns> mean = mean_of(values);
    if (!mean || values.size() < runs.size() || (best && mean->mean >= least)) continue;
    best = tenths;
    least = mean->mean;
  }
  return best;
}

ReproductionTable response_table(const TunedScheduler& scheduler,
                                 const ReproductionResults& results) {
  ReproductionTable table;
  table.title = fmt::format("{}: completion time of each group (s), by {}", scheduler.title,
                            scheduler.parameter);
  table.columns = {std::string(scheduler.parameter)};
  for (const JobGroup& group : groups) table.columns.emplace_back(group.title);
  for (int tenths = 0; tenths <= tenths_max; ++tenths) {
    const bool is_default = tenths == scheduler.default_tenths;
    std::vector<TableCell>& row = table.rows.emplace_back();
    row.push_back(
        number_cell(tenths / 10.0, share_text(tenths) + (is_default ? " (default)" : "")));
    for (const JobGroup& group : groups) {
      row.push_back(figure_cell(
          results.find(experiment_name(scheduler, group), fixed_label(tenths)), makespan_of));
    }
  }
  return table;
}

ReproductionTable best_table(const TunedScheduler& scheduler, const ReproductionResults& results) {
  ReproductionTable table;
  table.title = fmt::format("{}: the best fixed {}", scheduler.title, scheduler.parameter);
  table.columns = {"group", "default (s)", "best", "best of the paper", "best against default"};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::string experiment = experiment_name(scheduler, groups[i]);
    const MeasuredRuns baseline = results.find(experiment, fixed_label(scheduler.default_tenths));
    const std::optional<int> best = best_of(results, experiment);
    const int papers = scheduler.best[i];
    table.rows.push_back(
        {text_cell(std::string(groups[i].title)), figure_cell(baseline, makespan_of),
         best ? number_cell(*best / 10.0, share_text(*best)) : text_cell("-"),
         number_cell(papers / 10.0, share_text(papers)),
         best ? change_cell(baseline, results.find(experiment, fixed_label(*best)), makespan_of)
              : text_cell("-")});
  }
  table.notes = {"The default is that of YARN: " + share_text(scheduler.default_tenths) + "."};
  return table;
}

std::vector<ReproductionTable> tables(const ReproductionRequest&,
                                      const ReproductionResults& results) {
  std::vector<ReproductionTable> all;
  for (const TunedScheduler& scheduler : tuned) {
    all.push_back(response_table(scheduler, results));
    all.push_back(best_table(scheduler, results));
  }
  return all;
}

}  // namespace

Reproduction lian_reproduction() {
  return {.name = "lian",
          .paper =
              "H. Lian and Y. Liu: Number Adjustment Method of MapReduce Jobs Based on YARN "
              "Resource Scheduler, Computer Systems & Applications 29(3), 2020",
          .summary =
              "Thirty MapReduce jobs of each of four groups under Capacity and Fair, with "
              "every value of the parameter that limits application masters.",
          .settings = settings(),
          .plan = plan,
          .tables = tables};
}

}  // namespace tracebed
