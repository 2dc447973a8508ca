#include "applications/map_reduce/java_heap.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "core/shuffle_work.h"

namespace tracebed {
namespace {

constexpr std::string_view option = "-Xmx";
constexpr std::string_view blanks = " \t\r\n";

// Of the letter behind the number, in bytes; 0 if there is no such unit.
std::int64_t unit_of(std::string_view letter) {
  if (letter.empty()) return 1;
  if (letter == "k" || letter == "K") return std::int64_t{1} << 10;
  if (letter == "m" || letter == "M") return std::int64_t{1} << 20;
  if (letter == "g" || letter == "G") return std::int64_t{1} << 30;
  return 0;
}

}  // namespace

Result<std::optional<std::int64_t>> maximum_heap_mib(std::string_view java_options) {
  std::optional<std::int64_t> heap;
  std::size_t begin = java_options.find_first_not_of(blanks);
  while (begin != std::string_view::npos) {
    const std::size_t end =
        std::min(java_options.find_first_of(blanks, begin), java_options.size());
    const std::string_view word = java_options.substr(begin, end - begin);
    begin = java_options.find_first_not_of(blanks, end);
    if (!word.starts_with(option)) continue;
    const std::string_view size = word.substr(option.size());
    std::int64_t number = 0;
    const char* const last = size.data() + size.size();
    const auto [rest, failure] = std::from_chars(size.data(), last, number);
    const std::int64_t unit = unit_of({rest, static_cast<std::size_t>(last - rest)});
    constexpr std::int64_t bytes_max = std::int64_t{1} << 50;
    constexpr std::int64_t mib = std::int64_t{1} << 20;
    const bool is_sound = failure == std::errc() && unit > 0 && number > 0 &&
                          number <= bytes_max / unit && number * unit >= mib;
    if (!is_sound) {
      return Error{"-Xmx with at least 1m: a whole number with k, m, g or nothing behind it"};
    }
    heap = number * unit / mib;
  }
  return heap;
}

std::int64_t heap_of_memory(std::int64_t memory_mib, float ratio) {
  return static_cast<std::int64_t>(std::ceil(static_cast<float>(memory_mib) * ratio));
}

std::int64_t memory_for_heap(std::int64_t heap_mib, float ratio) {
  return static_cast<std::int64_t>(std::ceil(static_cast<float>(heap_mib) / ratio));
}

std::int64_t memory_within_heap(std::int64_t heap_mib, float ratio) {
  std::int64_t memory = memory_for_heap(heap_mib, ratio);
  while (heap_of_memory(memory, ratio) > heap_mib) --memory;
  return memory;
}

void cut_to_heap(const HeapRule& rule, TaskWork& work) {
  const std::int64_t needed = heap_of_memory(work.memory_mib, rule.share);
  if (rule.heap_mib <= 0 || needed <= rule.heap_mib) return;
  work.memory_mib = memory_within_heap(rule.heap_mib, rule.share);
  work.exhausts_heap = !rule.spills;
  if (!rule.spills) return;
  const double times_more = static_cast<double>((needed - 1) / rule.heap_mib);
  const double moved = static_cast<double>(work.input_bytes) +
                       static_cast<double>(work.shuffle_bytes) +
                       static_cast<double>(work.output_bytes);
  // What is spilled is moved twice: written, and read again.
  const double spilled = std::ceil(times_more * moved / 2);
  constexpr auto most = static_cast<double>(task_amount_max);
  spill_besides(work, static_cast<std::int64_t>(std::min(spilled, most)));
}

}  // namespace tracebed
