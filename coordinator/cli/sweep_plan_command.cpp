// `tracebed sweep plan FILE`
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/sweep_flags.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/sweeps/sweep_tables.h"

namespace tracebed {
namespace {

void print_plan(const SweepFlags& flags, bool json, const SchedulerRegistry& schedulers) {
  const SweepPlan plan = plan_sweep(flags.request(), schedulers);
  std::optional<SweepEstimate> judged;
  if (!flags.output.empty()) judged = estimate(plan, SweepFolder(flags.output));
  print_lines(json ? plan_json(plan, judged) : plan_text(plan, judged, flags.points_at_a_time()));
}

}  // namespace

void add_sweep_plan_command(CLI::App& sweep, const SchedulerRegistry& schedulers) {
  struct Flags {
    SweepFlags sweep;
    bool json = false;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command = sweep.add_subcommand(
      "plan", "List the points of a sweep and what they will take, and run nothing");
  add_sweep_flags(*command, flags->sweep);
  command->add_option("--output", flags->sweep.output,
                      "Folder of the sweep, whose finished points the estimate is made of");
  command->add_flag("--json", flags->json, "Print as JSON");
  command->callback([flags, &schedulers] { print_plan(flags->sweep, flags->json, schedulers); });
}

}  // namespace tracebed
