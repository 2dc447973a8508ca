#include "report/json_metrics.h"

namespace tracebed {

void write_metrics(JsonOutput& fields, const RunMetrics& metrics,
                   const ResourceDimensions& dimensions) {
  fields.object("jobs", [&](JsonOutput& f) {
    f("ended", metrics.jobs);
    f("succeeded", metrics.succeeded);
    f("failed", metrics.failed);
    f("rejected", metrics.rejected);
    f("killed", metrics.killed);
  });
  spread_fields(fields, "jct_seconds", metrics.jct);
  fields.object("jct_parts_mean_seconds", [&](JsonOutput& f) {
    for (std::size_t p = 0; p < jct_part_count; ++p) {
      f(std::string(name(static_cast<JctPart>(p))).c_str(), metrics.jct_parts_mean[p]);
    }
  });
  spread_fields(fields, "wait_seconds", metrics.wait);
  spread_fields(fields, "slowdown", metrics.slowdown);
  spread_fields(fields, "bounded_slowdown", metrics.bounded_slowdown);
  fields("makespan_seconds", metrics.makespan);
  fields("throughput_per_ten_minutes", metrics.throughput_per_ten_minutes);
  fields.object("utilisation", [&](JsonOutput& f) {
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      f(dimensions.name(d).c_str(), metrics.utilisation[d]);
    }
  });
  fields("users", metrics.users);
  fields("jain_index", metrics.jain_index);
  if (metrics.deadlines.jobs > 0) {
    fields.object("deadlines", [&](JsonOutput& f) {
      f("jobs", metrics.deadlines.jobs);
      f("met", metrics.deadlines.met);
      spread_fields(f, "tardiness_seconds", metrics.deadlines.tardiness);
    });
  }
  fields.object("attempts", [&](JsonOutput& f) { attempt_fields(f, metrics.attempts); });
  spread_fields(fields, "submission_lateness_seconds", metrics.lateness);
  // Only of runs in which a queue went without its share.
  if (metrics.starvation.queues.empty()) return;
  fields.object("starvation", [&](JsonOutput& f) { starvation_fields(f, metrics.starvation); });
}

}  // namespace tracebed
