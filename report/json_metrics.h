// A run's figures as JSON, in its record and in every report.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "core/resources.h"
#include "report/json_fields.h"
#include "report/metrics.h"

namespace tracebed {

template <class Fields, class Counts>
void preemption_count_fields(Fields& fields, Counts& counts) {
  fields("asked", counts.asked);
  fields("in_time", counts.in_time);
  fields("checkpointed", counts.checkpointed);
  fields("substituted", counts.substituted);
  fields("forced", counts.forced);
  fields("cancelled", counts.cancelled);
  fields("lost", counts.lost);
  fields("lost_vcore_seconds", counts.lost_vcore_seconds);
  fields("lost_mib_seconds", counts.lost_mib_seconds);
  fields("saved_vcore_seconds", counts.saved_vcore_seconds);
  fields("saved_mib_seconds", counts.saved_mib_seconds);
}

// Only for runs with preemption requests.
template <class Fields, class Figures>
void preemption_fields(Fields& fields, Figures& figures) {
  if constexpr (requires { fields.has("preemption"); }) {
    if (!fields.has("preemption")) return;
  } else {
    if (figures == PreemptionFigures()) return;
  }
  fields.object("preemption", [&](auto& f) {
    preemption_count_fields(f, figures.all);
    f.list("queues", figures.queues, [](auto& g, auto& queue) {
      g("queue", queue.queue);
      preemption_count_fields(g, queue.counts);
    });
  });
}

// Only for runs with storage in which something was read so.
template <class Fields, class Bytes>
void read_fields(Fields& fields, const char* name, Bytes& read) {
  if constexpr (requires { fields.has(name); }) {
    if (!fields.has(name)) return;
  } else {
    if (read == ReadBytes()) return;
  }
  fields.object(name, [&](auto& f) {
    f("node_local", read.node_local);
    f("rack_local", read.rack_local);
    f("off_rack", read.off_rack);
  });
}

// Likewise, in which something was written.
template <class Fields, class Bytes>
void written_field(Fields& fields, const char* name, Bytes& written) {
  if constexpr (requires { fields.has(name); }) {
    if (!fields.has(name)) return;
  } else {
    if (written == 0) return;
  }
  fields(name, written);
}

// Only for runs in which containers had devices.
template <class Fields, class List>
void device_fields(Fields& fields, List& devices) {
  if constexpr (requires { fields.has("devices"); }) {
    if (!fields.has("devices")) return;
  } else {
    if (devices.empty()) return;
  }
  fields.list("devices", devices, [](auto& f, auto& used) {
    f("device", used.device);
    f("nodes", used.nodes);
    f("containers", used.containers);
    f("held_seconds", used.held_seconds);
  });
}

template <class Fields, class Figures>
void attempt_fields(Fields& fields, Figures& figures) {
  fields("launched", figures.launched);
  fields("lost", figures.lost);
  fields("unlaunched", figures.unlaunched);
  fields.object("ends", [&](auto& f) {
    for (std::size_t i = 0; i < container_end_count; ++i) {
      // Records from before preemption was supported lack some of them.
      if constexpr (requires { f.has(""); }) {
        if (!f.has(std::string(name(static_cast<ContainerEnd>(i))).c_str())) continue;
      }
      f(std::string(name(static_cast<ContainerEnd>(i))).c_str(), figures.ends[i]);
    }
  });
  fields.object("localities", [&](auto& f) {
    for (std::size_t i = 0; i < locality_count; ++i) {
      const std::string locality(name(static_cast<Locality>(i)));
      // Only where executors kept input in memory.
      if (static_cast<Locality>(i) == Locality::process) {
        if constexpr (requires { f.has(""); }) {
          if (!f.has(locality.c_str())) continue;
        } else {
          if (figures.localities[i] == 0) continue;
        }
      }
      f(locality.c_str(), figures.localities[i]);
    }
  });
  spread_fields(fields, "launch_latency_seconds", figures.launch_latency);
  spread_fields(fields, "heartbeat_delay_seconds", figures.heartbeat_delay);
  spread_fields(fields, "contention_seconds", figures.contention);
  preemption_fields(fields, figures.preemption);
  read_fields(fields, "input_bytes", figures.input);
  written_field(fields, "output_bytes", figures.output);
  read_fields(fields, "shuffle_bytes", figures.shuffled);
  written_field(fields, "spilled_bytes", figures.spilled);
  device_fields(fields, figures.devices);
  // Only for runs whose masters had containers.
  if constexpr (requires { fields.has("masters"); }) {
    if (!fields.has("masters")) return;
  } else {
    if (figures.masters == 0) return;
  }
  fields("masters", figures.masters);
  fields("masters_part_of_vcores", figures.masters_part_of_vcores);
  fields("masters_part_of_memory", figures.masters_part_of_memory);
  if constexpr (requires { fields.has(""); }) {
    if (!fields.has("master_startup_seconds")) return;  // of an earlier version
  }
  spread_fields(fields, "master_startup_seconds", figures.master_startup);
}

template <class Fields, class Figures>
void starvation_fields(Fields& fields, Figures& figures) {
  fields("seen_within_seconds", figures.seen_within_seconds);
  fields.list("queues", figures.queues, [](auto& f, auto& queue) {
    f("queue", queue.queue);
    spread_fields(f, "seconds", queue.seconds);
    f("total_seconds", queue.total);
    f("unended_seconds", queue.unended);
  });
}

void write_metrics(JsonOutput& fields, const RunMetrics& metrics,
                   const ResourceDimensions& dimensions);

}  // namespace tracebed
