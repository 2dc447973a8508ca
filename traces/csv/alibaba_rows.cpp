#include "traces/csv/alibaba_rows.h"

#include <algorithm>
#include <cstring>

namespace tracebed {
namespace {

// A row in few bytes, since all rows of a table are in memory before the first job is. Numbers have
// the ranges that the reader checks.
struct PackedRow {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t memory = 0;
  std::int32_t cpu = 0;
  std::uint32_t instances = 0;
  std::uint32_t name_bytes = 0;
  AlibabaStatus status = AlibabaStatus::ready;
  bool is_instance = false;
};

template <class Plain>
void append_plain(const Plain& plain, std::string& to) {
  to.append(reinterpret_cast<const char*>(&plain), sizeof(plain));
}

void append_text(std::string_view text, std::string& to) {
  append_plain(static_cast<std::uint32_t>(text.size()), to);
  to.append(text);
}

template <class Plain>
Plain take_plain(std::string_view& from) {
  Plain plain;
  std::memcpy(&plain, from.data(), sizeof(plain));
  from.remove_prefix(sizeof(plain));
  return plain;
}

std::string_view take_text(std::string_view& from) {
  const auto size = take_plain<std::uint32_t>(from);
  const std::string_view text = from.substr(0, size);
  from.remove_prefix(size);
  return text;
}

}  // namespace

void begin_rows(std::int64_t line, std::string_view job, std::string& record) {
  record.clear();
  append_plain(line, record);
  append_text(job, record);
}

void append_row(const AlibabaRow& row, std::string& record) {
  const AlibabaTask& task = row.task;
  const PackedRow packed{task.start,
                         task.end,
                         task.memory,
                         static_cast<std::int32_t>(task.cpu),
                         static_cast<std::uint32_t>(task.instances),
                         static_cast<std::uint32_t>(row.name.size()),
                         task.status,
                         false};
  append_plain(packed, record);
  record.append(row.name);
}

void append_row(const AlibabaInstance& instance, std::string& record) {
  const PackedRow packed{instance.start,
                         instance.end,
                         instance.memory,
                         static_cast<std::int32_t>(instance.cpu),
                         1,
                         static_cast<std::uint32_t>(instance.task.size()),
                         AlibabaStatus::terminated,
                         true};
  append_plain(packed, record);
  record.append(instance.task);
}

AlibabaRows read_rows(std::string_view record) {
  AlibabaRows of_job;
  of_job.line = take_plain<std::int64_t>(record);
  of_job.job = take_text(record);
  of_job.rows = record;
  return of_job;
}

void append_rows(const AlibabaRows& of_job, std::vector<AlibabaRow>& tasks,
                 std::vector<AlibabaInstance>& instances) {
  for (std::string_view rest = of_job.rows; !rest.empty();) {
    const auto packed = take_plain<PackedRow>(rest);
    const std::string_view name = rest.substr(0, packed.name_bytes);
    if (packed.is_instance) {
      instances.push_back({name, packed.start, packed.end, packed.cpu, packed.memory});
    } else {
      tasks.push_back(
          {{packed.instances, packed.start, packed.end, packed.cpu, packed.memory, packed.status},
           name});
    }
    rest.remove_prefix(packed.name_bytes);
  }
}

std::int64_t first_start(const std::vector<AlibabaRow>& rows) {
  std::optional<std::int64_t> start;
  for (const AlibabaRow& row : rows) {
    if (row.task.has_begun()) start = std::min(start.value_or(row.task.start), row.task.start);
  }
  return start.value_or(0);
}

}  // namespace tracebed
