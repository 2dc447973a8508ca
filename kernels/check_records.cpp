#include "kernels/check_records.h"

#include <limits>

namespace tracebed::kernels {
namespace {

constexpr InputSplit whole_part{0, std::numeric_limits<std::uint64_t>::max()};

}  // namespace

RecordCheck::RecordCheck(RecordFormat format) : format_(format), reader_(format, whole_part) {}

Status RecordCheck::consume(Bytes chunk) {
  return reader_.consume(chunk, *this);
}

Status RecordCheck::end_part() {
  if (Status ended = reader_.end_of_file(*this); !ended) return ended;
  reader_ = SplitReader(format_, whole_part);
  ++part_;
  begin_part();
  return success();
}

Error RecordCheck::wrong(const std::string& what) const {
  return {"part " + std::to_string(part_) + ": " + what};
}

}  // namespace tracebed::kernels
