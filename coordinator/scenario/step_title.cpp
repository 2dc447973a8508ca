#include "coordinator/scenario/step_title.h"

#include <fmt/format.h>

#include "core/check.h"
#include "system/quantities.h"

namespace tracebed {
namespace {

using Action = ScenarioStep::Action;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string times_text(std::uint32_t times) {
  return times == 1 ? "" : fmt::format(", {} times", times);
}

}  // namespace

std::string title_of(const ScenarioStep& step) {
  switch (step.action) {
    case Action::look:
      return "a look";
    case Action::heartbeat:
      return "heartbeat of " + joined(step.names) + times_text(step.times);
    case Action::submit:
      return joined(step.names) + " is submitted";
    case Action::ask:
      return fmt::format("{} asks for {} containers{}", step.application, step.ask.count,
                         step.ask.name.empty() ? "" : " as " + step.ask.name);
    case Action::finish:
      return step.container + " finishes" + times_text(step.times);
    case Action::kill:
      return step.container + " is killed" + times_text(step.times);
    case Action::release:
      return step.container + " is released" + times_text(step.times);
    case Action::end:
      return step.application + " ends";
    case Action::advance:
      return duration_text(step.duration) + " later";
    case Action::join:
      return joined(step.names) + " joins";
    case Action::leave:
      return joined(step.names) + " leaves";
    case Action::refresh:
      return "the scheduler's configuration is refreshed";
    case Action::update:
      return "the scheduler updates its figures";
  }
  TRACEBED_CHECK(false, "a step does one of the known things");
}

}  // namespace tracebed
