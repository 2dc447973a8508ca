#include "traces/binary/binary_reader.h"

#include <array>
#include <fmt/format.h>

#include "system/utf8.h"
#include "traces/parts/deadline_rule.h"

namespace tracebed {
namespace {

constexpr std::size_t first_extra = Resources::memory_dimension + 1;
constexpr std::array<const char*, 4> kinds = {"MapReduce jobs", "rigid jobs", "DAG jobs",
                                              "services"};

// Handles of the tallies, in the order in which tally_into() makes them.
enum Distribution : TraceTally::Handle { gaps, stages };
enum Count : TraceTally::Handle {
  with_places = kinds.size(),
  with_labels,
  with_limit,
  with_deadline,
};
enum Distinct : TraceTally::Handle { users, queues };

}  // namespace

BinaryReader::BinaryReader(std::unique_ptr<BinaryTraceFile> file, const TraceOptions& options,
                           Names& names)
    : file_(std::move(file)),
      names_(names),
      common_(options.rules.common),
      decoder_(names, file_->origin().dimensions.size()),
      bad_rows_(file_->name(), options.skip_bad) {
  for (const std::string& name : file_->origin().dimensions) {
    dimensions_.push_back(options.dimensions.find(name));
    if (dimensions_.back() == options.dimensions.size()) {
      dimensions_.back() = Resources::dimensions_max;
    }
    same_dimensions_ &= dimensions_.back() == first_extra + dimensions_.size() - 1;
  }
  lost_amounts_.resize(dimensions_.size());
}

bool BinaryReader::next(Job& job) {
  if (!take(job)) return false;
  check_text(job);
  last_submit_ = to_microseconds(job.submit);
  if (jobs_ == 0) first_submit_ = last_submit_;
  if (!same_dimensions_) {
    for (Stage& stage : job.stages) translate(stage.demand);
  }
  obey_deadline_rule(common_, job);
  if (tally_ != nullptr) tally_job(job);
  ++jobs_;
  for (const Stage& stage : job.stages) tasks_ += task_count(stage);
  return true;
}

void BinaryReader::check_text(const Job& job) {
  const auto check = [&](std::string_view text) {
    if (!is_utf8(text)) file_->refuse_chunk("expected text in UTF-8, got " + shown(text));
  };
  check(job.name);
  for (const Stage& stage : job.stages) {
    check(stage.input_path);
    for (const std::string& label : stage.node_labels) check(label);
    for (const std::string& host : stage.places.hosts) check(host);
  }
  for (; users_checked_ < names_.users.size(); ++users_checked_) {
    check(names_.users.name(UserId(users_checked_)));
  }
  for (; queues_checked_ < names_.queues.size(); ++queues_checked_) {
    check(names_.queues.name(QueueId(queues_checked_)));
  }
}

bool BinaryReader::take(Job& job) {
  while (!decoder_.next(job)) {
    const auto chunk = file_->next_jobs();
    if (!chunk) {
      file_->check_counts(jobs_, tasks_);
      return false;
    }
    if (const Status status = decoder_.load(*chunk); !status) {
      file_->refuse_chunk(status.error().message);
    }
  }
  return true;
}

void BinaryReader::translate(Resources& resources) {
  Resources translated(resources.milli_vcores(), resources.memory_mib());
  for (std::size_t i = 0; i < dimensions_.size(); ++i) {
    const std::int64_t amount = resources[first_extra + i];
    if (amount == 0) continue;
    if (dimensions_[i] < Resources::dimensions_max) {
      translated[dimensions_[i]] = amount;
    } else {
      ++lost_amounts_[i];
    }
  }
  resources = translated;
}

void BinaryReader::tally_into(TraceTally& tally) {
  tally_ = &tally;
  tally.distribution("inter-arrival", "s", 1'000'000);
  tally.distribution("stages of a job", "");
  for (const char* kind : kinds) tally.count(kind);
  tally.count("stages whose input has places");
  tally.count("stages with labels of machines");
  tally.count("jobs with a limit of their run time");
  tally.count("jobs with a deadline");
  tally.distinct("users");
  tally.distinct("queues");
}

void BinaryReader::tally_job(const Job& job) {
  TraceTally& to = *tally_;
  if (jobs_ > 0) to.add(gaps, last_submit_ - previous_submit_);
  previous_submit_ = last_submit_;
  to.add(stages, static_cast<std::int64_t>(job.stages.size()));
  to.increment(static_cast<TraceTally::Handle>(job.kind));
  for (const Stage& stage : job.stages) {
    if (!stage.places.is_empty()) to.increment(with_places);
    if (!stage.node_labels.empty()) to.increment(with_labels);
  }
  if (job.requested_time > Duration{}) to.increment(with_limit);
  if (job.deadline > Duration{}) to.increment(with_deadline);
  to.see(users, job.user.value());
  to.see(queues, job.queue.value());
}

LoadReport BinaryReader::report() const {
  LoadReport report{jobs_, jobs_, {}, {}};
  for (std::size_t i = 0; i < lost_amounts_.size(); ++i) {
    if (lost_amounts_[i] == 0) continue;
    report.notes.push_back({fmt::format("stages whose {} is not in their demand: the run has no "
                                        "such dimension",
                                        file_->origin().dimensions[i]),
                            lost_amounts_[i]});
  }
  return report;
}

}  // namespace tracebed
