#include "agents/task/work_spec.h"

#include <array>
#include <charconv>
#include <limits>
#include <string_view>

namespace tracebed {
namespace {

struct Field {
  std::string_view name;
  std::int64_t WorkSpec::*value;
  std::int64_t least;
  std::int64_t most;
};

constexpr std::array<Field, 9> fields = {{
    {"duration_us", &WorkSpec::duration_us, 0, work_duration_us_max},
    {"cpu_time_us", &WorkSpec::cpu_time_us, 0, work_duration_us_max},
    {"threads", &WorkSpec::threads, 1, work_threads_max},
    {"memory_mib", &WorkSpec::memory_mib, 0, work_memory_mib_max},
    {"held", &WorkSpec::held, 0, 1},
    {"ignores_checkpoint", &WorkSpec::ignores_checkpoint, 0, 1},
    {"container", &WorkSpec::container, 0, std::numeric_limits<std::uint32_t>::max()},
    {"exhausts_heap", &WorkSpec::exhausts_heap, 0, 1},
    {"virtual_memory_mib", &WorkSpec::virtual_memory_mib, 0, work_memory_mib_max},
}};
constexpr std::string_view kind = "profile";

Error expected(const Field& field, std::string_view got) {
  return Error{"expected " + std::string(field.name) + "=NUMBER from " +
               std::to_string(field.least) + " to " + std::to_string(field.most) + ", got '" +
               std::string(got) + "'"};
}

}  // namespace

Status check(const WorkSpec& spec) {
  for (const Field& field : fields) {
    const std::int64_t value = spec.*field.value;
    if (value < field.least || value > field.most) return expected(field, std::to_string(value));
  }
  return success();
}

std::vector<std::string> to_arguments(const WorkSpec& spec) {
  std::vector<std::string> words = {"tracebed-task", std::string(kind)};
  for (const Field& field : fields) {
    words.push_back(std::string(field.name) + '=' + std::to_string(spec.*field.value));
  }
  return words;
}

Result<WorkSpec> parse_arguments(std::span<char* const> words) {
  if (words.size() != 1 + fields.size()) {
    return Error{"expected the kind and " + std::to_string(fields.size()) + " figures, got " +
                 std::to_string(words.size()) + " words"};
  }
  if (words.front() != kind) {
    return Error{"expected the kind 'profile', got '" + std::string(words.front()) + "'"};
  }
  WorkSpec spec;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Field& field = fields[i];
    const std::string_view word = words[i + 1];
    if (!word.starts_with(field.name) || word.substr(field.name.size(), 1) != "=") {
      return expected(field, word);
    }
    const char* const end = word.data() + word.size();
    const char* const begin = word.data() + field.name.size() + 1;
    const auto result = std::from_chars(begin, end, spec.*field.value);
    if (result.ec != std::errc{} || result.ptr != end) return expected(field, word);
  }
  if (Status status = check(spec); !status) return status.error();
  return spec;
}

}  // namespace tracebed
