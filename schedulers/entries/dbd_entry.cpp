// Data block density as it is registered.
#include <array>

#include "schedulers/entries/differences.h"
#include "schedulers/entries/entries.h"
#include "schedulers/locality/density_scheduler.h"
#include "schedulers/parts/entry_settings.h"

namespace tracebed {
namespace {

Result<std::unique_ptr<Scheduler>> make_dbd(const SchedulerEntry& entry,
                                            const SchedulerParameters& parameters) {
  SettingReader reader = reader_of(entry, parameters);
  DensitySettings settings;
  settings.density.order = reader.choice("order", {"greedy", "sorted"}) == 0
                               ? DensityOptions::Order::greedy
                               : DensityOptions::Order::sorted;
  constexpr std::array covers{DensityOptions::Cover::share, DensityOptions::Cover::if_one,
                              DensityOptions::Cover::always};
  settings.density.cover = covers[reader.choice("cover", {"share", "if_one", "always"})];
  settings.short_of_room = reader.choice("short_of_room", {"partial", "gang"}) == 0
                               ? DensitySettings::ShortOfRoom::partial
                               : DensitySettings::ShortOfRoom::gang;
  if (const Status status = reader.status(); !status) return status.error();
  return Result<std::unique_ptr<Scheduler>>(std::make_unique<DensityScheduler>(settings));
}

}  // namespace

SchedulerEntry dbd_entry() {
  return {
      .name = "dbd",
      .summary =
          "Data block density: the units of an ask go to the nodes that hold its job's input, in "
          "proportion to the blocks that no earlier node covers; the others as spread does.",
      .source =
          "Du, Lei and Chen, Data Block Density Scheduling Strategy, formula (6), algorithm 1",
      .settings =
          {{"order", "greedy",
            "the next node: the one with the most uncovered blocks (`greedy`), or by one sort at "
            "first, by all blocks (`sorted`, as the paper prints)"},
           {"cover", "share",
            "blocks of a visited node that are covered: k / t for each of its units (`share`), all "
            "if it gets a unit (`if_one`), or all (`always`, as the paper prints)"},
           {"short_of_room", "partial",
            "an ask for more units than there is room for: what fits (`partial`), or none before "
            "all fit (`gang`)"}},
      .make = make_dbd,
      .imitated = "Du, Lei and Chen",
      .differences = dbd_differences()};
}

}  // namespace tracebed
