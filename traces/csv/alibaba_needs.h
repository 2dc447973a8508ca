// What tasks of Alibaba's trace of 2018 need, read from their names: "J5_2_4" is task 5, which
// needs tasks 2 and 4 of its job; "_Stg1" at the end is ignored, and names of another form
// ("task_…", "MergeTask") need nothing. The trace cuts names at 50 characters
// (alibaba/clusterdata, issue 136), so that the last number of such a name may be another's.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/csv/alibaba_rows.h"
#include "traces/parts/stage_order.h"

namespace tracebed {

// "J5_2_4" → 5, needs 2 and 4. False for a name of another form.
bool read_task_name(std::string_view name, std::int64_t& number, std::vector<std::int64_t>& needs);

// Whether the name may be cut within what it says.
bool may_be_cut(std::string_view name);

class AlibabaNeeds {
 public:
  // By position in `rows`, valid until the next call. Of several tasks of a number, the first is
  // meant. `unknown` is the number of needed ones that the rows do not have. The last number of a
  // name that may be cut is passed over unless `trusts_cut`.
  StageNeeds& find(const std::vector<AlibabaRow>& rows, bool trusts_cut, std::uint64_t& unknown);
  // That none needs another.
  StageNeeds& none(const std::vector<AlibabaRow>& rows);

 private:
  StageNeeds needs_;
  StageNeeds spare_;                                             // for jobs of more rows
  std::vector<std::pair<std::int64_t, std::uint32_t>> numbers_;  // (number in the name, position)
  std::vector<std::pair<std::uint32_t, std::int64_t>> wanted_;   // (position, number it needs)
  std::vector<std::int64_t> wanted_by_row_;
};

}  // namespace tracebed
