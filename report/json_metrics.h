// A run's figures as JSON, in its record and in every report.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "core/resources.h"
#include "report/json_fields.h"
#include "report/metrics.h"

namespace tracebed {

template <class Fields, class Figures>
void attempt_fields(Fields& fields, Figures& figures) {
  fields("launched", figures.launched);
  fields("lost", figures.lost);
  fields("unlaunched", figures.unlaunched);
  fields.object("ends", [&](auto& f) {
    for (std::size_t i = 0; i < container_end_count; ++i) {
      f(std::string(name(static_cast<ContainerEnd>(i))).c_str(), figures.ends[i]);
    }
  });
  fields.object("localities", [&](auto& f) {
    for (std::size_t i = 0; i < locality_count; ++i) {
      f(std::string(name(static_cast<Locality>(i))).c_str(), figures.localities[i]);
    }
  });
  spread_fields(fields, "launch_latency_seconds", figures.launch_latency);
  spread_fields(fields, "heartbeat_delay_seconds", figures.heartbeat_delay);
  spread_fields(fields, "contention_seconds", figures.contention);
}

void write_metrics(JsonOutput& fields, const RunMetrics& metrics,
                   const ResourceDimensions& dimensions);

}  // namespace tracebed
