// Jobs as rows of the text formats that hold jobs of one kind: MapReduce jobs as SWIM, rigid jobs
// as SWF. What a job has and its format lacks is not written; the format's rules fill it when the
// file is read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/names.h"
#include "core/workload.h"

namespace tracebed {

class JobRows {
 public:
  virtual ~JobRows() = default;
  // What stands above the first row, with line ends; may be empty. `remark` is one line that says
  // where the jobs come from; formats without comments leave it out.
  virtual std::string head(std::string_view remark) const = 0;
  // A row, with its line end. Jobs come in the order of their submit times; each is of the kind.
  virtual std::string row(const Job& job) = 0;
  virtual JobKind kind() const = 0;
  // Of what jobs of the kind have, that which the format does not carry; for people.
  virtual std::string_view not_carried() const = 0;
};

// Six columns a row, nine if `has_paths`.
std::unique_ptr<JobRows> swim_job_rows(bool has_paths);

// Users and queues are numbers in SWF: those in their names (user7) where all names have one, and
// otherwise their ids, with a header line for each that says its name. `names` outlives the result;
// `processors` of the machine are stated if they are known.
std::unique_ptr<JobRows> swf_job_rows(const Names& names, std::uint64_t jobs,
                                      std::optional<std::int64_t> processors);

}  // namespace tracebed
