// Jobs of every kind, with everything in them that the model knows.
#pragma once

#include <string>
#include <vector>

#include "core/names.h"
#include "core/workload.h"

namespace tracebed::testing {

inline Work sample_work(std::int64_t factor) {
  return {seconds(10) * factor, seconds(7) * factor, 100 * factor,
          1000 * factor,        200 * factor,        300 * factor};
}

inline Stage sample_stage(StageKind kind, const std::vector<TaskRun>& runs) {
  Stage stage;
  stage.kind = kind;
  stage.demand = Resources(1500, 2048);
  stage.runs = runs;
  return stage;
}

inline Job sample_job(JobKind kind, std::int64_t submit, std::vector<Stage> stages, Names& names) {
  Job job;
  job.name = "job at " + std::to_string(submit);
  job.submit = trace_time(submit);
  job.user = names.users.intern("user" + std::to_string(submit % 3));
  job.queue = names.queues.intern(submit % 2 == 0 ? "batch" : "default");
  job.priority = static_cast<std::int32_t>(submit % 5) - 2;
  job.kind = kind;
  job.requested_time = seconds(submit);
  if (submit % 2 == 1) job.deadline = seconds(10 + submit);
  job.stages = std::move(stages);
  return job;
}

// MapReduce with places, MapReduce of maps alone, rigid, a DAG with needs, delays, labels and an
// amount of the third dimension, a service; numbered from 0.
inline std::vector<Job> sample_jobs(Names& names) {
  Stage maps = sample_stage(StageKind::map, {{2, sample_work(1)}, {1, sample_work(2)}});
  maps.input_path = "/data/öffentlich";
  maps.places = {{"host-a", "host-b"}, {2, 2, 3}, {0, 1, 1}};
  const Stage reduces = sample_stage(StageKind::reduce, {{4, sample_work(3)}});
  const Stage gang = sample_stage(StageKind::gang, {{16, sample_work(4)}});
  Stage first = sample_stage(StageKind::map, {{5, sample_work(5)}});
  first.demand[2] = 500;
  first.node_labels = {"ssd", "gpu"};
  Stage second = sample_stage(StageKind::map, {{1, sample_work(6)}});
  second.delay = milliseconds(1500);
  Stage third = sample_stage(StageKind::map, {{1, sample_work(7)}});
  third.needs = {0, 1};
  const Stage plain = sample_stage(StageKind::map, {{1'000'000, sample_work(8)}});
  std::vector<Job> jobs = {sample_job(JobKind::map_reduce, 0, {maps, reduces}, names),
                           sample_job(JobKind::map_reduce, 7, {plain}, names),
                           sample_job(JobKind::rigid, 7, {gang}, names),
                           sample_job(JobKind::dag, 1'000'000'007, {first, second, third}, names),
                           sample_job(JobKind::service, 1'000'000'012, {plain, plain}, names)};
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].id = JobId(i);
  return jobs;
}

}  // namespace tracebed::testing
