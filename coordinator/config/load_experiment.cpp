#include "coordinator/config/load_experiment.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>

#include "coordinator/config/cluster_table.h"
#include "coordinator/config/compare_table.h"
#include "coordinator/config/controller_table.h"
#include "coordinator/config/disturbance_tables.h"
#include "coordinator/config/longest_duration.h"
#include "coordinator/config/master_table.h"
#include "coordinator/config/scheduler_tables.h"
#include "coordinator/config/settings_table.h"
#include "coordinator/config/storage_table.h"
#include "coordinator/config/text_file.h"
#include "coordinator/config/variation_table.h"
#include "coordinator/config/workload_texts.h"
#include "coordinator/config/world_tables.h"
#include "core/input_error.h"
#include "system/toml_value.h"

namespace tracebed {
namespace {

constexpr std::size_t text_bytes_max = std::size_t{1} << 20;

// What the keys are read into; `folders` is what the trace's path needs beside the value itself.
struct Draft {
  Experiment experiment;
  const TraceFolders* folders = nullptr;
};

// ---- [trace] ----

struct TraceTable {
  TraceChoice trace;
  std::vector<Setting> rules;
  const TraceFolders* folders = nullptr;
};

void read_trace_file(const TomlValue& value, TraceTable& table) {
  std::filesystem::path& file = table.trace.file;
  table.trace.where = value.where();
  file = path_of_trace(value, *table.folders);
  if (!file.has_filename()) file = file.parent_path();  // a folder, written with a slash behind it
  if (!std::filesystem::exists(file)) {
    value.fail(fmt::format("no such trace file or folder: {}", file.string()));
  }
}

constexpr std::array<std::string_view, 2> bad_lines_choices{"stop", "skip"};
constexpr std::array trace_keys{
    TomlKey<TraceTable>{"file", read_trace_file, Presence::required},
    TomlKey<TraceTable>{"format",
                        [](const TomlValue& value, TraceTable& table) {
                          table.trace.format = value.text();
                          table.trace.format_where = value.where();
                        }},
    TomlKey<TraceTable>{"jobs",
                        [](const TomlValue& value, TraceTable& table) {
                          table.trace.jobs_max =
                              static_cast<std::uint64_t>(value.integer(1, 1'000'000'000'000));
                        }},
    TomlKey<TraceTable>{"from",
                        [](const TomlValue& value, TraceTable& table) {
                          table.trace.from = TraceTime(value.duration({}, longest_duration));
                        }},
    TomlKey<TraceTable>{"until",
                        [](const TomlValue& value, TraceTable& table) {
                          table.trace.until = TraceTime(value.duration({}, longest_duration));
                          if (table.trace.until <= table.trace.from) {
                            value.fail_expected("a time later than trace.from");
                          }
                        }},
    TomlKey<TraceTable>{"bad_lines",
                        [](const TomlValue& value, TraceTable& table) {
                          table.trace.skip_bad_lines = value.choice(bad_lines_choices) == 1;
                        }},
    TomlKey<TraceTable>{"rules", [](const TomlValue& value,
                                    TraceTable& table) { read_settings(value, "", table.rules); }},
};
static_assert(describe_all(trace_keys, trace_texts));

void read_trace(const TomlValue& value, Draft& draft) {
  TraceTable table{{}, {}, draft.folders};
  read_table<TraceTable>(value.table(), value.key(), trace_keys, table);
  draft.experiment.trace = std::move(table.trace);
  draft.experiment.trace_rules = std::move(table.rules);
}

// ---- [scale] ----

constexpr std::array<std::string_view, 3> load_keepers{"none", "thin", "stretch"};
template <double ScaleChoice::*Factor>
void read_factor(const TomlValue& value, ScaleChoice& scale) {
  scale.*Factor = value.number(1e-9, 1e9);
}
constexpr std::array scale_keys{
    TomlKey<ScaleChoice>{"time", read_factor<&ScaleChoice::time>},
    TomlKey<ScaleChoice>{"cpu", read_factor<&ScaleChoice::cpu>},
    TomlKey<ScaleChoice>{"memory", read_factor<&ScaleChoice::memory>},
    TomlKey<ScaleChoice>{"data", read_factor<&ScaleChoice::data>},
    TomlKey<ScaleChoice>{"machines", read_factor<&ScaleChoice::machines>},
    TomlKey<ScaleChoice>{"thin", read_factor<&ScaleChoice::thin>},
    TomlKey<ScaleChoice>{"stretch", read_factor<&ScaleChoice::stretch>},
    TomlKey<ScaleChoice>{"tasks", read_factor<&ScaleChoice::tasks>},
    TomlKey<ScaleChoice>{"keep_load",
                         [](const TomlValue& value, ScaleChoice& scale) {
                           scale.keep_load =
                               static_cast<ScaleChoice::KeepLoad>(value.choice(load_keepers));
                         }},
};
static_assert(describe_all(scale_keys, scale_texts));

void expand_files(std::vector<Setting>& settings, const TraceFolders& folders) {
  for (Setting& setting : settings) {
    if (!begins_with_traces(setting.value)) continue;
    const auto path = below_traces(setting.value, folders);
    if (!path) throw InputError(setting.where + ": " + path.error().message);
    setting.value = path->string();
  }
}

// ---- [output] ----

constexpr std::array task_rows_choices{std::string_view("auto"), task_rows_names[0],
                                       task_rows_names[1], task_rows_names[2]};

constexpr std::array output_keys{
    TomlKey<Experiment>{"folder", [](const TomlValue& value,
                                     Experiment& experiment) { experiment.output = value.text(); }},
    TomlKey<Experiment>{"tasks",
                        [](const TomlValue& value, Experiment& experiment) {
                          const std::size_t choice = value.choice(task_rows_choices);
                          if (choice == 0) return;
                          experiment.task_rows = static_cast<TaskRows>(choice - 1);
                        }},
};
static_assert(describe_all(output_keys, output_texts));

void read_output(const TomlValue& value, Draft& draft) {
  if (value.is_text()) value.fail("this is a table now, of which the key `folder` is the folder");
  read_table<Experiment>(value.table(), value.key(), output_keys, draft.experiment);
}

// ---- the root ----

template <auto Field, auto Read>
void read_part(const TomlValue& value, Draft& draft) {
  Read(value, draft.experiment.*Field);
}

constexpr std::array<std::string_view, 2> master_places{"unmanaged", "container"};
constexpr std::array root_keys{
    TomlKey<Draft>{
        "name",
        [](const TomlValue& value, Draft& draft) { draft.experiment.name = plain_name(value); },
        Presence::required},
    TomlKey<Draft>{"world",
                   [](const TomlValue& value, Draft& draft) {
                     draft.experiment.world = static_cast<World>(value.choice(world_names));
                   },
                   Presence::required},
    TomlKey<Draft>{"seed",
                   [](const TomlValue& value, Draft& draft) {
                     draft.experiment.seed = static_cast<std::uint64_t>(
                         value.integer(0, std::numeric_limits<std::int64_t>::max()));
                   }},
    TomlKey<Draft>{"repetitions",
                   [](const TomlValue& value, Draft& draft) {
                     draft.experiment.repetitions =
                         static_cast<std::uint32_t>(value.integer(1, 1000));
                   }},
    TomlKey<Draft>{"paranoid", [](const TomlValue& value,
                                  Draft& draft) { draft.experiment.paranoid = value.boolean(); }},
    TomlKey<Draft>{"ignore_unsupported",
                   [](const TomlValue& value, Draft& draft) {
                     draft.experiment.ignore_unsupported = {
                         "ignore_unsupported", value.boolean() ? "true" : "false", value.where()};
                   }},
    TomlKey<Draft>{"output", read_output},
    TomlKey<Draft>{"schedulers",
                   [](const TomlValue& value, Draft& draft) {
                     read_scheduler_names(value, draft.experiment.schedulers);
                   }},
    TomlKey<Draft>{"scheduler",
                   [](const TomlValue& value, Draft& draft) {
                     read_scheduler_tables(value, draft.experiment.schedulers);
                   }},
    TomlKey<Draft>{"refresh",
                   [](const TomlValue& value, Draft& draft) {
                     read_refreshes(value, draft.experiment.refreshes);
                   }},
    TomlKey<Draft>{"controller", read_part<&Experiment::controllers, read_controllers>},
    TomlKey<Draft>{"drain", read_part<&Experiment::drains, read_drains>},
    TomlKey<Draft>{"crash", read_part<&Experiment::crashes, read_crashes>},
    TomlKey<Draft>{"trace", read_trace},
    TomlKey<Draft>{"replay", read_part<&Experiment::replay, read_replay>},
    TomlKey<Draft>{"vary", read_part<&Experiment::vary, read_variation>},
    TomlKey<Draft>{"scale",
                   [](const TomlValue& value, Draft& draft) {
                     read_table<ScaleChoice>(value.table(), value.key(), scale_keys,
                                             draft.experiment.scale);
                     draft.experiment.scale.where = value.where();
                   }},
    TomlKey<Draft>{"cluster",
                   [](const TomlValue& value, Draft& draft) {
                     draft.experiment.cluster = read_cluster(value, *draft.folders);
                   }},
    TomlKey<Draft>{"storage", read_part<&Experiment::storage, read_storage>},
    TomlKey<Draft>{"virtual", read_part<&Experiment::simulated, read_virtual>},
    TomlKey<Draft>{"local", read_part<&Experiment::local, read_local>},
    TomlKey<Draft>{"agents", read_part<&Experiment::agents, read_agents>},
    TomlKey<Draft>{"log", read_part<&Experiment::log, read_log>},
    TomlKey<Draft>{"compare", read_part<&Experiment::compare, read_compare>},
    TomlKey<Draft>{"faults", read_part<&Experiment::faults, read_faults>},
    TomlKey<Draft>{"am",
                   [](const TomlValue& value, Draft& draft) {
                     draft.experiment.master.in_containers = value.choice(master_places) == 1;
                   }},
    TomlKey<Draft>{"master_container",
                   [](const TomlValue& value, Draft& draft) {
                     read_master_container(value, draft.experiment.master);
                   }},
    TomlKey<Draft>{"relocation",
                   [](const TomlValue& value, Draft& draft) {
                     read_settings(value, "relocation", draft.experiment.relocation);
                   }},
    TomlKey<Draft>{"node_manager",
                   [](const TomlValue& value, Draft& draft) {
                     read_settings(value, "", draft.experiment.node_manager);
                   }},
    TomlKey<Draft>{"sweep",
                   [](const TomlValue& value, Draft&) {
                     value.fail(
                         "one experiment is expected here, and this is many: `tracebed "
                         "sweep run` runs a file with [sweep]");
                   }},
    TomlKey<Draft>{"masters",
                   [](const TomlValue& value, Draft& draft) {
                     read_settings(value, "", draft.experiment.masters);
                   }},
};
static_assert(describe_all(root_keys, root_texts));

// What no single key can tell.
void check_whole(const Experiment& experiment, const std::string& label) {
  const auto fail = [&](std::string_view message) {
    throw InputError(fmt::format("{}: {}", label, message));
  };
  if (experiment.schedulers.empty()) {
    fail("no scheduler: expected schedulers = [\"…\"] or a [[scheduler]] table");
  }
  if (experiment.world == World::cluster && experiment.scale.machines != 1) {
    fail("scale.machines: the machines of a cluster cannot be scaled");
  }
  constexpr std::size_t local_nodes_max = 200;  // each owns a loopback address
  if (experiment.world != World::local) return;
  if (experiment.cluster.machines.size() > local_nodes_max) {
    fail(fmt::format("cluster.nodes: expected at most {} in the local world, got {}",
                     local_nodes_max, experiment.cluster.machines.size()));
  }
  if (!experiment.cluster.machine_file.file.empty()) {
    fail("cluster.machines: the machines of a trace need the virtual world");
  }
  if (!experiment.cluster.changes.empty()) {
    fail("cluster.change: scheduled machine changes need the virtual world");
  }
}

}  // namespace

toml::table parse_document(const std::string& text, const std::string& label) {
  if (text.size() > text_bytes_max) {
    throw InputError(
        fmt::format("{}: expected at most {} bytes, got {}", label, text_bytes_max, text.size()));
  }
  return parse_toml(text, label);
}

Experiment parse_experiment(std::string text, const std::string& label, const TraceFolders& folders,
                            std::span<const Override> overrides) {
  toml::table root = parse_document(text, label);
  for (const Override& given : overrides) apply_override(given, root);
  return read_document(root, std::move(text), label, folders, overrides);
}

Experiment read_document(const toml::table& root, std::string text, const std::string& label,
                         const TraceFolders& folders, std::span<const Override> overrides) {
  Draft draft{{}, &folders};
  read_table<Draft>(root, "", root_keys, draft);
  if (!root.contains("repetitions")) {
    draft.experiment.repetitions =
        root.contains("trace") ? default_repetitions(draft.experiment.world) : 1;
  }
  if (!root.contains("trace")) complete_without_trace(root, draft.experiment);
  for (const Override& given : overrides) {
    draft.experiment.overrides.emplace_back(given.key, given.value);
  }
  const bool has_machines = draft.experiment.world == World::cluster || root.contains("cluster");
  if (!has_machines) fail_missing_key(root, "", "cluster");
  const FileFolder files{folders.folder, folders.confined ? *folders.traces : ""};
  for (SchedulerChoice& choice : draft.experiment.schedulers) {
    choice.files = files;
    expand_files(choice.settings, folders);
  }
  draft.experiment.files = files;
  expand_files(draft.experiment.masters, folders);
  expand_files(draft.experiment.node_manager, folders);
  place_topology_script(draft.experiment.storage.topology, folders);
  for (RefreshChoice& refresh : draft.experiment.refreshes) {
    expand_files(refresh.settings, folders);
  }
  draft.experiment.source = std::move(text);
  check_whole(draft.experiment, label);
  check_refreshes(draft.experiment);
  check_controllers(draft.experiment);
  check_masters(draft.experiment.master);
  check_disturbances(draft.experiment);
  check_variation(draft.experiment);
  check_storage(draft.experiment);
  return std::move(draft.experiment);
}

std::string read_experiment_text(const std::filesystem::path& file) {
  return read_text_file(file, text_bytes_max);
}

Experiment load_experiment(const std::filesystem::path& file,
                           const std::optional<std::filesystem::path>& traces,
                           std::span<const Override> overrides) {
  const TraceFolders folders{file.parent_path(), traces, false};
  return parse_experiment(read_experiment_text(file), file.string(), folders, overrides);
}

}  // namespace tracebed
