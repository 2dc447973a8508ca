// `tracebed scenario FILE`
#include <fmt/core.h>
#include <memory>
#include <utility>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/scenario/load_scenario.h"
#include "coordinator/scenario/story.h"
#include "coordinator/scenario/story_text.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

struct ScenarioFlags {
  std::string file;
  bool shows_all = false;
  bool json = false;
};

nlohmann::ordered_json to_json(const PlayedStep& step) {
  return {{"step", step.title},
          {"at_us", to_microseconds(step.at)},
          {"facts", step.facts},
          {"remarks", step.remarks},
          {"unmet", step.unmet}};
}

// Plays one; `steps` gets them as JSON if that is requested. Steps before an impossible one are
// printed.
std::size_t play_one(const Scenario& scenario, const SchedulerRegistry& schedulers,
                     const ScenarioFlags& flags, nlohmann::ordered_json& steps) {
  std::size_t unmet = 0;
  std::size_t number = 0;
  if (!flags.json && !scenario.story.empty()) print_lines(scenario.story + "\n\n");
  play(scenario, schedulers, [&](const PlayedStep& step) {
    unmet += step.unmet.size();
    if (flags.json) {
      steps.push_back(to_json(step));
    } else {
      print_lines(to_text(step, number++, flags.shows_all) + "\n");
    }
  });
  return unmet;
}

// A scenario that could not be played to its end has the sentence with the reason.
struct PlayedScenario {
  std::size_t unmet = 0;
  std::string fault;
  nlohmann::ordered_json json;
};

PlayedScenario play_to_end(const Scenario& scenario, const SchedulerRegistry& schedulers,
                           const ScenarioFlags& flags) {
  PlayedScenario played;
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  try {
    played.unmet = play_one(scenario, schedulers, flags, steps);
  } catch (const InputError& error) {
    played.fault = error.what();
  }
  played.json["scenario"] = scenario.name;
  if (!scenario.source.empty()) played.json["source"] = scenario.source;
  played.json["holds"] = played.unmet == 0 && played.fault.empty();
  if (!played.fault.empty()) played.json["fault"] = played.fault;
  played.json["steps"] = std::move(steps);
  return played;
}

ExitCode play_scenarios(const ScenarioFlags& flags, const SchedulerRegistry& schedulers) {
  const std::vector<Scenario> scenarios = load_scenarios(schedulers, flags.file);
  const bool are_cases = scenarios.front().is_case;
  nlohmann::ordered_json cases = nlohmann::ordered_json::array();
  std::size_t unmet = 0;
  std::string fault;  // the first
  for (const Scenario& scenario : scenarios) {
    if (are_cases && !flags.json) {
      print_plain("== {}{}\n", scenario.name,
                  scenario.source.empty() ? "" : " (" + scenario.source + ")");
    }
    PlayedScenario played = play_to_end(scenario, schedulers, flags);
    unmet += played.unmet;
    if (fault.empty()) fault = played.fault;
    if (are_cases && !flags.json && !played.fault.empty()) print_plain("{}\n\n", played.fault);
    cases.push_back(std::move(played.json));
  }
  if (flags.json) {
    const bool holds = unmet == 0 && fault.empty();
    print_json(are_cases ? nlohmann::ordered_json{{"holds", holds}, {"cases", cases}} : cases[0]);
  } else if (unmet > 0) {
    print_plain("{} expectations were not met\n", unmet);
  }
  if (!fault.empty()) throw InputError(fault);
  return unmet == 0 ? ExitCode::success : ExitCode::unexpected;
}

}  // namespace

void add_scenario_command(CLI::App& program, const SchedulerRegistry& schedulers,
                          ExitCode& result) {
  const auto flags = std::make_shared<ScenarioFlags>();
  CLI::App* command = program.add_subcommand(
      "scenario", "Run a scenario file: a cluster, applications, steps and expected decisions");
  command->add_option("file", flags->file, "The scenario's TOML file")->required();
  command->add_flag("--show", flags->shows_all, "Print the whole state after every step");
  command->add_flag("--json", flags->json, "Print everything as JSON");
  command->callback([flags, &schedulers, &result] { result = play_scenarios(*flags, schedulers); });
}

}  // namespace tracebed
