// `tracebed reproduce [NAME]`
#include <algorithm>
#include <fmt/core.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/progress_line.h"
#include "coordinator/cli/results_folder.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/reproductions/reproduction_run.h"
#include "coordinator/reproductions/reproductions.h"
#include "core/input_error.h"
#include "report/text_table.h"
#include "system/interruption.h"

namespace tracebed {
namespace {

struct ReproduceFlags {
  std::string name;
  std::string output;
  std::vector<std::string> settings;  // KEY=VALUE
  std::vector<std::string> only;
  std::uint64_t seed = 1;
  std::string world = "virtual";
  std::optional<std::uint32_t> repetitions;
  std::optional<std::uint32_t> parallel;
  bool json = false;
  bool quiet = false;
};

bool has_setting(const RealPart& part, const SettingDescription& setting) {
  return std::find(part.without.begin(), part.without.end(), setting.name) == part.without.end();
}

void list(const std::vector<Reproduction>& reproductions, bool json) {
  if (json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const Reproduction& one : reproductions) {
      nlohmann::ordered_json settings = nlohmann::ordered_json::array();
      for (const SettingDescription& setting : one.settings) {
        settings.push_back({{"name", setting.name},
                            {"default", setting.default_value},
                            {"meaning", setting.meaning},
                            {"local", has_setting(one.real_part, setting)}});
      }
      all.push_back({{"name", one.name},
                     {"paper", one.paper},
                     {"summary", one.summary},
                     {"settings", std::move(settings)}});
      all.back()["local"] = one.real_part.summary;
    }
    return print_json(all);
  }
  for (const Reproduction& one : reproductions) {
    print_plain("{}: {}\n  {}\n", one.name, one.paper, one.summary);
    print_plain("  --world local: {}\n", one.real_part.summary);
    for (const SettingDescription& setting : one.settings) {
      print_plain("  --set {}={}: {}{}\n", setting.name, setting.default_value, setting.meaning,
                  has_setting(one.real_part, setting) ? "" : " (not in the local world)");
    }
  }
}

SettingValues values_of(const std::vector<std::string>& settings) {
  SettingValues values;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw CLI::ValidationError("--set", "expected KEY=VALUE, got " + setting);
    }
    if (!values.emplace(setting.substr(0, equals), setting.substr(equals + 1)).second) {
      throw CLI::ValidationError("--set", "expected each key once, got " + setting);
    }
  }
  return values;
}

ExitCode reproduce(const ReproduceFlags& flags, const SchedulerRegistry& schedulers) {
  const std::vector<Reproduction> reproductions = builtin_reproductions();
  if (flags.name.empty()) {
    list(reproductions, flags.json);
    return ExitCode::success;
  }
  const Reproduction& reproduction = find_reproduction(reproductions, flags.name);
  ReproductionOptions options;
  options.is_real = flags.world == "local";
  options.seed = flags.seed;
  if (options.is_real) options.repetitions = reproduction.real_part.repetitions;
  if (flags.repetitions) options.repetitions = *flags.repetitions;
  options.settings = values_of(flags.settings);
  options.only = flags.only;
  options.parallel = flags.parallel;
  const ResultsFolder output(flags.output, flags.name);
  options.output = output.path();
  const Interruption interruption;
  FinishedReproduction finished;
  {
    ProgressLine progress(interruption,
                          flags.quiet ? ProgressLine::Form::quiet : ProgressLine::form_of_stderr());
    finished = run_reproduction(reproduction, schedulers, options, progress);
  }
  if (finished.is_cancelled) return ExitCode::interrupted;
  if (flags.json) {
    print_lines(to_json(reproduction, finished));
  } else {
    print_lines(to_text(reproduction, finished));
    print_plain("\nwritten to {}\n", options.output.string());
  }
  return ExitCode::success;
}

}  // namespace

void add_reproduce_command(CLI::App& program, const SchedulerRegistry& schedulers,
                           ExitCode& result) {
  const auto flags = std::make_shared<ReproduceFlags>();
  CLI::App* command = program.add_subcommand(
      "reproduce", "Run the experiments of a paper, and show what came out beside its figures");
  command->add_option("name", flags->name,
                      "Paper to reproduce (default: list those that are known)");
  command->add_option("--output", flags->output,
                      "Folder for experiments, runs and tables (default: runs/NAME-TIME)");
  command
      ->add_option("--world", flags->world,
                   "World of the experiments: virtual, or local for those that run as processes on "
                   "this machine, each beside itself on modelled machines")
      ->check(CLI::IsMember({"virtual", "local"}))
      ->capture_default_str();
  command
      ->add_option("--repetitions", flags->repetitions,
                   "Number of repetitions of every scheduler in every experiment (default: 10, in "
                   "the local world as the paper's experiments say)")
      ->check(CLI::Range(1, 1000));
  command->add_option("--seed", flags->seed, "Seed")->capture_default_str();
  command
      ->add_option("--only", flags->only,
                   "Experiments to run, of those that the paper has; the tables leave out the rest")
      ->delimiter(',');
  command
      ->add_option("--parallel", flags->parallel,
                   "Number of concurrent virtual runs (default: one per processor)")
      ->check(CLI::Range(1, 1024));
  command->add_option("--set", flags->settings,
                      "KEY=VALUE: set what the paper leaves open; `tracebed reproduce` lists keys");
  command->add_flag("--json", flags->json, "Print the tables as JSON");
  command->add_flag("--quiet", flags->quiet, "Print no progress");
  command->callback([flags, &schedulers, &result] { result = reproduce(*flags, schedulers); });
}

}  // namespace tracebed
