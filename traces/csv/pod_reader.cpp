#include "traces/csv/pod_reader.h"

#include <algorithm>
#include <array>

#include "traces/parts/text_numbers.h"
#include "traces/parts/trace_rows.h"
#include "traces/parts/usage.h"

namespace tracebed {
namespace {

constexpr std::array<std::string_view, 11> columns = {
    "name", "cpu_milli", "memory_mib",    "num_gpu",       "gpu_milli",     "gpu_spec",
    "qos",  "pod_phase", "creation_time", "deletion_time", "scheduled_time"};
enum Column : std::size_t {
  name_column,
  cpu_milli,
  memory_mib,
  num_gpu,
  gpu_milli,
  gpu_spec,
  qos,
  pod_phase,
  creation_time,
  deletion_time,
  scheduled_time,
};

enum Tally : TraceTally::Handle { vcores = 1, memory, gpu_count, gpu_share, run_time };
constexpr std::array<std::string_view, 4> qualities = {"LS", "BE", "Burstable", "Guaranteed"};
constexpr std::array<std::string_view, 4> phases = {"Running", "Failed", "Pending", "Succeeded"};
constexpr TraceTally::Handle first_quality = 0;
constexpr TraceTally::Handle first_phase = qualities.size();
constexpr TraceTally::Handle shares = qualities.size() + phases.size();
constexpr TraceTally::Handle never_scheduled = shares + 1;

// Larger is more important: as the qualities are ranked when a machine runs short (Kubernetes:
// BestEffort first), with latency-sensitive pods above.
std::int32_t priority_of(std::string_view quality) {
  if (quality == "LS") return 3;
  if (quality == "Guaranteed") return 2;
  return quality == "Burstable" ? 1 : 0;
}

template <std::size_t Size>
bool find_in(const std::array<std::string_view, Size>& known, std::string_view text,
             std::size_t& position) {
  const auto* const found = std::find(known.begin(), known.end(), text);
  position = static_cast<std::size_t>(found - known.begin());
  return found != known.end();
}

}  // namespace

PodReader::PodReader(LineReader lines, const TraceOptions& options, Names& names)
    : TableReader("alibaba_gpu", std::move(lines), options, names, columns),
      gpu_dimension_(options.dimensions.find("gpu_milli")),
      has_gpu_dimension_(gpu_dimension_ < options.dimensions.size()) {}

void PodReader::name_tallies(TraceTally& tally) {
  tally.distribution("vcores", "", 1000);
  tally.distribution("memory", "MiB");
  tally.distribution("GPUs", "");
  tally.distribution("share of a GPU", "milli");
  tally.distribution("duration", "s", 1'000'000);
  for (const std::string_view quality : qualities) tally.count("quality " + std::string(quality));
  for (const std::string_view phase : phases) tally.count("phase " + std::string(phase));
  tally.count("a share of a GPU");
  tally.count("no time of scheduling");
}

bool PodReader::scan_times(Pod& pod) {
  std::int64_t deleted = 0;
  if (!row().decimal(creation_time, 0, trace_microseconds_max, pod.created) ||
      !row().decimal(deletion_time, 0, trace_microseconds_max, deleted)) {
    return false;
  }
  pod.life = deleted - pod.created;
  pod.duration = -1;
  if (pod.life < 0) {
    return row().bad(BadRow::out_of_range, deletion_time, "a time that is not before its creation");
  }
  if (!row().has(scheduled_time)) return true;
  std::int64_t scheduled = 0;
  if (!row().decimal(scheduled_time, 0, trace_microseconds_max, scheduled)) return false;
  pod.duration = deleted - scheduled;
  return scheduled <= deleted ||
         row().bad(BadRow::out_of_range, scheduled_time, "a time that is not after its deletion");
}

bool PodReader::scan(Pod& pod) {
  constexpr std::int64_t large = 1'000'000'000;
  std::size_t ignored = 0;
  if (!row().text(name_column, pod.name) || !row().whole(cpu_milli, 0, large, pod.milli_vcores) ||
      !row().whole(memory_mib, 0, large, pod.memory_mib) ||
      !row().whole(num_gpu, 0, 1000, pod.gpus) || !row().whole(gpu_milli, 0, 1000, pod.gpu_milli)) {
    return false;
  }
  pod.models = row().at(gpu_spec);
  pod.quality = row().at(qos);
  if (!is_utf8(pod.models)) return row().bad(BadRow::text, gpu_spec, "names in UTF-8");
  if (!find_in(qualities, pod.quality, ignored)) {
    return row().bad(BadRow::text, qos, "LS, BE, Burstable or Guaranteed");
  }
  if (!find_in(phases, row().at(pod_phase), ignored)) {
    return row().bad(BadRow::text, pod_phase, "Running, Failed, Pending or Succeeded");
  }
  return scan_times(pod);
}

void PodReader::tally_pod(const Pod& pod) {
  TraceTally& to = *tally();
  to.add(vcores, pod.milli_vcores);
  to.add(memory, pod.memory_mib);
  to.add(gpu_count, pod.gpus);
  to.add(gpu_share, pod.gpu_milli);
  if (pod.duration >= 0) to.add(run_time, pod.duration);
  std::size_t position = 0;
  find_in(qualities, pod.quality, position);
  to.increment(first_quality + position);
  find_in(phases, row().at(pod_phase), position);
  to.increment(first_phase + position);
  if (pod.gpus == 1 && pod.gpu_milli < 1000) to.increment(shares);
  if (pod.duration < 0) to.increment(never_scheduled);
}

void PodReader::collect() {
  while (next_row()) {
    Pod pod;
    if (!scan(pod)) continue;
    see_row(pod.created);
    if (tally() != nullptr) tally_pod(pod);
    if (pod.duration < 0 && rules().pods.pending == PendingPods::drop) {
      leave_out("pods.pending");
      continue;
    }
    keep(pod.created, line());
  }
  note_blank_lines();
}

bool PodReader::make(std::string_view record, Job& job) {
  row().assign(record, 0);  // as it was read before, so nothing is wrong with it
  Pod pod;
  scan(pod);
  const bool is_service = rules().pods.services == PodServices::ls && pod.quality == "LS";
  job.name.assign(pod.name);
  job.kind = is_service ? JobKind::service : JobKind::dag;
  job.user = names().users.intern("user0");
  job.queue = names().queues.intern("default");
  job.priority = priority_of(pod.quality);
  Stage& stage = begin_stage(job);
  stage.demand = Resources(pod.milli_vcores, pod.memory_mib);
  if (has_gpu_dimension_) {
    if (pod.gpus > 0) stage.demand[gpu_dimension_] = pod.gpus * pod.gpu_milli;
  } else if (pod.gpus > 0) {
    note("pods whose GPUs are not in their demand: the run has no dimension gpu_milli");
  }
  if (!pod.models.empty()) {
    if (rules().pods.models == GpuModels::labels) {
      std::vector<std::string_view> models;
      split_columns(pod.models, '|', models);
      stage.node_labels.assign(models.begin(), models.end());
    } else {
      note("pods whose choice of GPU models is not looked at (rule pods.gpu_models)");
    }
  }
  const std::int64_t run = pod.duration >= 0 ? pod.duration : pod.life;
  stage.runs.push_back(
      {1, work_of_run(microseconds(std::max<std::int64_t>(run, 1)), stage.demand, rules().task)});
  return true;
}

}  // namespace tracebed
