// What is wrong with a scenario's text.
#pragma once

#include <string>

#include "coordinator/scenario/load_scenario.h"
#include "coordinator/scenario/story.h"
#include "core/input_error.h"
#include "support/schedulers.h"

namespace tracebed {

// The message with which "story.toml" is refused when it is read or played; "none": it is not.
inline std::string story_fault(const std::string& text) {
  try {
    for (const Scenario& scenario : parse_scenarios(test::schedulers(), text, "story.toml", ".")) {
      play(scenario, test::schedulers());
    }
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace tracebed
