#include "traces/parts/collected_reader.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "traces/parts/deadline_rule.h"
#include "traces/parts/job_record.h"

namespace tracebed {
namespace {

constexpr TraceTally::Handle gaps = 0;

}  // namespace

CollectedReader::CollectedReader(std::string_view format, std::string path,
                                 const TraceOptions& options, Names& names)
    : format_(format),
      rules_(options.rules),
      names_(names),
      bad_rows_(std::move(path), options.skip_bad),
      jobs_(options.sort_bytes_max),
      sort_bytes_max_(options.sort_bytes_max) {}

void CollectedReader::tally_into(TraceTally& tally) {
  tally_ = &tally;
  tally.distribution("inter-arrival", "s", 1'000'000);
  name_tallies(tally);
}

bool CollectedReader::next(Job& job) {
  if (!is_collected_) {
    is_collected_ = true;
    collect();
  }
  std::int64_t submit = 0;
  std::string_view record;
  while (jobs_.next(submit, record)) {
    if (tally_ != nullptr && last_job_) tally_->add(gaps, submit - *last_job_);
    last_job_ = submit;
    stages_begun_ = 0;
    job.priority = 0;
    job.requested_time = Duration{};
    job.deadline = Duration{};
    recorded_.reset();
    if (!make(record, job)) continue;
    end_stages(job);
    obey_deadline_rule(rules_.common, job);
    // What a file says was submitted before its own zero is taken as submitted then.
    if (!origin_) origin_ = rules_.common.origin == Origin::first_job ? submit : 0;
    job.submit = trace_time(std::max<std::int64_t>(submit - *origin_, 0));
    job.id = JobId(static_cast<std::size_t>(report_.jobs++));
    return true;
  }
  return false;
}

bool CollectedReader::make(std::string_view record, Job& job) {
  if (record.empty()) return false;
  std::memcpy(&recorded_, record.data(), sizeof(recorded_));
  record.remove_prefix(sizeof(recorded_));
  read_job(record, names_, spare_, job);
  stages_begun_ = job.stages.size();
  return true;
}

RecordSorter CollectedReader::take_kept() {
  RecordSorter kept(sort_bytes_max_);
  std::swap(kept, jobs_);
  return kept;
}

Job& CollectedReader::begin_draft() {
  stages_begun_ = 0;
  draft_.priority = 0;
  draft_.requested_time = Duration{};
  draft_.deadline = Duration{};
  recorded_.reset();
  return draft_;
}

void CollectedReader::keep_draft(std::int64_t submit) {
  end_stages(draft_);
  static_assert(std::is_trivially_copyable_v<decltype(recorded_)>);
  draft_record_.assign(reinterpret_cast<const char*>(&recorded_), sizeof(recorded_));
  append_job(draft_, draft_names_, draft_record_);
  keep(submit, draft_record_);
}

UserId CollectedReader::only_user() {
  if (!only_user_) only_user_ = names_.users.intern("user0");
  return *only_user_;
}

QueueId CollectedReader::only_queue() {
  if (!only_queue_) only_queue_ = names_.queues.intern("default");
  return *only_queue_;
}

void CollectedReader::see_row(std::int64_t submit) {
  ++report_.rows;
  last_submit_ = first_submit_ ? std::max(last_submit_, submit) : submit;
  first_submit_ = std::min(first_submit_.value_or(submit), submit);
}

void CollectedReader::note(std::string_view what, std::uint64_t count) {
  if (count > 0) notes_[what] += count;
}

LoadReport CollectedReader::report() const {
  LoadReport report = report_;
  for (const auto& [rule, count] : left_out_) report.left_out.push_back({std::string(rule), count});
  for (const auto& [what, count] : notes_) report.notes.push_back({std::string(what), count});
  return report;
}

Stage& CollectedReader::begin_stage(Job& job) {
  if (stages_begun_ == job.stages.size()) spare_.resize(job.stages, stages_begun_ + 1);
  Stage& stage = job.stages[stages_begun_++];
  clear(stage);
  return stage;
}

void CollectedReader::become_dag(Job& job, std::size_t maps) const {
  job.kind = JobKind::dag;
  for (std::size_t i = maps; i < stages_begun_; ++i) {
    job.stages[i].kind = StageKind::map;
    for (std::uint16_t needed = 0; needed < maps; ++needed) job.stages[i].needs.push_back(needed);
  }
}

void CollectedReader::add_tasks(Stage& stage, std::uint32_t count, const Work& work) {
  if (!stage.runs.empty() && stage.runs.back().work == work) {
    stage.runs.back().count += count;
  } else {
    stage.runs.push_back({count, work});
  }
}

}  // namespace tracebed
