#include "coordinator/runner/replay_log.h"

#include <fmt/format.h>

#include "coordinator/engine/engine.h"
#include "coordinator/engine/replay.h"
#include "coordinator/recorded/recorded_fleet.h"
#include "coordinator/runner/choices.h"
#include "coordinator/runner/master_choice.h"
#include "coordinator/runner/run_world.h"
#include "coordinator/runner/scheduler_files.h"
#include "core/input_error.h"
#include "protocol/log_file.h"
#include "report/run_json.h"

namespace tracebed {
namespace {

// The records were written when the run was made.
class DropRecords final : public RecordSink {
 public:
  void attempt_ended(const AttemptRecord&) override {}
  void job_ended(const JobRecord&) override {}
  void preemption_ended(const PreemptionRecord&) override {}
  void sampled(const ClusterSample&) override {}
};

}  // namespace

LogReplay replay_log(const std::filesystem::path& run) {
  const std::filesystem::path record_file = run / "run.json";
  const RunRecord record = read_run_json(record_file);
  const RunDescription& description = record.description;
  const std::string place = record_file.string();
  const SchedulerChoice scheduler{description.scheduler_name,
                                  description.scheduler_label,
                                  place,
                                  settings_of_record(description.scheduler_settings, place),
                                  {run, {}}};
  const std::filesystem::path log_file = run / round_log_file;
  if (!std::filesystem::exists(log_file)) {
    throw InputError(fmt::format("{}: there is no log; the run was made with log.keep = false",
                                 log_file.string()));
  }

  Names names;
  LogFileReader reader(log_file.string(), names);
  RecordedFleet fleet(reader);
  DropRecords records;
  const SchedulerSurroundings surroundings{description.seed, names,
                                           ResourceDimensions(description.extra_dimensions)};
  NamedTexts masters = description.masters;
  const auto master_containers = take_container_masters(masters, place);
  const auto relocation = chosen_relocation(take_relocation(masters, place));
  Engine engine(
      {.scheduler = make_chosen_scheduler(scheduler, surroundings),
       .make_master = make_chosen_masters(settings_of_record(masters, place), description.seed),
       .master_containers = master_containers,
       .relocation = relocation,
       .read_configuration =
           [&](const SchedulerConfiguration& configuration) {
             return read_configuration(configuration, surroundings);
           }},
      records);
  replay(engine, fleet, nullptr, nullptr, [](const ReplayProgress&) { return true; });

  LogReplay result;
  if (record.end) result.recorded_digest = record.end->digest;
  result.digest = engine.digest().to_string();
  result.rounds = fleet.rounds_yielded();
  result.jobs_ended = engine.counters().jobs_ended;
  result.loss = reader.loss();
  return result;
}

}  // namespace tracebed
