// The timeouts of masters in containers that are running (YARN's AMLivelinessMonitor,
// ContainerAllocationExpirer and AMFinishingMonitor). None if masters need no containers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "coordinator/engine/step_context.h"
#include "core/event_heap.h"
#include "core/ids.h"
#include "core/master_calls.h"
#include "core/time.h"

namespace tracebed {

class MasterTimeouts {
 public:
  enum class Kind : std::uint8_t {
    master,      // has not called
    allocation,  // a container in which nothing was launched
    departure,   // a master's container that should have ended by itself
  };
  struct Timeout {
    Kind kind = Kind::master;
    ApplicationId application;
    ContainerId container;
  };

  // `context` outlives this.
  MasterTimeouts(const std::optional<MasterContainerOptions>& options, const StepContext& context)
      : options_(options), context_(context) {}

  void allocated(ApplicationId id, ContainerId first, std::size_t containers) {
    if (!options_) return;
    for (std::size_t i = 0; i < containers; ++i) {
      timeouts_.push(context_.now() + options_->allocation_expiry,
                     {Kind::allocation, id, first + i});
    }
  }
  void master_launched(ApplicationId id, ContainerId container, TraceTime expires_at) {
    timeouts_.push(expires_at, {Kind::master, id, container});
  }
  void master_unregistered(ApplicationId id, ContainerId container) {
    timeouts_.push(context_.now() + options_->expiry, {Kind::departure, id, container});
  }

  // `never` without one.
  TraceTime next_time() const { return timeouts_.next_time(); }
  // Takes the next one that has expired.
  std::optional<Timeout> take_due() {
    if (timeouts_.next_time() > context_.now()) return std::nullopt;
    return timeouts_.pop();
  }

 private:
  std::optional<MasterContainerOptions> options_;
  const StepContext& context_;
  EventHeap<Timeout> timeouts_;
};

}  // namespace tracebed
