#include "coordinator/resolving/mapred_site.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "applications/map_reduce/java_heap.h"
#include "core/text.h"
#include "schedulers/yarn/configuration/hadoop_properties.h"
#include "schedulers/yarn/configuration/property_reader.h"

namespace tracebed {
namespace {

enum class Form : std::uint8_t { whole, seconds, fraction };

// `old` is the property's name before Hadoop 0.23 (mapreduce.util.ConfigUtil).
struct Followed {
  std::string_view property;
  std::string_view old;
  std::string_view setting;
  Form form = Form::whole;
};

constexpr std::array followed{
    Followed{"mapreduce.map.maxattempts", "mapred.map.max.attempts", "map_attempts"},
    Followed{"mapreduce.reduce.maxattempts", "mapred.reduce.max.attempts", "reduce_attempts"},
    Followed{"mapreduce.job.reduce.slowstart.completedmaps",
             "mapred.reduce.slowstart.completed.maps", "slow_start", Form::fraction},
    Followed{"yarn.app.mapreduce.am.job.reduce.rampup.limit", "", "reduce_ramp_up_limit",
             Form::fraction},
    Followed{"yarn.app.mapreduce.am.job.reduce.preemption.limit", "", "reduce_preemption_limit",
             Form::fraction},
    Followed{"mapreduce.job.reducer.preempt.delay.sec", "", "reduce_preemption_delay_ms",
             Form::seconds},
    Followed{"mapreduce.job.reducer.unconditional-preempt.delay.sec", "",
             "unconditional_preemption_delay_ms", Form::seconds},
};

struct Ignored {
  std::string_view property;
  std::string_view consequence;
};
constexpr std::array ignored{
    Ignored{"mapreduce.framework.name", "the experiment selects the scheduler"},
    Ignored{"mapreduce.map.speculative", "masters.speculation.policy selects the rule"},
    Ignored{"mapreduce.reduce.speculative", "masters.speculation.policy selects the rule"},
    Ignored{"mapreduce.job.reduces", "the trace determines a job's reduces"},
    Ignored{"mapreduce.job.maps", "the trace determines a job's maps"},
    Ignored{"mapreduce.job.queuename", "the trace determines a job's queue"},
    Ignored{"mapreduce.task.timeout", "the trace determines how tasks end"},
    Ignored{"mapreduce.job.jvm.numtasks", "a container runs one task"},
    Ignored{"mapreduce.job.ubertask.enable", "masters run no tasks themselves"},
};

// Others are no matter of jobs.
constexpr std::array<std::string_view, 3> mapred_prefixes{"mapreduce.", "mapred.",
                                                          "yarn.app.mapreduce."};
constexpr std::array<std::string_view, 2> services{"mapreduce.jobhistory.", "mapreduce.shuffle."};

constexpr std::string_view shared_options = "mapred.child.java.opts";
constexpr std::string_view heap_ratio_property = "mapreduce.job.heap.memory-mb.ratio";
constexpr std::string_view preemption_property = "yarn.app.mapreduce.am.preemption.policy";
constexpr std::string_view master_heartbeat =
    "yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms";
constexpr std::int64_t amount_max = std::int64_t{1} << 24;

bool starts_with_any(std::string_view name, std::span<const std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](std::string_view start) { return name.starts_with(start); });
}

class MapredReader {
 public:
  MapredReader(const HadoopProperties& properties, MapredGeneration generation)
      : properties_(properties), reader_(properties), generation_(generation) {}

  Result<MapredSite> read() {
    site_.remarks = properties_.remarks();
    for (const Followed& rule : followed) follow(rule);
    read_preemption_policy();
    read_ratio();
    read_tasks("map");
    read_tasks("reduce");
    read_master();
    if (const Status status = reader_.status(); !status) return status.error();
    for (const std::string& name : reader_.unread()) remark_on_unread(name);
    return std::move(site_);
  }

 private:
  // The name under which the file has a value; empty if under none.
  std::string present(std::string_view name, std::string_view old) {
    if (reader_.has(name)) return std::string(name);
    return !old.empty() && reader_.has(old) ? std::string(old) : std::string();
  }
  void set(std::vector<Setting>& to, std::string key, std::string value,
           std::string_view property) {
    to.push_back({std::move(key), std::move(value), properties_.place(property)});
  }
  void remark(std::string_view property, const std::string& text) {
    site_.remarks.push_back(properties_.place(property) + ": " + text);
  }

