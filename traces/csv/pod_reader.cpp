#include "traces/csv/pod_reader.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "system/utf8.h"
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
             std::uint8_t& position) {
  const auto* const found = std::find(known.begin(), known.end(), text);
  position = static_cast<std::uint8_t>(found - known.begin());
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

bool PodReader::scan_texts(Pod& pod) {
  std::string_view pod_name;
  if (!row().text(name_column, pod_name)) return false;
  pod.name_bytes = static_cast<std::uint32_t>(pod_name.size());
  if (!is_utf8(row().at(gpu_spec))) return row().bad(BadRow::text, gpu_spec, "names in UTF-8");
  if (!find_in(qualities, row().at(qos), pod.quality)) {
    return row().bad(BadRow::text, qos, "LS, BE, Burstable or Guaranteed");
  }
  return find_in(phases, row().at(pod_phase), pod.phase) ||
         row().bad(BadRow::text, pod_phase, "Running, Failed, Pending or Succeeded");
}

// A part is of one device, so several are whole (cluster-trace-gpu-v2023: so are all its rows).
bool PodReader::has_one_meaning(const Pod& pod) {
  return pod.gpus <= 1 || pod.gpu_milli == 1000 ||
         row().bad(BadRow::out_of_range, gpu_milli, "1000, since num_gpu is above 1");
}

bool PodReader::scan(Pod& pod) {
  constexpr std::int64_t large = 1'000'000'000;
  return row().whole(cpu_milli, 0, large, pod.milli_vcores) &&
         row().whole(memory_mib, 0, large, pod.memory_mib) &&
         row().whole(num_gpu, 0, 1000, pod.gpus) &&
         row().whole(gpu_milli, 0, 1000, pod.gpu_milli) && has_one_meaning(pod) &&
         scan_texts(pod) && scan_times(pod);
}

void PodReader::tally_pod(const Pod& pod) {
  TraceTally& to = *tally();
  to.add(vcores, pod.milli_vcores);
  to.add(memory, pod.memory_mib);
  to.add(gpu_count, pod.gpus);
  to.add(gpu_share, pod.gpu_milli);
  if (pod.duration >= 0) to.add(run_time, pod.duration);
  to.increment(first_quality + pod.quality);
  to.increment(first_phase + pod.phase);
  if (pod.gpus == 1 && pod.gpu_milli < 1000) to.increment(shares);
  if (pod.duration < 0) to.increment(never_scheduled);
}

void PodReader::collect() {
  std::string record;
  while (next_row()) {
    Pod pod;
    if (!scan(pod)) continue;
    see_row(pod.created);
    if (tally() != nullptr) tally_pod(pod);
    if (pod.duration < 0 && rules().pods.pending == PendingPods::drop) {
      leave_out("pods.pending");
      continue;
    }
    record.assign(reinterpret_cast<const char*>(&pod), sizeof(pod));
    record.append(row().at(name_column)).append(row().at(gpu_spec));
    keep(pod.created, record);
  }
  note_blank_lines();
}

bool PodReader::make(std::string_view record, Job& job) {
  Pod pod;
  std::memcpy(&pod, record.data(), sizeof(pod));
  record.remove_prefix(sizeof(pod));
  const std::string_view models = record.substr(pod.name_bytes);
  const std::string_view quality = qualities[pod.quality];
  const bool is_service = rules().pods.services == PodServices::ls && quality == "LS";
  job.name.assign(record.substr(0, pod.name_bytes));
  job.kind = is_service ? JobKind::service : JobKind::dag;
  job.user = only_user();
  job.queue = only_queue();
  job.priority = priority_of(quality);
  Stage& stage = begin_stage(job);
  stage.demand = Resources(pod.milli_vcores, pod.memory_mib);
  if (has_gpu_dimension_) {
    if (pod.gpus > 0) stage.demand[gpu_dimension_] = pod.gpus * pod.gpu_milli;
  } else if (pod.gpus > 0) {
    note("pods whose GPUs are not in their demand: the run has no dimension gpu_milli");
  }
  if (!models.empty()) {
    if (rules().pods.models == GpuModels::labels) {
      std::vector<std::string_view> labels;
      split_columns(models, '|', labels);
      stage.node_labels.assign(labels.begin(), labels.end());
    } else {
      note("pods whose GPU models are ignored (rule pods.gpu_models)");
    }
  }
  const std::int64_t run = pod.duration >= 0 ? pod.duration : pod.life;
  if (pod.duration >= 0) set_recorded(RecordedSpan{microseconds(pod.duration), 0, 0});
  stage.runs.push_back(
      {1, work_of_run(microseconds(std::max<std::int64_t>(run, 1)), stage.demand, rules().task)});
  return true;
}

}  // namespace tracebed
