// `tracebed trace generate MODEL OUTPUT`, and `… generate --like FILE OUTPUT`
#include <fmt/core.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/duration_flag.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/cli/trace_flags.h"
#include "core/input_error.h"
#include "traces/generate_map_reduce.h"
#include "traces/generate_mix.h"
#include "traces/generate_rigid.h"
#include "traces/similar/generate_like.h"

namespace tracebed {
namespace {

// A model with the file that it writes.
template <class Model>
struct Generation {
  Model model;
  std::string output;
};

// Adds the command of a model, with the flags that all models have; `generate` is called with model
// and output file.
template <class Model, class Generate>
CLI::App* add_model(CLI::App& parent, const std::string& name, const std::string& description,
                    const std::shared_ptr<Generation<Model>>& generation, Generate generate) {
  CLI::App* command = parent.add_subcommand(name, description);
  add_output_file(*command, generation->output);
  command->add_option("--jobs", generation->model.jobs, "Number of jobs")->capture_default_str();
  command->add_option("--seed", generation->model.seed, "Seed; the same seed gives the same file")
      ->capture_default_str();
  command->callback([generation, generate] {
    std::FILE* const to = messages_beside(generation->output);
    generate(generation->model, generation->output);
    print_plain(to, "{}: {} jobs\n", generation->output, generation->model.jobs);
  });
  return command;
}

void add_map_reduce(CLI::App& parent) {
  const auto generation = std::make_shared<Generation<MapReduceModel>>();
  CLI::App* command =
      add_model(parent, "swim", "Generate MapReduce jobs like Facebook's of 2009, as SWIM",
                generation, [](const MapReduceModel& model, const std::string& file) {
                  generate_map_reduce(model, file);
                });
  MapReduceModel& model = generation->model;
  command->add_option("--gap", model.mean_gap_seconds, "Mean seconds between submissions")
      ->capture_default_str();
  command->add_option("--spread", model.spread, "Spread of sizes about the median of their class")
      ->capture_default_str();
  command->add_option("--data-divisor", model.data_divisor, "Divisor of all byte counts")
      ->capture_default_str();
  command
      ->add_option(
          "--flatten", model.flatten,
          "Exponent of the class frequencies: below 1, rare large jobs become more frequent")
      ->capture_default_str();
  command->add_option("--paths", model.paths, "Number of different input paths; 0: rows name none")
      ->capture_default_str();
}

void add_uniform(CLI::App& parent) {
  const auto generation = std::make_shared<Generation<UniformRigidModel>>();
  CLI::App* command = add_model(
      parent, "uniform", "Generate rigid jobs of uniform sizes and run times, as SWF", generation,
      [](const UniformRigidModel& model, const std::string& file) { generate_rigid(model, file); });
  UniformRigidModel& model = generation->model;
  command->add_option("--processors-min", model.processors_min, "Smallest job, in processors")
      ->capture_default_str();
  command->add_option("--processors-max", model.processors_max, "Largest job, in processors")
      ->capture_default_str();
  command->add_option("--run-min", model.run_seconds_min, "Shortest run time, in seconds")
      ->capture_default_str();
  command->add_option("--run-max", model.run_seconds_max, "Longest run time, in seconds")
      ->capture_default_str();
  command->add_option("--cores", model.cores, "Total cores of the machines")->capture_default_str();
  command->add_option("--load", model.load, "Mean share of the cores in use")
      ->capture_default_str();
}

void add_lublin(CLI::App& parent) {
  const auto generation = std::make_shared<Generation<LublinModel>>();
  CLI::App* command = add_model(
      parent, "lublin", "Generate rigid jobs by the model of Lublin and Feitelson (2003), as SWF",
      generation,
      [](const LublinModel& model, const std::string& file) { generate_rigid(model, file); });
  LublinModel& model = generation->model;
  command->add_option("--processors", model.processors, "Processors of the machine")
      ->capture_default_str();
  command->add_option("--stretch", model.stretch, "Factor of the gaps between submissions")
      ->capture_default_str();
  command->add_option("--users", model.users, "Number of users; 0: jobs have no users")
      ->capture_default_str();
}

void add_mix(CLI::App& parent) {
  const auto generation = std::make_shared<Generation<MixModel>>();
  CLI::App* command = parent.add_subcommand(
      "mix", "Generate MapReduce jobs by kind, as papers state their workloads");
  add_output_file(*command, generation->output);
  MixModel& model = generation->model;
  const auto workloads = mix_workloads();
  command->add_option("--workload", model.workload, "Workload of a paper")
      ->check(CLI::IsMember(std::vector<std::string>(workloads.begin(), workloads.end())))
      ->capture_default_str();
  const auto users = mix_users();
  command
      ->add_option("--users", model.users,
                   "Whose jobs they are, where the paper does not say: of one user, of a user for "
                   "each kind, or for each job")
      ->check(CLI::IsMember(std::vector<std::string>(users.begin(), users.end())))
      ->capture_default_str();
  command->add_option("--gap", model.gap_seconds, "Seconds between submissions")
      ->capture_default_str();
  command->add_option("--divisor", model.divisor, "Divisor of bytes, vcores and memory of each job")
      ->capture_default_str();
  command->add_option("--seed", model.seed, "Seed; the same seed gives the same file")
      ->capture_default_str();
  command->callback([generation] {
    std::FILE* const to = messages_beside(generation->output);
    const std::uint64_t jobs = generate_mix(generation->model, generation->output);
    print_plain(to, "{}: {} jobs\n", generation->output, jobs);
  });
}

// Without a model, the command itself generates a trace like another.
struct LikeFlags {
  std::string original;
  std::string output;
  TraceFlags trace;
  LikeOptions options;
};

void generate_like(const LikeFlags& flags) {
  if (flags.original.empty() || flags.output.empty()) {
    throw InputError("trace generate: expected a model, or --like FILE and a file to write");
  }
  std::FILE* const to = messages_beside(flags.output);
  const LikeResult result =
      generate_like(flags.original, flags.output, trace_options(flags.trace), flags.options);
  print_plain(to, "{}: {} jobs as {}", flags.output, result.generated.jobs(), result.format);
  if (result.period > Duration{}) {
    print_plain(to, ", with the original's pattern of the {}",
                result.period > std::chrono::hours(24) ? "week" : "day");
  }
  print_plain(to, "\n");
  for (const TraceCount& lost : result.lost) {
    print_plain(to, "not in {}: {} ({})\n", result.format, lost.name, lost.count);
  }
  print_lines(side_by_side(flags.original, result.original, flags.output, result.generated), to);
}

// Returns the flag, which models exclude.
CLI::Option* add_like(CLI::App& command) {
  const auto flags = std::make_shared<LikeFlags>();
  CLI::Option* const original = command.add_option(
      "--like", flags->original, "Trace to resemble, in any format; - is standard input");
  add_output_file(command, flags->output)->required(false);  // models have their own
  SimilarOptions& similar = flags->options.similar;
  command.add_option("--jobs", similar.jobs, "Number of jobs (default: as in the original)");
  add_duration_flag(command, "--span", similar.span, "Limit the jobs to this span of submit times");
  command.add_option("--seed", similar.seed, "Seed; the same seed gives the same file")
      ->capture_default_str();
  command
      .add_option("--stretch", similar.stretch_jobs,
                  "Mean number of consecutive jobs taken from the original in their order")
      ->capture_default_str();
  command
      .add_option("--to", flags->options.format,
                  "Format: binary (all jobs), swim (MapReduce jobs), swf (rigid jobs), or auto")
      ->check(CLI::IsMember({"auto", "binary", "swim", "swf"}))
      ->capture_default_str();
  add_row_flags(command, flags->trace);
  add_rule_flag(command, flags->trace);
  command.callback([flags, &command] {
    if (command.get_subcommands().empty()) generate_like(*flags);
  });
  return original;
}

}  // namespace

void add_trace_generate_command(CLI::App& trace) {
  CLI::App* generate = trace.add_subcommand(
      "generate", "Generate a trace like another, or from published distributions");
  generate->require_subcommand(0, 1);
  CLI::Option* const like = add_like(*generate);
  add_map_reduce(*generate);
  add_uniform(*generate);
  add_lublin(*generate);
  add_mix(*generate);
  for (CLI::App* model : generate->get_subcommands({})) model->excludes(like);
}

}  // namespace tracebed
