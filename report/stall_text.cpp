#include "report/stall_text.h"

#include <fmt/format.h>

#include "core/quantity_text.h"

namespace tracebed {
namespace {

std::string count_of(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

class StallWords {
 public:
  StallWords(const Stall& stall, const ResourceDimensions& dimensions)
      : stall_(stall), dimensions_(dimensions) {}

  std::string sentence() const {
    const StalledJob* const first = first_of_kind();
    switch (stall_.kind) {
      case StallKind::no_machines:
        return "all machines have left or are drained, and none is to come";
      case StallKind::ask_too_large:
      case StallKind::places:
      case StallKind::no_master:
      case StallKind::queue_limit:
        return first == nullptr ? "" : of_one(*first);
      case StallKind::gang_too_large:
        return first == nullptr ? "" : of_gang(*first);
      case StallKind::masters_alone:
        return fmt::format(
            "masters of {} hold {} of {}, and no task of theirs finds room beside them; with a "
            "lower limit on masters fewer jobs run at a time, and go on",
            count_of(stall_.masters, "job"), amounts(stall_.held_by_masters),
            amounts(stall_.capacity));
      case StallKind::held_tasks:
        return fmt::format(
            "{} hold {} of {} while they wait for other tasks of their jobs, which find no room",
            count_of(stall_.tasks, "task"), amounts(stall_.held_by_tasks),
            amounts(stall_.capacity));
      case StallKind::preemption_loop:
        return "preemption takes the containers of a task again and again, and nothing completes "
               "meanwhile";
      case StallKind::unknown:
        break;
    }
    return fmt::format("{} and {} hold {} of {}", count_of(stall_.masters, "master"),
                       count_of(stall_.tasks, "task"),
                       amounts(stall_.held_by_masters + stall_.held_by_tasks),
                       amounts(stall_.capacity));
  }

  std::vector<std::string> chain() const {
    std::vector<std::string> lines;
    for (const SharedWaitingReason& reason : stall_.reasons) {
      lines.push_back(fmt::format("{} (first: job {}) {}: {}", count_of(reason.jobs, "job"),
                                  reason.first.value(), reason.jobs == 1 ? "waits" : "wait",
                                  reason.text));
    }
    for (const StalledJob& job : stall_.jobs) lines.push_back(line_of(job));
    if (stall_.jobs_more > 0) {
      lines.push_back(fmt::format("{} more {} open", stall_.jobs_more,
                                  stall_.jobs_more == 1 ? "job was" : "jobs were"));
    }
    return lines;
  }

 private:
  std::string amounts(const Resources& resources) const {
    return "(" + resources_text(resources, dimensions_) + ")";
  }

  const StalledJob* first_of_kind() const {
    for (const StalledJob& job : stall_.jobs) {
      if (job.kind == stall_.kind) return &job;
    }
    return nullptr;
  }

  std::string of_one(const StalledJob& job) const {
    return fmt::format("job {}: {}", job.job.value(),
                       job.reasons.empty() ? "it waits" : job.reasons.front().second);
  }

  std::string of_gang(const StalledJob& job) const {
    return fmt::format(
        "job {} must start {} of {} at once, and all machines in service together could hold {}, "
        "even if they were empty",
        job.job.value(), count_of(job.units, "unit"), amounts(job.demand), job.units_in_empty);
  }

  std::string holdings_of(const StalledJob& job) const {
    if (job.masters == 0 && job.tasks == 0) return "holds nothing";
    std::string what = job.masters > 0 ? "its master" : "";
    if (job.tasks > 0) what += (what.empty() ? "" : " and ") + count_of(job.tasks, "task");
    return fmt::format("holds {} {}", what, amounts(job.held));
  }

  std::string line_of(const StalledJob& job) const {
    std::string line = fmt::format("job {}", job.job.value());
    if (!job.queue.empty()) line += " of " + job.queue;
    line += " " + holdings_of(job);
    if (job.reasons.empty()) return line;
    if (job.units > 0) {
      line += fmt::format(", asks for {} of {}", count_of(job.units, "unit"), amounts(job.demand));
    }
    if (!job.waits_for.empty()) {
      line += job.waits_for.size() == 1 ? ", waits for job" : ", waits for jobs";
      const char* separator = " ";
      for (const JobId other : job.waits_for) {
        line += fmt::format("{}{}", separator, other.value());
        separator = ", ";
      }
      if (job.waits_for_more > 0) line += fmt::format(" and {} more", job.waits_for_more);
    }
    const char* separator = ": ";
    for (const auto& [reason, text] : job.reasons) {
      line += separator + text;
      separator = "; ";
    }
    return line;
  }

  const Stall& stall_;
  const ResourceDimensions& dimensions_;
};

}  // namespace

std::string stall_text(const Stall& stall, const ResourceDimensions& dimensions) {
  return fmt::format("{}: {}", title(stall.kind), StallWords(stall, dimensions).sentence());
}

std::vector<std::string> stall_chain(const Stall& stall, const ResourceDimensions& dimensions) {
  return StallWords(stall, dimensions).chain();
}

}  // namespace tracebed
