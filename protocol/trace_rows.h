// The packed rows of a binary trace (protocol/trace.fbs). Times and durations are trace
// microseconds. Private to the codec of chunks.
#pragma once

#include <cstdint>

namespace tracebed::trace {

struct JobRow {
  std::int64_t submit = 0;
  std::int64_t requested_time = 0;
  std::int64_t user = 0;   // the number of its name in the file
  std::int64_t queue = 0;  // likewise
  std::int64_t priority = 0;
  std::int64_t kind = 0;  // tracebed::JobKind
  std::int64_t stages = 0;
  std::int64_t name_bytes = 0;
};

// Of a job that has a deadline.
struct DeadlineRow {
  std::int64_t job = 0;       // its position in the chunk; ascending
  std::int64_t deadline = 0;  // after its submission
};

struct StageRow {
  std::int64_t kind = 0;  // tracebed::StageKind
  std::int64_t milli_vcores = 0;
  std::int64_t memory_mib = 0;
  std::int64_t amounts = 0;
  std::int64_t runs = 0;
  std::int64_t input_path_bytes = 0;
};

struct AmountRow {
  std::int64_t dimension = 0;
  std::int64_t amount = 0;
};

struct TaskRunRow {
  std::int64_t count = 0;
  std::int64_t duration = 0;
  std::int64_t cpu_time = 0;
  std::int64_t memory_mib = 0;
  std::int64_t input_bytes = 0;
  std::int64_t shuffle_bytes = 0;
  std::int64_t output_bytes = 0;
};

struct MachineRow {
  std::int64_t milli_vcores = 0;
  std::int64_t memory_mib = 0;
  std::int64_t amounts = 0;
  std::int64_t labels = 0;
  std::int64_t name_bytes = 0;
  std::int64_t rack_bytes = 0;
};

struct ChangeRow {
  std::int64_t at = 0;
  std::int64_t machine = 0;
  std::int64_t up = 0;
};

inline constexpr const char* origin_identifier = "TBTO";
inline constexpr const char* machines_identifier = "TBTM";
inline constexpr const char* jobs_identifier = "TBTJ";

}  // namespace tracebed::trace
