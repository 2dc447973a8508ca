// Jobs as YARN's Scheduler Load Simulator reads them: JSON objects one after the other.
#pragma once

#include <string>

#include "traces/convert/job_writer.h"

namespace tracebed {

class SlsWriter final : public TextJobWriter {
 public:
  SlsWriter(const std::string& path, const Names& names);
  bool add(const Job& job) override;

 private:
  void count_losses(const Job& job);
  void count_losses(const Stage& stage);
  void add_stage(const Job& job, const Stage& stage, bool& is_first);
  void add_task(const Stage& stage, const TaskRun& run, std::uint32_t count, std::string_view more,
                bool& is_first);
  std::int64_t whole_milliseconds(Duration duration, const char* field);

  std::string text_;
};

}  // namespace tracebed
