// What checks of output share: the parts as whole records.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/check_output.h"
#include "kernels/input_split.h"

namespace tracebed::kernels {

class RecordCheck : public OutputCheck, private RecordVisitor {
 public:
  Status consume(Bytes chunk) final;
  Status end_part() final;

 protected:
  explicit RecordCheck(RecordFormat format);

  virtual Status check(const InputRecord& record) = 0;
  virtual void begin_part() {}
  // A failure of the current part.
  Error wrong(const std::string& what) const;

 private:
  Status visit(const InputRecord& record) final { return check(record); }

  RecordFormat format_;
  SplitReader reader_;
  std::uint32_t part_ = 0;
};

}  // namespace tracebed::kernels
