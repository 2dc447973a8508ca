#include "report/jct_parts.h"

#include <algorithm>
#include <utility>

#include "core/check.h"
#include "core/unknown_constant.h"

namespace tracebed {

std::string_view name(JctPart part) {
  switch (part) {
    case JctPart::launch:
      return "launch";
    case JctPart::heartbeat:
      return "heartbeat";
    case JctPart::contention:
      return "contention";
    case JctPart::lost:
      return "lost";
    case JctPart::work:
      return "work";
    case JctPart::waiting:
      return "waiting";
  }
  unknown_constant();
}

JctParts jct_parts(TraceTime submitted, TraceTime finished,
                   const std::vector<AttemptTimes>& attempts) {
  JctParts parts{};
  // Attempts at and after `end` are out of reach of the chain: the index only falls, so the walk
  // ends even among attempts that took no time at all.
  const auto last_before = [&](TraceTime time, std::size_t end) {
    const auto reach = attempts.begin() + static_cast<std::ptrdiff_t>(end);
    const auto after =
        std::upper_bound(attempts.begin(), reach, time,
                         [](TraceTime t, const AttemptTimes& a) { return t < a.reported; });
    return static_cast<std::size_t>(after - attempts.begin());
  };
  std::size_t end = last_before(finished, attempts.size());
  while (end > 0 && !attempts[end - 1].succeeded) --end;
  TraceTime covered_from = finished;  // all time from here on has been given to a part
  while (end > 0) {
    const AttemptTimes& attempt = attempts[end - 1];
    part_of(parts, JctPart::waiting) += covered_from - attempt.reported;
    TraceTime enabled = attempt.asked;
    covered_from = attempt.allocated;
    if (!attempt.succeeded) {
      part_of(parts, JctPart::work) += attempt.kept;
      part_of(parts, JctPart::lost) += attempt.reported - attempt.allocated - attempt.kept;
    } else {
      part_of(parts, JctPart::work) += attempt.nominal;
      part_of(parts, JctPart::contention) += attempt.ended - attempt.work_begun - attempt.nominal;
      part_of(parts, JctPart::heartbeat) += attempt.reported - attempt.ended;
      if (attempt.work_begun > attempt.started) {
        enabled = attempt.work_begun;
        covered_from = attempt.work_begun;
      } else {
        part_of(parts, JctPart::launch) += attempt.started - attempt.allocated;
      }
    }
    end = last_before(enabled, end - 1);
  }
  part_of(parts, JctPart::waiting) += covered_from - submitted;
  return parts;
}

void OpenAttempts::attempt_ended(const AttemptRecord& record) {
  const std::size_t index = record.application.index();
  if (!record.launched || (index < ended_.size() && ended_[index])) return;
  std::vector<AttemptTimes>* attempts = open_.find(record.application);
  if (attempts == nullptr) {
    std::vector<AttemptTimes> list;
    if (!spare_.empty()) {
      list = std::move(spare_.back());
      spare_.pop_back();
    }
    attempts = &open_.emplace_at(record.application, std::move(list));
  }
  attempts->push_back(
      {record.asked, record.allocated, record.account.started, work_begun(record),
       record.account.ended, record.reported, record.nominal, record.end == ContainerEnd::succeeded,
       record.end == ContainerEnd::succeeded ? Duration::zero() : kept_time(record)});
}

EndedAttempts OpenAttempts::job_ended(const JobRecord& record) {
  const std::size_t index = record.application.index();
  if (index >= ended_.size()) ended_.resize(index + 1);
  TRACEBED_CHECK(!ended_[index], "a job ends once");
  ended_[index] = true;
  std::vector<AttemptTimes>* attempts = open_.find(record.application);
  if (attempts == nullptr) return {jct_parts(record.submitted, record.finished, {})};
  const EndedAttempts result{
      jct_parts(record.submitted, record.finished, *attempts),
      static_cast<std::uint32_t>(attempts->size()),
      static_cast<std::uint32_t>(std::count_if(
          attempts->begin(), attempts->end(), [](const AttemptTimes& a) { return !a.succeeded; }))};
  attempts->clear();
  spare_.push_back(std::move(*attempts));
  open_.erase(record.application);
  return result;
}

}  // namespace tracebed
