// What is known after a step of a story, as one JSON object. `--json` prints it, and `expect`
// tables are compared with it. experiments/scenarios/README.md lists the facts.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coordinator/engine/engine.h"
#include "coordinator/scenario/scenario.h"
#include "coordinator/scenario/scripted_master.h"

namespace tracebed {

using StoryFacts = nlohmann::ordered_json;

// The names of all facts.
std::span<const std::string_view> fact_names();

// An application that is open.
struct OpenApplication {
  std::size_t position = 0;  // in the scenario
  ApplicationId id;
};

// "a@n1", or "a.maps@n1" for an ask with a name.
std::string container_label(const Scenario& scenario, const StoryContainer& container);
std::string ask_label(const Scenario& scenario, std::size_t application, const std::string& ask);

// `masters` are by position; null for applications that are not open.
StoryFacts facts_of(const Scenario& scenario, const Engine& engine, const StoryLog& log,
                    std::span<const OpenApplication> open,
                    std::span<ScriptedMaster* const> masters);

}  // namespace tracebed
