// `tracebed trace generate MODEL OUTPUT`, and `… generate --like FILE OUTPUT`
#include <fmt/core.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/duration_flag.h"
#include "coordinator/cli/trace_flags.h"
#include "core/input_error.h"
#include "traces/generate_map_reduce.h"
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
  command->add_option("--jobs", generation->model.jobs, "How many")->capture_default_str();
  command->add_option("--seed", generation->model.seed, "Same seed, same bytes")
      ->capture_default_str();
  command->callback([generation, generate] {
    std::FILE* const to = messages_beside(generation->output);
    generate(generation->model, generation->output);
    fmt::print(to, "{}: {} jobs\n", generation->output, generation->model.jobs);
  });
  return command;
}

void add_map_reduce(CLI::App& parent) {
  const auto generation = std::make_shared<Generation<MapReduceModel>>();
  CLI::App* command =
      add_model(parent, "swim", "MapReduce jobs shaped like Facebook's of 2009, as SWIM",
                generation, [](const MapReduceModel& model, const std::string& file) {
                  generate_map_reduce(model, file);
                });
  MapReduceModel& model = generation->model;
  command->add_option("--gap", model.mean_gap_seconds, "Mean seconds between submissions")
      ->capture_default_str();
  command->add_option("--spread", model.spread, "Of sizes about their class's median")
      ->capture_default_str();
  command->add_option("--data-divisor", model.data_divisor, "Divides all bytes")
      ->capture_default_str();
  command
      ->add_option("--flatten", model.flatten,
                   "Power of the classes' frequencies: below 1, rare large jobs come more often")
      ->capture_default_str();
  command->add_option("--paths", model.paths, "Rows name an input path out of so many; 0: none")
      ->capture_default_str();
}

void add_uniform(CLI::App& parent) {
  const auto generation = std::make_shared<Generation<UniformRigidModel>>();
  CLI::App* command = add_model(
      parent, "uniform", "Rigid jobs of uniform sizes and run times, as SWF", generation,
      [](const UniformRigidModel& model, const std::string& file) { generate_rigid(model, file); });
  UniformRigidModel& model = generation->model;
  command->add_option("--processors-min", model.processors_min)->capture_default_str();
  command->add_option("--processors-max", model.processors_max)->capture_default_str();
  command->add_option("--run-min", model.run_seconds_min, "Seconds")->capture_default_str();
  command->add_option("--run-max", model.run_seconds_max, "Seconds")->capture_default_str();
  command->add_option("--cores", model.cores, "Of the machines together")->capture_default_str();
  command->add_option("--load", model.load, "Mean share of the cores that the jobs keep busy")
      ->capture_default_str();
}

void add_lublin(CLI::App& parent) {
  const auto generation = std::make_shared<Generation<LublinModel>>();
  CLI::App* command = add_model(
      parent, "lublin", "Rigid jobs by the model of Lublin and Feitelson (2003), as SWF",
      generation,
      [](const LublinModel& model, const std::string& file) { generate_rigid(model, file); });
  LublinModel& model = generation->model;
  command->add_option("--processors", model.processors, "Of the machine")->capture_default_str();
  command->add_option("--stretch", model.stretch, "Multiplies the gaps between submissions")
      ->capture_default_str();
  command->add_option("--users", model.users, "So many share the jobs; 0: none are named")
      ->capture_default_str();
}

// Without a model, the command itself makes a trace like another.
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
  fmt::print(to, "{}: {} jobs as {}", flags.output, result.generated.jobs(), result.format);
  if (result.period > Duration{}) {
    fmt::print(to, ", with the original's pattern of the {}",
               result.period > std::chrono::hours(24) ? "week" : "day");
  }
  fmt::print(to, "\n");
  for (const TraceCount& lost : result.lost) {
    fmt::print(to, "not in {}: {} ({})\n", result.format, lost.name, lost.count);
  }
  fmt::print(to, "{}",
             side_by_side(flags.original, result.original, flags.output, result.generated));
}

// Returns the flag, which models exclude.
CLI::Option* add_like(CLI::App& command) {
  const auto flags = std::make_shared<LikeFlags>();
  CLI::Option* const original = command.add_option(
      "--like", flags->original, "The trace to resemble, in any format; - is standard input");
  add_output_file(command, flags->output)->required(false);  // models have their own
  SimilarOptions& similar = flags->options.similar;
  command.add_option("--jobs", similar.jobs, "How many; else as many as the original has");
  add_duration_flag(command, "--span", similar.span, "Only jobs submitted in so long a time");
  command.add_option("--seed", similar.seed, "Same seed, same bytes")->capture_default_str();
  command
      .add_option("--stretch", similar.stretch_jobs,
                  "Mean number of the original's jobs that follow each other as they did there")
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
      "generate", "Make a trace like another, or from published distributions");
  generate->require_subcommand(0, 1);
  CLI::Option* const like = add_like(*generate);
  add_map_reduce(*generate);
  add_uniform(*generate);
  add_lublin(*generate);
  for (CLI::App* model : generate->get_subcommands({})) model->excludes(like);
}

}  // namespace tracebed
