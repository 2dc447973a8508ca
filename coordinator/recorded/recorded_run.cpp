#include "coordinator/recorded/recorded_run.h"

#include <charconv>
#include <fmt/format.h>

#include "applications/masters.h"
#include "coordinator/resolving/given_settings.h"
#include "coordinator/resolving/master_containers.h"
#include "coordinator/resolving/relocation_settings.h"
#include "coordinator/resolving/resolved_controller.h"
#include "coordinator/resolving/resolved_storage.h"
#include "coordinator/resolving/scheduler_files.h"
#include "core/input_error.h"
#include "system/quantities.h"

namespace tracebed {

std::filesystem::path log_of_run(const std::filesystem::path& run) {
  const std::filesystem::path file = run / round_log_file;
  if (std::filesystem::exists(file)) return file;
  throw InputError(
      fmt::format("{}: no log; the run was made with log.keep = false", file.string()));
}

namespace {

const std::string& world_setting(const RunDescription& description, std::string_view wanted,
                                 const std::string& place) {
  for (const auto& [name, value] : description.world_settings) {
    if (name == wanted) return value;
  }
  throw InputError(fmt::format("{}: world_settings: expected {}", place, wanted));
}

Duration heartbeat_of(const RunDescription& description, const std::string& place) {
  const std::string& text = world_setting(description, heartbeat_setting, place);
  const Result<Duration> heartbeat = parse_duration(text);
  if (heartbeat) return *heartbeat;
  throw InputError(fmt::format("{}: world_settings: {}: expected {}, got {}", place,
                               heartbeat_setting, duration_form, text));
}

DeviceSizes devices_of(const RunDescription& description, const ResourceDimensions& dimensions,
                       const std::string& place) {
  DeviceSizes sizes;
  for (const auto& [name, value] : description.world_settings) {
    if (!name.starts_with(devices_setting)) continue;
    const std::size_t dimension = dimensions.find(name.substr(devices_setting.size()));
    std::int64_t size = 0;
    const char* const end = value.data() + value.size();
    const bool is_number = std::from_chars(value.data(), end, size).ptr == end;
    if (dimension >= dimensions.size() || dimension <= Resources::memory_dimension || !is_number ||
        size < 1 || size > DeviceSizes::size_max) {
      throw InputError(fmt::format(
          "{}: world_settings: {}: expected a resource of the run, and from 1 to {} of it, got {}",
          place, name, DeviceSizes::size_max, value));
    }
    sizes.set(dimension, size);
  }
  return sizes;
}

}  // namespace

RecordedRun::RecordedRun(const std::filesystem::path& run, const SchedulerRegistry& schedulers,
                         RecordSink& records)
    : folder_(run),
      record_(read_run_json(run / "run.json")),
      log_(log_of_run(run).string(), names_) {
  const RunDescription& description = record_.description;
  const std::string place = (run / "run.json").string();
  const SchedulerChoice choice{
      description.scheduler_name,
      description.scheduler_label,
      place,
      settings_of_record(without_controller(description.scheduler_settings), place),
      {run, {}}};
  const SchedulerSurroundings surroundings{description.seed, names_,
                                           ResourceDimensions(description.extra_dimensions),
                                           heartbeat_of(description, place)};
  NamedTexts recorded = description.masters;
  const auto master_containers = take_container_masters(recorded, place);
  const std::vector<Setting> relocation_settings = take_relocation(recorded, place);
  const auto relocation =
      valid(read_relocation(to_values(relocation_settings)), relocation_settings, place);
  const std::vector<Setting> masters = settings_of_record(recorded, place);
  const auto master_options = valid(read_master_options(to_values(masters)), masters, place);
  std::optional<NamenodeOptions> namenode;
  if (const auto storage = storage_of_record(description.storage, place)) {
    namenode = storage->namenode;
    namenode->seed = description.seed;
  }
  const auto scheduler = resolve_scheduler(schedulers, choice, surroundings.dimensions);
  engine_.emplace(
      EngineSetup{.scheduler = make_scheduler(scheduler, surroundings),
                  .make_master = MasterBuilder(master_options, description.seed),
                  .master_containers = master_containers,
                  .relocation = relocation,
                  .read_configuration =
                      [surroundings](const SchedulerConfiguration& configuration) {
                        return read_configuration(configuration, surroundings);
                      },
                  .storage = namenode,
                  .locate_input = placed_input(master_options, description.seed),
                  .limit_vcores = world_setting(description, limit_vcores_setting, place) == "true",
                  .devices = devices_of(description, surroundings.dimensions, place),
                  .decision_threads = &decisions_},
      records);
}

}  // namespace tracebed
