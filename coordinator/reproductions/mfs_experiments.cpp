#include "coordinator/reproductions/mfs_experiments.h"

#include <fmt/format.h>

#include "coordinator/reproductions/real_delays.h"
#include "core/input_error.h"
#include "traces/generate_mix.h"

namespace tracebed::ma2012 {
namespace {

struct Choices {
  bool has_threads = true;  // as many as vcores
  std::string users;
  std::string slot_split;
  double memory_share = 1;
  double swap_cost = 4;
  double utilisation_max = 1;
  std::int64_t heartbeat_ms = 0;
};

Choices choices_of(const SettingValues& values) {
  SettingReader reader("reproduction mfs", settings(), values);
  Choices choices;
  choices.has_threads = reader.choice("cpu", {"vcores", "one"}) == 0;
  constexpr std::array<std::string_view, 3> users{"one", "kind", "job"};
  choices.users = users[reader.choice("users", {"one", "kind", "job"})];
  choices.slot_split = reader.choice("slot_split", {"total", "each"}) == 0 ? "total" : "each";
  choices.memory_share = reader.fraction("memory_share", 0, 1);
  choices.swap_cost = reader.fraction("swap_cost", 0, 1'000);
  choices.utilisation_max = reader.fraction("utilisation_max", 0.001, 1);
  choices.heartbeat_ms = reader.integer("heartbeat_ms", 1, 3'600'000);
  if (const Status status = reader.status(); !status) {
    throw InputError("--set " + status.error().message);
  }
  return choices;
}

std::string trace_name(const JobGroup& group, std::uint32_t repetition) {
  return fmt::format("{}-r{}.csv", group.name, repetition);
}

std::string scheduler_table(std::string_view name, std::string_view label,
                            std::string_view settings) {
  return fmt::format("\n[[scheduler]]\nname = \"{}\"\nlabel = \"{}\"\n{}", name, label, settings);
}

std::string mfs_tables(const Variant& variant, const Choices& choices) {
  const std::string threshold = fmt::format("utilisation_max = \"{}\"\n", choices.utilisation_max);
  std::string text = scheduler_table("mfs", mfs_label, threshold);
  if (!variant.has_other_settings) return text;
  text += scheduler_table("mfs", "mfs-skip", threshold + "order = \"skip\"\n");
  text += scheduler_table("mfs", "mfs-more", threshold + "fit = \"more\"\n");
  text += scheduler_table("mfs", "mfs-several", threshold + "tasks_per_heartbeat = \"several\"\n");
  return text;
}

std::string slot_tables(const Variant& variant, const Choices& choices) {
  const auto slots = [&](int count) {
    return fmt::format("slots = {}\nslot_split = \"{}\"\n", count, choices.slot_split);
  };
  const std::string heartbeat = fmt::format("heartbeat_ms = {}\n", choices.heartbeat_ms);
  std::string text;
  for (const int count : slot_counts) {
    text += scheduler_table("slot_fair", slot_label("fair", count),
                            "generation = \"0.20\"\n" + slots(count) + heartbeat);
  }
  for (const int count : slot_counts) {
    text += scheduler_table("slot_capacity", slot_label("capacity", count),
                            "generation = \"0.20.2\"\n" + slots(count) + heartbeat);
  }
  if (!variant.has_other_settings) return text;
  const std::string middle = slots(middle_slots) + heartbeat;
  text += scheduler_table("slot_fair", "fair-several",
                          "generation = \"0.20\"\nassignmultiple = true\n" + middle);
  text += scheduler_table("slot_fair", "fair-1.x", "generation = \"1.x\"\n" + middle);
  text += scheduler_table("slot_capacity", "capacity-1.x", "generation = \"1.x\"\n" + middle);
  return text;
}

constexpr int real_machines = 4;

// On a core and a third of the machine.
std::string real_scale() {
  constexpr int time_scale = 10;
  return fmt::format("{}\n[scale]\ntime = {}\ncpu = 48\nmemory = 64\n", real_delays(time_scale),
                     time_scale);
}

std::string text_of(const JobGroup& group, Arms arms, const Variant& variant,
                    std::uint32_t repetition, const Choices& choices) {
  const bool has_threads = choices.has_threads != variant.has_other_cpu;
  const bool is_mfs = arms == Arms::mfs;
  const bool is_real_part = !variant.real_part.empty();
  const std::string head = fmt::format(
      "# Ma and Hong 2012: {} under {}; {}.\n"
      "name = \"ma2012-{}\"\nworld = \"{}\"\n\n"
      "[trace]\nfile = \"{}\"\n\n"
      "[trace.rules]\nmix.threads = \"{}\"\nmix.demand = \"{}\"\ntask.memory_share = {:.6g}\n\n"
      "[cluster]\nnodes = {}\nvcores = 16\nmemory = \"16 GiB\"\nheartbeat = \"{}ms\"\n{}\n"
      "[virtual]\nswap_cost = {:.6g}\n{}\n"
      "[compare]\nnoise = false\nbaseline = \"{}\"\n",
      group.title, is_mfs ? "MFS" : "slots", variant.title,
      experiment_name(group, arms, variant, repetition),
      is_real_part ? variant.real_part : "virtual", trace_name(group, repetition),
      has_threads ? "vcores" : "one", is_mfs ? "stated" : "none", choices.memory_share,
      is_real_part ? real_machines : 20, choices.heartbeat_ms,
      // As the paper has it, of CPU time.
      is_real_part ? "cpu_enforcement = \"weight\"\n" : "",
      variant.has_free_memory ? 0 : choices.swap_cost, is_real_part ? real_scale() : "",
      is_mfs ? std::string(mfs_label) : slot_label("fair", middle_slots));
  return head + (is_mfs ? mfs_tables(variant, choices) : slot_tables(variant, choices));
}

}  // namespace

std::span<const JobGroup> job_groups() {
  static constexpr std::array<JobGroup, 3> all{{{"small", "80 small jobs", "ma2012-small"},
                                                {"large", "40 large jobs", "ma2012-large"},
                                                {"mixed", "60 mixed jobs", "ma2012-mixed"}}};
  return all;
}

std::span<const Variant> variants() {
  static constexpr std::array<Variant, 3> all{
      {{.name = "", .title = "as set", .has_other_settings = true},
       {.name = "free", .title = "too much memory costs nothing", .has_free_memory = true},
       {.name = "cpu", .title = "the other reading of cpu", .has_other_cpu = true}}};
  return all;
}

const JobGroup& real_group() {
  return job_groups().front();
}

std::span<const Variant> real_variants() {
  static constexpr std::array<Variant, worlds_of_real_part.size()> all{
      {{.name = worlds_of_real_part[0].world,
        .title = worlds_of_real_part[0].title,
        .has_free_memory = true,
        .real_part = worlds_of_real_part[0].world},
       {.name = worlds_of_real_part[1].world,
        .title = worlds_of_real_part[1].title,
        .has_free_memory = true,
        .real_part = worlds_of_real_part[1].world}}};
  return all;
}

bool is_run(Arms arms, const Variant& variant) {
  return arms == Arms::slots || !variant.has_free_memory || !variant.real_part.empty();
}

std::string experiment_name(const JobGroup& group, Arms arms, const Variant& variant,
                            std::uint32_t repetition) {
  const std::string_view of_arms = arms == Arms::mfs ? "mfs" : "slots";
  if (!variant.real_part.empty()) {
    return fmt::format("{}-{}-r{}-{}", group.name, of_arms, repetition, variant.real_part);
  }
  return fmt::format("{}-{}{}{}-r{}", group.name, of_arms, variant.name.empty() ? "" : "-",
                     variant.name, repetition);
}

std::string slot_label(std::string_view scheduler, int slots) {
  return fmt::format("{}-{}", scheduler, slots);
}

std::span<const OtherSetting> other_settings() {
  static const std::array<OtherSetting, 6> all{
      {{Arms::mfs, "mfs-skip", std::string(mfs_label), "MFS that tries the next job"},
       {Arms::mfs, "mfs-more", std::string(mfs_label), "MFS that wants more than the demand free"},
       {Arms::mfs, "mfs-several", std::string(mfs_label), "MFS, several tasks a heartbeat"},
       {Arms::slots, "fair-several", slot_label("fair", middle_slots),
        "Fair, a map and a reduce a heartbeat"},
       {Arms::slots, "fair-1.x", slot_label("fair", middle_slots), "Fair of Hadoop 1.x"},
       {Arms::slots, "capacity-1.x", slot_label("capacity", middle_slots),
        "Capacity of Hadoop 1.x"}}};
  return all;
}

const std::vector<SettingDescription>& settings() {
  static const std::vector<SettingDescription> all{
      {"cpu", "vcores",
       "on how many cores a task computes: `vcores`, as many as its job demands, or `one`; the "
       "experiments named -cpu have the other"},
      {"users", "one",
       "whose the small and the large jobs are: of `one` user, of one for each `kind`, or for each "
       "`job`; in the mixed group the small ones are A's and the large ones B's"},
      {"slot_split", "total",
       "the number of slots is the `total`, of which max(1, round(n/4)) are for reduces, or that "
       "for `each` of maps and reduces"},
      {"memory_share", "1.0", "what tasks use of the memory that their jobs demand, 0 to 1"},
      {"swap_cost", "4",
       "tasks of a machine whose memory does not suffice are slower by 1 + this × (used / capacity "
       "- 1); in the experiments named -free it is 0"},
      {"utilisation_max", "1.0",
       "of MFS: a node of which this part of a resource is allocated asks for no task, 0.001 to 1"},
      {"heartbeat_ms", "3000", "milliseconds between two heartbeats of a node"},
  };
  return all;
}

namespace {

ReproductionPlan plan_of(const ReproductionRequest& request, std::span<const JobGroup> groups,
                         std::span<const Variant> variants_run) {
  const Choices choices = choices_of(request.settings);
  ReproductionPlan plan;
  for (std::uint32_t repetition = 1; repetition <= request.repetitions; ++repetition) {
    for (const JobGroup& group : groups) {
      MixModel model;
      model.workload = group.workload;
      model.users = choices.users;
      model.seed = request.seed + repetition - 1;
      plan.files.push_back({trace_name(group, repetition), make_mix(model).text});
      for (const Variant& variant : variants_run) {
        for (const Arms arms : {Arms::mfs, Arms::slots}) {
          if (!is_run(arms, variant)) continue;
          plan.experiments.push_back({experiment_name(group, arms, variant, repetition),
                                      text_of(group, arms, variant, repetition, choices),
                                      repetition});
        }
      }
    }
  }
  return plan;
}

}  // namespace

ReproductionPlan plan(const ReproductionRequest& request) {
  return plan_of(request, job_groups(), variants());
}

ReproductionPlan real_plan(const ReproductionRequest& request) {
  return plan_of(request, std::span(&real_group(), 1), real_variants());
}

}  // namespace tracebed::ma2012
