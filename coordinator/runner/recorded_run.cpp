#include "coordinator/runner/recorded_run.h"

#include <fmt/format.h>

#include "coordinator/runner/choices.h"
#include "coordinator/runner/master_choice.h"
#include "coordinator/runner/run_world.h"
#include "coordinator/runner/scheduler_files.h"
#include "core/input_error.h"

namespace tracebed {

std::filesystem::path log_of_run(const std::filesystem::path& run) {
  const std::filesystem::path file = run / round_log_file;
  if (std::filesystem::exists(file)) return file;
  throw InputError(
      fmt::format("{}: no log; the run was made with log.keep = false", file.string()));
}

RecordedRun::RecordedRun(const std::filesystem::path& run, const SchedulerRegistry& schedulers,
                         RecordSink& records)
    : folder_(run),
      record_(read_run_json(run / "run.json")),
      log_(log_of_run(run).string(), names_) {
  const RunDescription& description = record_.description;
  const std::string place = (run / "run.json").string();
  const SchedulerChoice choice{description.scheduler_name,
                               description.scheduler_label,
                               place,
                               settings_of_record(description.scheduler_settings, place),
                               {run, {}}};
  const SchedulerSurroundings surroundings{description.seed, names_,
                                           ResourceDimensions(description.extra_dimensions)};
  NamedTexts masters = description.masters;
  const auto master_containers = take_container_masters(masters, place);
  const auto relocation = chosen_relocation(take_relocation(masters, place));
  engine_.emplace(EngineSetup{.scheduler = make_chosen_scheduler(schedulers, choice, surroundings),
                              .make_master = make_chosen_masters(settings_of_record(masters, place),
                                                                 description.seed),
                              .master_containers = master_containers,
                              .relocation = relocation,
                              .read_configuration =
                                  [surroundings](const SchedulerConfiguration& configuration) {
                                    return read_configuration(configuration, surroundings);
                                  }},
                  records);
}

}  // namespace tracebed
