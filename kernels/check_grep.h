// Lines that grep found: each has to be in the input at its offset and to contain the text, and
// together they are as many as a search of the whole text finds, with the same sum of offsets'
// hashes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kernels/check_records.h"
#include "kernels/dataset.h"
#include "kernels/record_sum.h"

namespace tracebed::kernels {

class GrepCheck final : public RecordCheck {
 public:
  // A text without LF. The input is a TextDataset, and outlives the check.
  GrepCheck(const Dataset& input, std::string pattern);

  Status finish() override;

 private:
  Status check(const InputRecord& line) override;
  void begin_part() override { last_offset_.reset(); }

  const Dataset& input_;
  std::string pattern_;
  RecordSum expected_;  // of lines' offsets
  RecordSum found_;
  std::optional<std::uint64_t> last_offset_;  // of the part
};

}  // namespace tracebed::kernels
