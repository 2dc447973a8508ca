// Reads the fields of a message that is not trusted. Private to the wire codec.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/shuffle.h"
#include "core/task_account.h"
#include "protocol/vector_alignment.h"
#include "protocol/wire_messages.h"
#include "wire_generated.h"

namespace tracebed::wire {

// Reads fields and remembers the first one that breaks its bounds, so that the code of each message
// is the list of its fields. After a failure values are harmless placeholders and never used.
class Reader {
 public:
  bool ok() const { return problem_.empty(); }
  const std::string& problem() const { return problem_; }

  void require(bool condition, std::string_view field) {
    if (!condition && ok()) problem_ = std::string(field) + " is out of its bounds";
  }

  std::string name(const flatbuffers::String* string, std::string_view field) {
    return bounded(string, name_bytes_max, field);
  }
  std::string path(const flatbuffers::String* string, std::string_view field) {
    return bounded(string, path_bytes_max, field);
  }
  std::string text(const flatbuffers::String* string, std::string_view field) {
    return bounded(string, text_bytes_max, field);
  }
  // A value of an environment; none or a null pointer: empty.
  std::string devices(const flatbuffers::String* string) {
    if (string == nullptr) return {};
    std::string text = bounded(string, device_text_bytes_max, "devices");
    require(text.find('\0') == std::string::npos, "devices");
    return text;
  }
  std::int64_t amount(std::int64_t value, std::string_view field) {
    require(value >= 0 && value <= amount_max, field);
    return value;
  }
  TaskAccount account(const flatbuffers::Array<std::int64_t, task_account_fields.size()>& list,
                      std::string_view field) {
    TaskAccountNumbers numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = amount(list.Get(static_cast<flatbuffers::uoffset_t>(i)), field);
    }
    return to_task_account(numbers);
  }
  // None or a whole one.
  std::string shuffle_key(const flatbuffers::Vector<std::uint8_t>& bytes) {
    require(bytes.size() == 0 || bytes.size() == shuffle_key_bytes, "shuffle_key");
    return {bytes.begin(), bytes.end()};
  }
  SetDatanodeRates rates(const fb::SetDatanodeRates& rates) {
    const std::int64_t seek_us = rates.seek_latency_us();
    constexpr auto seek_max = std::chrono::floor<std::chrono::microseconds>(duration_max);
    require(seek_us >= 0 && seek_us <= seek_max.count(), "rates.seek_latency");
    return {rate(rates.disk(), "rates.disk"), rate(rates.network(), "rates.network"),
            std::chrono::microseconds(seek_us)};
  }
  WallDuration duration(std::int64_t nanoseconds, std::string_view field) {
    require(nanoseconds >= 0 && nanoseconds <= duration_max.count(), field);
    return WallDuration(nanoseconds);
  }
  WallTime time(std::int64_t nanoseconds, std::string_view field) {
    require(nanoseconds >= 0, field);
    return WallTime(WallDuration(nanoseconds));
  }
  Duration trace_duration(std::int64_t microseconds_long, std::string_view field) {
    return Duration(amount(microseconds_long, field));
  }
  template <class IdType>
  IdType id(std::uint32_t value, std::string_view field) {
    const IdType result(value);
    require(result.is_valid(), field);
    return result;
  }
  std::uint32_t positive(std::uint32_t value, std::string_view field) {
    require(value > 0, field);
    return value;
  }
  ContainerId container(std::uint32_t value) {
    const ContainerId id(value);
    require(id.is_valid(), "container");
    return id;
  }
  ContainerEnd container_end(std::uint8_t value, std::string_view field) {
    require(value < container_end_count, field);
    return ok() ? static_cast<ContainerEnd>(value) : ContainerEnd::failed;
  }
  // How much of its work a container that ended in this way kept, in millionths.
  std::uint32_t progress(std::uint32_t value, ContainerEnd end, std::string_view field) {
    require(value <= (end == ContainerEnd::checkpointed ? whole_work : 0), field);
    return value;
  }
  Resources resources(const fb::Amounts& amounts, std::string_view field) {
    Resources result;
    for (std::size_t i = 0; i < Resources::dimensions_max; ++i) {
      const std::int64_t value =
          amount(amounts.values()->Get(static_cast<flatbuffers::uoffset_t>(i)), field);
      // A dimension that was never written stays cheap (core/resources.h).
      if (value != 0) result[i] = value;
    }
    return result;
  }
  TaskWork task_work(const fb::TaskWork& table) {
    const auto* const numbers = table.numbers();
    if (!list(numbers, task_work_fields.size(), "work")) return {};
    Result<TaskWork> work = to_task_work({numbers->data(), numbers->size()});
    if (work) return *work;
    if (ok()) problem_ = work.error().message;
    return {};
  }
  template <class Vector>
  bool list(const Vector* vector, std::size_t size_max, std::string_view field) {
    require(vector->size() <= size_max && has_aligned_elements(*vector), field);
    return ok();
  }

 private:
  // Of bytes a second; -1: unlimited.
  std::optional<std::uint64_t> rate(std::int64_t value, std::string_view field) {
    require(value == -1 || (value > 0 && value <= amount_max), field);
    if (value == -1) return std::nullopt;
    return static_cast<std::uint64_t>(value);
  }
  std::string bounded(const flatbuffers::String* string, std::size_t size_max,
                      std::string_view field) {
    require(string->size() <= size_max, field);
    return ok() ? string->str() : std::string();
  }

  std::string problem_;
};

}  // namespace tracebed::wire
