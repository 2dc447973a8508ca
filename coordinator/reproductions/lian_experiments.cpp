#include "coordinator/reproductions/lian_experiments.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "coordinator/reproductions/real_delays.h"
#include "core/input_error.h"

namespace tracebed::lian {
namespace {

constexpr int maps_of_job = 5;
constexpr std::int64_t stated_bytes = 100'000'000;
constexpr int idle_periods = 10;

struct Choices {
  bool is_size_of_map = true;
  std::int64_t gap_ms = 0;
  std::int64_t cores = 0;
  std::int64_t startup_ms = 0;
  std::int64_t latency_ms = 0;
  std::string method;  // further settings of the paper's controller, as TOML
};

Choices choices_of(const SettingValues& values) {
  SettingReader reader("reproduction lian", settings(), values);
  constexpr std::int64_t hour_ms = 3'600'000;
  Choices choices;
  choices.is_size_of_map = reader.choice("task_size", {"map", "job"}) == 0;
  choices.gap_ms = reader.integer("gap_ms", 0, hour_ms);
  choices.cores = reader.integer("cores", 1, 1'000);
  choices.startup_ms = reader.integer("master_startup_ms", 0, hour_ms);
  choices.latency_ms = reader.integer("latency_ms", 0, hour_ms);
  const bool is_text = reader.choice("case_2", {"listing", "text"}) == 1;
  const bool is_exact = reader.choice("masters", {"estimate", "exact"}) == 1;
  const std::int64_t hold = reader.integer("hold", 0, 1'000);
  if (const Status status = reader.status(); !status) {
    throw InputError("--set " + status.error().message);
  }
  choices.method = fmt::format("case_2 = \"{}\"\nmasters = \"{}\"\nhold = {}\n",
                               is_text ? "text" : "listing", is_exact ? "exact" : "estimate", hold);
  return choices;
}

std::string trace_name(const JobGroup& group, const Variant& variant) {
  const bool has_own = !variant.name.empty() && !variant.is_real_part;
  return !has_own ? fmt::format("{}.csv", group.name)
                  : fmt::format("{}-{}.csv", group.name, variant.name);
}

std::string trace_of(const JobGroup& group, const Variant& variant, const Choices& choices) {
  const bool is_size_of_map = choices.is_size_of_map != variant.has_the_other_size;
  const std::int64_t bytes = stated_bytes * (is_size_of_map ? maps_of_job : 1);
  const std::int64_t begin_ms = variant.has_idled ? 1000 * idle_periods * usual_period : 0;
  const std::int64_t gap_ms = variant.has_gaps ? choices.gap_ms : 0;
  // Eight units of memory to a machine, and as many containers of these vcores.
  const double vcores = static_cast<double>(choices.cores) / 8;
  std::string text =
      "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,input_path\n";
  for (int i = 0; i < jobs_of_group; ++i) {
    const std::string_view kind = group.kinds[static_cast<std::size_t>(i) % group.kinds.size()];
    text +=
        fmt::format("{0}{1},{2:.3f},{0},{3},{4},1,{5:.3f},1024,user,default,\n", kind, i,
                    static_cast<double>(begin_ms + gap_ms * i) / 1000, bytes, maps_of_job, vcores);
  }
  return text;
}

std::string file_of(const TunedScheduler& scheduler, int tenths) {
  return fmt::format("{}-{}.xml", scheduler.name, share_label(tenths));
}

std::string configuration_of(const TunedScheduler& scheduler, int tenths) {
  const std::string share = share_label(tenths);
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

std::string scheduler_table(const TunedScheduler& scheduler, const std::string& label, int tenths) {
  return fmt::format("\n[[scheduler]]\nname = \"{}\"\nlabel = \"{}\"\nconfig = \"{}\"\n{}",
                     scheduler.name, label, file_of(scheduler, tenths), scheduler.more);
}

// The scheduler at its default, with a controller.
std::string controlled_table(const TunedScheduler& scheduler, const std::string& label,
                             std::string_view controller, const Variant& variant,
                             const Choices& choices, const std::string& more) {
  return scheduler_table(scheduler, label, scheduler.default_tenths) +
         fmt::format(
             "\n[[controller]]\nname = \"{}\"\nscheduler = \"{}\"\nqueue = \"root.default\"\n"
             "latency = \"{}ms\"\nstart = \"{}\"\n{}",
             controller, label, choices.latency_ms, variant.has_idled ? "run" : "first_submission",
             more);
}

constexpr int real_time_scale = 20;

// Beside what launching takes, a master from its launch until it registers, with a 24th of a core;
// times twenty.
std::string delays_of_real_part() {
  return real_delays(real_time_scale) + "master_startup = \"10s\"\n";
}

// Four machines on a core and a third.
std::string scale_of(const Choices& choices) {
  return fmt::format("[scale]\ntime = {}\ncpu = {}\nmemory = 32\n\n", real_time_scale,
                     3 * choices.cores);
}

std::string head_of(const TunedScheduler& scheduler, const JobGroup& group, const Variant& variant,
                    const Choices& choices) {
  return fmt::format(
      "# Lian and Liu 2020: {} under {}{}{}.\n"
      "name = \"lian-{}\"\nworld = \"{}\"\nam = \"container\"\n\n"
      "[trace]\nfile = \"{}\"\n\n[trace.rules]\nmix.cpu_limit = \"core\"\ntrace.origin = "
      "\"file\"\n\n"
      "[cluster]\nnodes = 4\nvcores = {}\nmemory = \"8 GiB\"\n\n"
      "[master_container]\nvcores = {:.3f}\nmemory = \"1536 MiB\"\n\n"
      "[virtual]\n{}\n{}"
      "[compare]\nprimary = \"makespan\"\nnoise = false\nbaseline = \"{}\"\n",
      group.title, scheduler.title, variant.title.empty() ? "" : ", ", variant.title,
      experiment_name(scheduler, group, variant), variant.world, trace_name(group, variant),
      choices.cores, static_cast<double>(choices.cores) / 8,
      variant.is_real_part ? delays_of_real_part()
                           : fmt::format("master_startup = \"{}ms\"\n", choices.startup_ms),
      variant.is_real_part ? scale_of(choices) : std::string(),
      fixed_label(scheduler.default_tenths));
}

std::string text_of(const TunedScheduler& scheduler, const JobGroup& group, const Variant& variant,
                    const Choices& choices) {
  std::string text = head_of(scheduler, group, variant, choices);
  if (variant.is_real_part) {
    for (const int tenths : {scheduler.default_tenths, real_best_of(scheduler, group)}) {
      text += scheduler_table(scheduler, fixed_label(tenths), tenths);
    }
    return text + controlled_table(scheduler, method_label(real_reading, usual_period), "lian2020",
                                   variant, choices,
                                   fmt::format("period_ms = {}\nn_counts = \"{}\"\n{}",
                                               1000 * usual_period, real_reading, choices.method));
  }
  for (int tenths = 0; tenths <= tenths_max; ++tenths) {
    if (!variant.has_every_share && tenths != scheduler.default_tenths) continue;
    text += scheduler_table(scheduler, fixed_label(tenths), tenths);
  }
  for (const int period : periods) {
    if (!variant.has_every_period && period != usual_period) continue;
    for (const std::string_view reading : readings) {
      text +=
          controlled_table(scheduler, method_label(reading, period), "lian2020", variant, choices,
                           fmt::format("period_ms = {}\nn_counts = \"{}\"\n{}", 1000 * period,
                                       reading, choices.method));
    }
  }
  if (!variant.has_predecessors) return text;
  for (const char* controller : {"zhang2015", "zhang2016"}) {
    text += controlled_table(scheduler, controller, controller, variant, choices, "");
  }
  return text;
}

}  // namespace

std::span<const JobGroup> job_groups() {
  static const std::array<JobGroup, 4> all{{{"grep", "Grep", {"grep"}},
                                            {"terasort", "TeraSort", {"terasort"}},
                                            {"wordcount", "WordCount", {"wordcount"}},
                                            {"mix", "mixed", {"grep", "terasort", "wordcount"}}}};
  return all;
}

std::span<const TunedScheduler> tuned_schedulers() {
  static constexpr std::array<TunedScheduler, 2> all{{{"capacity",
                                                       "Capacity",
                                                       "maximum-am-resource-percent",
                                                       1,
                                                       "",
                                                       {6, 5, 3, 5},
                                                       -53,
                                                       {3, 4, 4, 4}},
                                                      {"fair",
                                                       "Fair",
                                                       "maxAMShare",
                                                       5,
                                                       "user_as_default_queue = false\n",
                                                       {8, 9, 6, 8},
                                                       -14,
                                                       {6, 6, 6, 6}}}};
  return all;
}

int real_best_of(const TunedScheduler& scheduler, const JobGroup& group) {
  const auto groups = job_groups();
  const auto found = std::find_if(groups.begin(), groups.end(),
                                  [&](const JobGroup& other) { return other.name == group.name; });
  return scheduler.real_best.at(static_cast<std::size_t>(found - groups.begin()));
}

std::span<const Variant> variants() {
  static constexpr std::array<Variant, 4> all{
      {{.name = "",
        .title = "all together",
        .has_every_share = true,
        .has_every_period = true,
        .has_predecessors = true},
       {.name = "gap", .title = "one after the other", .has_every_period = true, .has_gaps = true},
       {.name = "idle", .title = "controller idle for ten periods before", .has_idled = true},
       {.name = "size",
        .title = "the other size",
        .has_every_share = true,
        .has_the_other_size = true}}};
  return all;
}

std::span<const Variant> real_variants() {
  static constexpr std::array<Variant, worlds_of_real_part.size()> all{
      {{.name = worlds_of_real_part[0].world,
        .title = worlds_of_real_part[0].title,
        .world = worlds_of_real_part[0].world,
        .is_real_part = true},
       {.name = worlds_of_real_part[1].world,
        .title = worlds_of_real_part[1].title,
        .world = worlds_of_real_part[1].world,
        .is_real_part = true}}};
  return all;
}

std::string share_label(int tenths) {
  return fmt::format("{}.{}", tenths / 10, tenths % 10);
}

std::string fixed_label(int tenths) {
  return "fixed-" + share_label(tenths);
}

std::string method_label(std::string_view reading, int period) {
  return fmt::format("lian2020-{}-{}s", reading, period);
}

std::string experiment_name(const TunedScheduler& scheduler, const JobGroup& group,
                            const Variant& variant) {
  return variant.name.empty() ? fmt::format("{}-{}", scheduler.name, group.name)
                              : fmt::format("{}-{}-{}", scheduler.name, group.name, variant.name);
}

const std::vector<SettingDescription>& settings() {
  static const std::vector<SettingDescription> all{
      {"task_size", "map",
       "what the paper's table 1 gives 100 MB: `map`, each of a job's five maps, or `job`, the "
       "job; the experiments named -size have the other"},
      {"gap_ms", "1000",
       "milliseconds between two submissions of the experiments named -gap; in the others all jobs "
       "come together"},
      {"cores", "4", "of each of the four machines"},
      {"master_startup_ms", "6000", "milliseconds from a master's start to its registration"},
      {"latency_ms", "1000", "milliseconds from a controller's decision to the refresh"},
      {"case_2", "listing", "of lian2020: which of two tests comes first, `listing` or `text`"},
      {"masters", "estimate", "of lian2020: memory of masters, `estimate` or `exact`"},
      {"hold", "0", "of lian2020: periods without a change after each change"},
  };
  return all;
}

namespace {

ReproductionPlan plan_of(const ReproductionRequest& request, std::span<const Variant> variants) {
  const Choices choices = choices_of(request.settings);
  ReproductionPlan plan;
  for (const TunedScheduler& scheduler : tuned_schedulers()) {
    for (int tenths = 0; tenths <= tenths_max; ++tenths) {
      plan.files.push_back({file_of(scheduler, tenths), configuration_of(scheduler, tenths)});
    }
  }
  std::set<std::string> traces;
  for (const Variant& variant : variants) {
    for (const JobGroup& group : job_groups()) {
      const std::string name = trace_name(group, variant);
      if (!traces.insert(name).second) continue;
      plan.files.push_back({name, trace_of(group, variant, choices)});
    }
    for (const TunedScheduler& scheduler : tuned_schedulers()) {
      for (const JobGroup& group : job_groups()) {
        plan.experiments.push_back({experiment_name(scheduler, group, variant),
                                    text_of(scheduler, group, variant, choices)});
      }
    }
  }
  return plan;
}

}  // namespace

ReproductionPlan plan(const ReproductionRequest& request) {
  return plan_of(request, variants());
}

ReproductionPlan real_plan(const ReproductionRequest& request) {
  return plan_of(request, real_variants());
}

}  // namespace tracebed::lian
