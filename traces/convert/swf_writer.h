// Jobs in the Standard Workload Format: rigid ones, and those of a single task.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "traces/convert/job_writer.h"

namespace tracebed {

class SwfWriter final : public TextJobWriter {
 public:
  // `remark` is the file's statement of its origin. Processors of the machine are written if known.
  SwfWriter(const std::string& path, std::string_view remark,
            std::optional<std::int64_t> processors, const Names& names);
  bool add(const Job& job) override;

 private:
  std::int64_t number_of(const Job& job);
  // The number in a name like "user7"; other names get one by their id.
  std::int64_t number_in(std::string_view name, std::string_view prefix, std::string_view unknown,
                         std::uint32_t id, const char* field);
  void count_losses(const Job& job, const Stage& stage, const Work& work);
};

}  // namespace tracebed
