#include "coordinator/recorded/log_show.h"

#include <fmt/format.h>

#include "coordinator/recorded/recorded_run.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

void check_was_found(const LogRequest& request, const LogFacts& facts) {
  const std::string place = log_of_run(request.run).string();
  if (!request.filter.job.empty() && !facts.has_found_job()) {
    throw InputError(
        fmt::format("{}: no job has the number or name {}", place, request.filter.job));
  }
  if (!request.filter.node.empty() && !facts.has_found_node()) {
    throw InputError(fmt::format("{}: no node has the name {}", place, request.filter.node));
  }
}

ShownLog show_only(const LogRequest& request, const LogFacts::Show& show) {
  Names names;
  LogFileReader log(log_of_run(request.run).string(), names);
  LogFacts facts(names, request.filter, show);
  Round round;
  while (log.next(round)) {
    facts.show_arrivals(round, nullptr);
    if (facts.is_over(round.now)) return {facts.rounds(), {}, {}, false};
  }
  check_was_found(request, facts);
  return {facts.rounds(), log.loss(), {}, false};
}

ShownLog show_decided(const LogRequest& request, const SchedulerRegistry& schedulers,
                      const LogFacts::Show& show) {
  DifferenceFinder finder(request.run, read_run_json(request.run / "run.json"));
  RecordedRun recorded(request.run, schedulers, finder);
  LogFacts facts(recorded.names(), request.filter, show);
  const ResourceDimensions dimensions(recorded.record().description.extra_dimensions);
  Round round;
  std::vector<Command> commands;
  while (recorded.log().next(round)) {
    facts.show_arrivals(round, &recorded.engine());
    if (facts.is_over(round.now)) break;
    const bool shows_choices = request.shows_choices && facts.is_within(round.now);
    // Forgets those of the last round.
    if (shows_choices) recorded.engine().keep_choices(all_choices);
    commands.clear();
    recorded.engine().step(round, commands);
    if (auto difference = finder.after_round(facts.rounds(), round.now, recorded.engine())) {
      return {facts.rounds(), {}, std::move(difference), facts.has_found_choice()};
    }
    if (shows_choices) facts.show_choices(recorded.engine(), dimensions);
    facts.show_commands(commands, recorded.engine());
  }
  if (facts.is_over(round.now)) return {facts.rounds(), {}, {}, facts.has_found_choice()};
  check_was_found(request, facts);
  return {facts.rounds(), recorded.log().loss(), {}, facts.has_found_choice()};
}

}  // namespace

ShownLog show_log(const LogRequest& request, const SchedulerRegistry& schedulers,
                  const LogFacts::Show& show) {
  return request.decides_again || request.shows_choices ? show_decided(request, schedulers, show)
                                                        : show_only(request, show);
}

}  // namespace tracebed
