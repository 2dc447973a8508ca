// MapReduce jobs as rows of SWIM (traces/swim_rows.h): their bytes, and nothing else.
#pragma once

#include <cstdint>
#include <string>

#include "traces/convert/job_writer.h"

namespace tracebed {

class SwimWriter final : public TextJobWriter {
 public:
  // Six columns a row, nine with the path of the input if `has_paths`.
  SwimWriter(const std::string& path, const Names& names, bool has_paths)
      : TextJobWriter(path, names), has_paths_(has_paths) {}
  bool add(const Job& job) override;

 private:
  bool has_paths_;
  std::int64_t last_submit_ = 0;
};

}  // namespace tracebed
