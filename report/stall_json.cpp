#include "report/stall_json.h"

#include <string>

namespace tracebed {
namespace {

// One description of the fields for both directions, as JsonOutput and JsonInput are: what is not
// text or a number in JSON is converted here.
void amount_fields(JsonOutput& fields, const char* key, const Resources& amounts,
                   const ResourceDimensions& dimensions) {
  fields.object(key, [&](JsonOutput& f) {
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      f(dimensions.name(d).c_str(), amounts[d]);
    }
  });
}
void amount_fields(JsonInput& fields, const char* key, Resources& amounts,
                   const ResourceDimensions& dimensions) {
  fields.object(key, [&](JsonInput& f) {
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      std::int64_t amount = 0;
      f(dimensions.name(d).c_str(), amount);
      amounts[d] = amount;
    }
  });
}

void kind_field(JsonOutput& fields, const StallKind& kind) {
  fields("kind", name(kind));
}
void kind_field(JsonInput& fields, StallKind& kind) {
  std::string text;
  fields("kind", text);
  const std::optional<StallKind> found = stall_kind_of(text);
  if (!found) fields.refuse_value("kind", "the kind of a stall");
  kind = *found;
}
void kind_field(JsonOutput& fields, const std::optional<StallKind>& kind) {
  if (kind) kind_field(fields, *kind);
}
void kind_field(JsonInput& fields, std::optional<StallKind>& kind) {
  if (fields.has("kind")) kind_field(fields, kind.emplace());
}

void job_field(JsonOutput& fields, const char* key, const JobId& job) {
  fields(key, job.value());
}
void job_field(JsonInput& fields, const char* key, JobId& job) {
  std::uint32_t value = 0;
  fields(key, value);
  job = JobId(value);
}

void reason_fields(JsonOutput& fields, const StalledJob& job) {
  fields.list("reasons", job.reasons, [](JsonOutput& f, const auto& reason) {
    f("reason", reason.first);
    f("text", reason.second);
  });
  std::vector<std::uint32_t> others;
  for (const JobId other : job.waits_for) others.push_back(other.value());
  fields("waits_for", others);
}
void reason_fields(JsonInput& fields, StalledJob& job) {
  fields.list("reasons", job.reasons, [](JsonInput& f, auto& reason) {
    f("reason", reason.first);
    f("text", reason.second);
  });
  std::vector<std::uint32_t> others;
  fields("waits_for", others);
  for (const std::uint32_t other : others) job.waits_for.emplace_back(other);
}

template <class Fields, class AJob>
void stalled_job_fields(Fields& f, AJob& job, const ResourceDimensions& dimensions) {
  job_field(f, "job", job.job);
  f("queue", job.queue);
  kind_field(f, job.kind);
  f("masters", job.masters);
  f("tasks", job.tasks);
  amount_fields(f, "held", job.held, dimensions);
  f("units", job.units);
  amount_fields(f, "demand", job.demand, dimensions);
  f("gang", job.is_gang);
  f("units_in_empty", job.units_in_empty);
  reason_fields(f, job);
  f("waits_for_more", job.waits_for_more);
}

template <class Fields, class AStall>
void stall_fields(Fields& fields, AStall& stall, const ResourceDimensions& dimensions) {
  kind_field(fields, stall.kind);
  fields.list("kinds", stall.kinds, [](auto& f, auto& share) {
    kind_field(f, share.kind);
    job_field(f, "first", share.first);
    f("jobs", share.jobs);
  });
  amount_fields(fields, "capacity", stall.capacity, dimensions);
  amount_fields(fields, "held_by_masters", stall.held_by_masters, dimensions);
  amount_fields(fields, "held_by_tasks", stall.held_by_tasks, dimensions);
  fields("masters", stall.masters);
  fields("tasks", stall.tasks);
  fields.list("reasons", stall.reasons, [](auto& f, auto& reason) {
    f("text", reason.text);
    job_field(f, "first", reason.first);
    f("jobs", reason.jobs);
  });
  fields.list("jobs", stall.jobs,
              [&](auto& f, auto& job) { stalled_job_fields(f, job, dimensions); });
  fields("jobs_more", stall.jobs_more);
}

}  // namespace

void write_stall(JsonOutput& fields, const Stall& stall, const ResourceDimensions& dimensions) {
  stall_fields(fields, stall, dimensions);
}

void read_stall(JsonInput& fields, Stall& stall, const ResourceDimensions& dimensions) {
  stall_fields(fields, stall, dimensions);
}

}  // namespace tracebed