  void follow(const Followed& rule);
  void read_preemption_policy();
  void read_ratio();
  void read_tasks(const std::string& kind);
  void read_master();
  void remark_on_unread(const std::string& name);
  // Of the administrator's options and then the user's: the property that states the last -Xmx, or
  // the last of them that is there, and the heap; for a JVM whose options are nowhere `otherwise`.
  struct Options {
    std::string property;  // empty: there are none
    std::optional<std::int64_t> heap_mib;
  };
  Options read_options(std::initializer_list<std::string_view> users, std::string_view admin,
                       std::string_view otherwise);
  std::optional<std::int64_t> heap_in(std::string_view property, const std::string& text);
  void look_at_room(const Options& options, std::int64_t memory_mib);

  const HadoopProperties& properties_;
  PropertyReader reader_;
  MapredGeneration generation_;
  float ratio_ = 0.8F;
  MapredSite site_;
};

void MapredReader::follow(const Followed& rule) {
  const std::string name = present(rule.property, rule.old);
  if (name.empty()) return;
  std::string value;
  switch (rule.form) {
    case Form::whole:
      value = std::to_string(reader_.integer(name, 0, 1, 1'000'000));
      break;
    case Form::seconds:
      value = std::to_string(reader_.integer(name, 0, 0, 30'000'000) * 1'000);
      break;
    case Form::fraction:
      reader_.fraction(name, 0, 0, 1);
      value = reader_.text(name, "0");
      break;
  }
  set(site_.masters, std::string(rule.setting), value, name);
}

void MapredReader::read_preemption_policy() {
  if (!reader_.has(preemption_property)) return;
  const std::string value = reader_.text(preemption_property, "");
  const std::string last = value.substr(value.rfind('.') + 1);
  const std::array<std::pair<std::string_view, std::string_view>, 3> policies{
      {{"NoopAMPreemptionPolicy", "ignore"},
       {"KillAMPreemptionPolicy", "hadoop_kill"},
       {"CheckpointAMPreemptionPolicy", "hadoop_checkpoint"}}};
  for (const auto& [name, policy] : policies) {
    if (last != name) continue;
    return set(site_.masters, "preemption.policy", std::string(policy), preemption_property);
  }
  reader_.fail(preemption_property,
               "NoopAMPreemptionPolicy, KillAMPreemptionPolicy or "
               "CheckpointAMPreemptionPolicy");
}

// Hadoop takes 0.8 instead of a ratio that makes no sense.
void MapredReader::read_ratio() {
  if (!reader_.has(heap_ratio_property)) return;
  ratio_ = reader_.fraction(heap_ratio_property, ratio_, 0.01F, 1);
  set(site_.masters, "heap_share", reader_.text(heap_ratio_property, ""), heap_ratio_property);
}

std::optional<std::int64_t> MapredReader::heap_in(std::string_view property,
                                                  const std::string& text) {
  const auto heap = maximum_heap_mib(text);
  if (heap) return *heap;
  reader_.fail(property, heap.error().message);
  return std::nullopt;
}

MapredReader::Options MapredReader::read_options(std::initializer_list<std::string_view> users,
                                                 std::string_view admin,
                                                 std::string_view otherwise) {
  Options options;
  if (const auto text = reader_.raw(admin)) options = {std::string(admin), heap_in(admin, *text)};
  bool has_users = false;
  for (const std::string_view property : users) {
    const auto text = reader_.raw(property);
    if (!text || has_users) continue;
    has_users = true;
    const auto heap = heap_in(property, *text);
    if (heap || options.property.empty()) options = {std::string(property), heap};
  }
  if (!has_users) {
    if (const auto heap = heap_in(admin, std::string(otherwise))) options.heap_mib = heap;
  }
  return options;
}

void MapredReader::look_at_room(const Options& options, std::int64_t memory_mib) {
  if (!options.heap_mib || memory_mib <= 0 || *options.heap_mib < memory_mib) return;
  remark(options.property,
         fmt::format(
             "a heap of {} MiB leaves no memory for the rest of the JVM in a container of {} MiB",
             *options.heap_mib, memory_mib));
}

void MapredReader::read_tasks(const std::string& kind) {
  const bool is_old = generation_ == MapredGeneration::hadoop_2;
  const std::string memory_property =
      present("mapreduce." + kind + ".memory.mb", "mapred.job." + kind + ".memory.mb");
  Options options = read_options(
      {"mapreduce." + kind + ".java.opts", "mapred." + kind + ".child.java.opts", shared_options},
      "mapreduce.admin." + kind + ".child.java.opts", is_old ? "-Xmx200m" : "");
  std::int64_t memory =
      memory_property.empty() ? -1 : reader_.integer(memory_property, -1, -1, amount_max);
  std::string memory_from = memory_property;
  const bool says_nothing = memory <= 0 && options.property.empty();
  const std::string vcores = present("mapreduce." + kind + ".cpu.vcores", "");
  if (!vcores.empty()) {
    const std::int64_t count = reader_.integer(vcores, 1, 1, 1'000'000);
    set(site_.masters, kind + "_milli_vcores", std::to_string(count * 1'000), vcores);
    set(site_.rules, "swim." + kind + "_vcores", std::to_string(count), vcores);
  }
  if (says_nothing) return;
  if (!is_old && memory <= 0 && options.heap_mib) {
    memory = memory_for_heap(*options.heap_mib, ratio_);
    memory_from = options.property;
  } else if (!is_old && memory > 0 && !options.heap_mib) {
    options = {memory_from, heap_of_memory(memory, ratio_)};
  } else {
    if (options.property.empty()) options.property = memory_from;
    look_at_room(options, memory);
  }
  if (memory > 0) {
    set(site_.masters, kind + "_memory_mib", std::to_string(memory), memory_from);
    // Nobody knows what SWIM's tasks touched, but that their heaps were enough for it.
    const std::int64_t touched =
        options.heap_mib ? std::min(memory, memory_within_heap(*options.heap_mib, ratio_)) : memory;
    set(site_.rules, "swim." + kind + "_memory_mib", std::to_string(touched), memory_from);
  }
  if (options.heap_mib) {
    set(site_.masters, kind + "_heap_mib", std::to_string(*options.heap_mib), options.property);
  }
}

void MapredReader::read_master() {
  const auto whole = [&](std::string_view property, std::string_view old, const char* key,
                         std::int64_t unit) -> std::int64_t {
    const std::string name = present(property, old);
    if (name.empty()) return 0;
    const std::int64_t value = reader_.integer(name, 1, 1, amount_max);
    set(site_.container, key, std::to_string(value * unit), name);
    return value;
  };
  constexpr std::int64_t default_memory_mib = 1536;
  const std::int64_t memory = whole("yarn.app.mapreduce.am.resource.mb",
                                    "yarn.app.mapreduce.am.resource.memory-mb", "memory", 1);
  whole("yarn.app.mapreduce.am.resource.cpu-vcores", "yarn.app.mapreduce.am.resource.vcores",
        "vcores", 1'000);
  whole("mapreduce.am.max-attempts", "", "attempts", 1);
  const std::int64_t interval = whole(master_heartbeat, "", "heartbeat", 1);
  if (interval > 0) {
    set(site_.masters, "heartbeat_ms", std::to_string(interval), master_heartbeat);
  }
  const Options options = read_options({"yarn.app.mapreduce.am.command-opts"},
                                       "yarn.app.mapreduce.am.admin-command-opts", "");
  if (options.property.empty()) return;
  look_at_room(options, memory > 0 ? memory : default_memory_mib);
  remark(options.property, "is ignored: the memory of a master's process is not limited by it");
}

void MapredReader::remark_on_unread(const std::string& name) {
  if (!starts_with_any(name, mapred_prefixes) || starts_with_any(name, services)) return;
  const auto* const known = std::find_if(
      ignored.begin(), ignored.end(), [&](const Ignored& entry) { return entry.property == name; });
  remark(name, known == ignored.end() ? "is unknown here and is ignored"
                                      : "is ignored: " + std::string(known->consequence));
}

}  // namespace

Result<MapredSite> read_mapred_site(const XmlElement& root, MapredGeneration generation) {
  HadoopProperties properties;
  if (const Status status = properties.add(root); !status) return status.error();
  return MapredReader(properties, generation).read();
}

}  // namespace tracebed
