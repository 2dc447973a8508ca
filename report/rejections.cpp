#include "report/rejections.h"

#include <algorithm>
#include <fmt/format.h>

namespace tracebed {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string without_numbers(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_digit(text[i])) {
      result += text[i];
    } else if (i == 0 || !is_digit(text[i - 1])) {
      result += '#';
    }
  }
  return result;
}

// "2 of 4 jobs were rejected".
std::string counted(std::uint64_t count, std::uint64_t jobs, std::string_view one,
                    std::string_view several) {
  if (jobs == 1) return fmt::format("the only job {}", one);
  if (count == jobs) return fmt::format("all {} jobs {}", jobs, several);
  return fmt::format("{} of {} jobs {}", count, jobs, count == 1 ? one : several);
}

std::string reasons_text(const std::vector<NamedCount>& reasons, std::uint64_t jobs,
                         std::string_view one, std::string_view several) {
  constexpr std::size_t shown_max = 5;
  std::uint64_t count = 0;
  for (const auto& [reason, with_it] : reasons) count += with_it;
  if (count == 0) return {};
  std::string text = counted(count, jobs, one, several) + ": ";
  for (std::size_t i = 0; i < std::min(reasons.size(), shown_max); ++i) {
    text += fmt::format("{}{} × {}", i == 0 ? "" : "; ", reasons[i].second, reasons[i].first);
  }
  if (reasons.size() > shown_max) {
    text += fmt::format("; and {} more reasons", reasons.size() - shown_max);
  }
  return text;
}

}  // namespace

void ReasonCounter::add(std::string_view reason) {
  const std::string key = without_numbers(reason);
  const auto known = reasons_.find(key);
  if (known != reasons_.end()) {
    ++known->second.jobs;
    known->second.has_others |= known->second.words != reason;
  } else if (reasons_.size() + 1 < reasons_max) {
    reasons_.emplace(key, Reason{std::string(reason), 1, reasons_.size(), false});
  } else {
    ++others_;
  }
}

std::vector<NamedCount> ReasonCounter::reasons() const {
  std::vector<const Reason*> sorted;
  for (const auto& [key, reason] : reasons_) sorted.push_back(&reason);
  std::sort(sorted.begin(), sorted.end(), [](const Reason* a, const Reason* b) {
    return a->jobs != b->jobs ? a->jobs > b->jobs : a->position < b->position;
  });
  std::vector<NamedCount> reasons;
  for (const Reason* reason : sorted) {
    reasons.emplace_back(reason->words + (reason->has_others ? " (or with other numbers)" : ""),
                         reason->jobs);
  }
  if (others_ > 0) reasons.emplace_back("other reasons", others_);
  return reasons;
}

std::string rejection_text(const std::vector<NamedCount>& reasons, std::uint64_t jobs) {
  return reasons_text(reasons, jobs, "was rejected", "were rejected");
}

std::string failure_text(const std::vector<NamedCount>& reasons, std::uint64_t jobs) {
  return reasons_text(reasons, jobs, "failed", "failed");
}

std::string none_succeeded_text(const RunEnd& end, std::uint64_t killed, std::uint64_t jobs) {
  std::string text = rejection_text(end.rejections, jobs);
  const auto add = [&](const std::string& more) {
    if (!text.empty() && !more.empty()) text += "; ";
    text += more;
  };
  add(failure_text(end.failures, jobs));
  if (killed > 0) add(counted(killed, jobs, "was killed", "were killed"));
  return text;
}

}  // namespace tracebed
