#include "traces/csv/alibaba_needs.h"

#include <algorithm>

#include "traces/parts/text_numbers.h"

namespace tracebed {

bool read_task_name(std::string_view name, std::int64_t& number, std::vector<std::int64_t>& needs) {
  needs.clear();
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  std::size_t begin = 0;
  while (begin < name.size() && is_letter(name[begin])) ++begin;
  if (begin == 0) return false;
  std::string_view rest = name.substr(begin);
  const std::size_t mark = rest.rfind('_');
  if (mark != std::string_view::npos && rest.substr(mark + 1).starts_with("Stg")) {
    rest = rest.substr(0, mark);
  }
  for (bool is_first = true;; is_first = false) {
    const std::size_t end = rest.find('_');
    const Whole part = read_whole(rest.substr(0, end));
    if (part.fault != NumberFault::none || part.value < 0) return false;
    if (is_first) {
      number = part.value;
    } else if (std::find(needs.begin(), needs.end(), part.value) == needs.end()) {
      needs.push_back(part.value);
    }
    if (end == std::string_view::npos) return true;
    rest.remove_prefix(end + 1);
  }
}

bool may_be_cut(std::string_view name) {
  constexpr std::size_t name_most = 50;
  if (name.size() < name_most || name.find('_') == std::string_view::npos) return false;
  std::int64_t number = 0;
  std::vector<std::int64_t> needs;
  return read_task_name(name.substr(0, name.find('_')), number, needs);
}

StageNeeds& AlibabaNeeds::none(const std::vector<AlibabaRow>& rows) {
  while (needs_.size() > rows.size()) {
    spare_.push_back(std::move(needs_.back()));
    needs_.pop_back();
  }
  while (needs_.size() < rows.size() && !spare_.empty()) {
    needs_.push_back(std::move(spare_.back()));
    spare_.pop_back();
  }
  needs_.resize(rows.size());
  for (auto& of_row : needs_) of_row.clear();
  return needs_;
}

StageNeeds& AlibabaNeeds::find(const std::vector<AlibabaRow>& rows, bool trusts_cut,
                               std::uint64_t& unknown) {
  none(rows);
  unknown = 0;
  numbers_.clear();
  wanted_.clear();
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    std::int64_t own = 0;
    std::string_view name = rows[i].name;
    if (!trusts_cut && may_be_cut(name)) name = name.substr(0, name.rfind('_'));
    if (!read_task_name(name, own, wanted_by_row_)) continue;
    numbers_.emplace_back(own, i);
    for (const std::int64_t number : wanted_by_row_) wanted_.emplace_back(i, number);
  }
  std::sort(numbers_.begin(), numbers_.end());
  for (const auto& [position, number] : wanted_) {
    const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), std::pair(number, 0U));
    if (found != numbers_.end() && found->first == number) {
      needs_[position].push_back(found->second);
    } else {
      ++unknown;
    }
  }
  return needs_;
}

}  // namespace tracebed
