// `tracebed scenario FILE`
#include <fmt/core.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/scenario/load_scenario.h"
#include "coordinator/scenario/story.h"
#include "coordinator/scenario/story_text.h"

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
          {"unmet", step.unmet}};
}

ExitCode play_scenario(const ScenarioFlags& flags) {
  const Scenario scenario = load_scenario(flags.file);
  const std::vector<PlayedStep> steps = play(scenario);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::size_t unmet = 0;
  if (!flags.json && !scenario.story.empty()) fmt::print("{}\n\n", scenario.story);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    unmet += steps[i].unmet.size();
    if (flags.json) {
      list.push_back(to_json(steps[i]));
    } else {
      fmt::print("{}\n", to_text(steps[i], i, flags.shows_all));
    }
  }
  if (flags.json) {
    print_json({{"scenario", scenario.name}, {"holds", unmet == 0}, {"steps", list}});
  } else if (unmet > 0) {
    fmt::print("{} expectations do not hold\n", unmet);
  }
  return unmet == 0 ? ExitCode::success : ExitCode::unexpected;
}

}  // namespace

void add_scenario_command(CLI::App& program, ExitCode& result) {
  const auto flags = std::make_shared<ScenarioFlags>();
  CLI::App* command = program.add_subcommand(
      "scenario", "Play a small story: a cluster, applications, steps, and what a scheduler does");
  command->add_option("file", flags->file, "The scenario's TOML file")->required();
  command->add_flag("--show", flags->shows_all, "Tell everything after every step");
  command->add_flag("--json", flags->json, "Print everything as JSON");
  command->callback([flags, &result] { result = play_scenario(*flags); });
}

}  // namespace tracebed
