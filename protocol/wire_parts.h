// What several messages have in them, as the wire codec writes it. protocol/wire_reader.h reads it.
// Private to the wire codec.
#pragma once

#include <array>
#include <cstdint>
#include <flatbuffers/flatbuffers.h>
#include <optional>
#include <string>

#include "core/check.h"
#include "core/datanode_orders.h"
#include "core/resources.h"
#include "core/shuffle.h"
#include "core/task_work.h"
#include "wire_generated.h"

namespace tracebed::wire {

inline fb::Amounts amounts(const Resources& resources) {
  std::array<std::int64_t, Resources::dimensions_max> values;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = resources[i];
  return fb::Amounts(flatbuffers::span<const std::int64_t, values.size()>(values));
}

inline flatbuffers::Offset<fb::TaskWork> task_work(flatbuffers::FlatBufferBuilder& builder,
                                                   const TaskWork& work) {
  const TaskWorkNumbers numbers = to_numbers(work);
  return fb::CreateTaskWork(builder, builder.CreateVector(numbers.data(), numbers.size()));
}

inline auto rates_table(flatbuffers::FlatBufferBuilder& builder, const SetDatanodeRates& rates) {
  const auto number = [](std::optional<std::uint64_t> rate) {
    return rate ? static_cast<std::int64_t>(*rate) : -1;
  };
  return fb::CreateSetDatanodeRates(builder, number(rates.disk_bytes_per_second),
                                    number(rates.network_bytes_per_second),
                                    rates.seek_latency.count());
}

inline auto shuffle_key_column(flatbuffers::FlatBufferBuilder& builder, const std::string& key) {
  TRACEBED_CHECK(key.empty() || key.size() == shuffle_key_bytes,
                 "a shuffle has a whole key or none");
  return builder.CreateVector(reinterpret_cast<const std::uint8_t*>(key.data()), key.size());
}

}  // namespace tracebed::wire
