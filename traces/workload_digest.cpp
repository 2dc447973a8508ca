#include "traces/workload_digest.h"

#include "traces/parts/statistics.h"

namespace tracebed {

void WorkloadDigest::add(const std::string& text) {
  add_number(text.size());
  if (!text.empty()) add_number(hash_of(text));
}

void WorkloadDigest::add(const Stage& stage) {
  add_number(static_cast<std::uint64_t>(stage.kind));
  for (std::size_t i = 0; i < Resources::dimensions_max; ++i) digest_.add(stage.demand[i]);
  add_number(stage.runs.size());
  for (const TaskRun& run : stage.runs) {
    add_number(run.count);
    add(run.work.duration);
    add(run.work.cpu_time);
    digest_.add(run.work.memory_mib);
    digest_.add(run.work.input_bytes);
    digest_.add(run.work.shuffle_bytes);
    digest_.add(run.work.output_bytes);
  }
  add(stage.input_path);
  add_number(stage.places.hosts.size());
  for (const std::string& host : stage.places.hosts) add(host);
  add_number(stage.places.ends.size());
  for (const std::uint32_t end : stage.places.ends) add_number(end);
  for (const std::uint32_t entry : stage.places.entries) add_number(entry);
  add_number(stage.needs.size());
  for (const std::uint16_t need : stage.needs) add_number(need);
  add(stage.delay);
  add_number(stage.node_labels.size());
  for (const std::string& label : stage.node_labels) add(label);
}

void WorkloadDigest::add(const Job& job) {
  digest_.add(job.id);
  add(job.name);
  digest_.add(job.submit);
  add(names_.users.name(job.user));
  add(names_.queues.name(job.queue));
  add_number(static_cast<std::uint64_t>(static_cast<std::uint32_t>(job.priority)));
  add_number(static_cast<std::uint64_t>(job.kind));
  add(job.requested_time);
  add_number(job.stages.size());
  for (const Stage& stage : job.stages) add(stage);
  // Workloads without any have the digests that they had before jobs could have some.
  if (job.deadline > Duration::zero()) add(job.deadline);
}

}  // namespace tracebed
