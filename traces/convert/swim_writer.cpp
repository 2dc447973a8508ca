#include "traces/convert/swim_writer.h"

#include <fmt/format.h>

#include "traces/parts/text_numbers.h"

namespace tracebed {

bool SwimWriter::add(const Job& job) {
  if (job.kind != JobKind::map_reduce) {
    lost().add("jobs left out, since they are not MapReduce's");
    return false;
  }
  lost().add("tasks, durations, demands and users of jobs, which the rules of swim fill");
  lost().add_if(!has_paths_ && !job.stages.front().input_path.empty(), "paths of jobs' input");
  lost().add_if(!job.stages.front().places.is_empty(), "places of jobs' input");
  lost().add_if(job.priority != 0, "priorities of jobs");
  lost().add_if(job.deadline != Duration{}, "deadlines of jobs");
  std::int64_t input = 0;
  std::int64_t shuffle = 0;
  std::int64_t output = 0;
  for (const Stage& stage : job.stages) {
    for (const TaskRun& run : stage.runs) {
      input += run.count * run.work.input_bytes;
      shuffle += run.count * run.work.shuffle_bytes;
      output += run.count * run.work.output_bytes;
    }
  }
  const std::int64_t submit = to_microseconds(job.submit);
  std::string row = fmt::format("{}\t{}\t{}\t{}\t{}\t{}", job.name, decimal_text(submit),
                                decimal_text(submit - last_submit_), input, shuffle, output);
  last_submit_ = submit;
  if (has_paths_) row.append("\t").append(job.stages.front().input_path).append("\t\t");
  file().write(row + '\n');
  return true;
}

}  // namespace tracebed
