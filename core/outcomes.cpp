#include "core/outcomes.h"

#include "core/unknown_constant.h"

namespace tracebed {

std::string_view name(ContainerEnd end) {
  switch (end) {
    case ContainerEnd::succeeded:
      return "succeeded";
    case ContainerEnd::failed:
      return "failed";
    case ContainerEnd::out_of_memory:
      return "out_of_memory";
    case ContainerEnd::launch_failed:
      return "launch_failed";
    case ContainerEnd::timed_out:
      return "timed_out";
    case ContainerEnd::killed:
      return "killed";
    case ContainerEnd::released:
      return "released";
    case ContainerEnd::node_lost:
      return "node_lost";
    case ContainerEnd::preempted:
      return "preempted";
    case ContainerEnd::checkpointed:
      return "checkpointed";
    case ContainerEnd::heap_exhausted:
      return "heap_exhausted";
    case ContainerEnd::virtual_memory_exceeded:
      return "virtual_memory_exceeded";
  }
  unknown_constant();
}

std::string_view name(JobOutcome outcome) {
  switch (outcome) {
    case JobOutcome::succeeded:
      return "succeeded";
    case JobOutcome::failed:
      return "failed";
    case JobOutcome::rejected:
      return "rejected";
    case JobOutcome::killed:
      return "killed";
  }
  unknown_constant();
}

std::string_view name(RunOutcome outcome) {
  switch (outcome) {
    case RunOutcome::complete:
      return "complete";
    case RunOutcome::unsuccessful:
      return "unsuccessful";
    case RunOutcome::cancelled:
      return "cancelled";
    case RunOutcome::stalled:
      return "stalled";
    case RunOutcome::failed:
      return "failed";
    case RunOutcome::log_ended:
      return "log_ended";
  }
  unknown_constant();
}

std::string_view name(Locality locality) {
  switch (locality) {
    case Locality::none_asked:
      return "none_asked";
    case Locality::node:
      return "node";
    case Locality::rack:
      return "rack";
    case Locality::off_switch:
      return "off_switch";
    case Locality::process:
      return "process";
  }
  unknown_constant();
}

std::string_view name(RefusalReason reason) {
  switch (reason) {
    case RefusalReason::unknown_application:
      return "unknown_application";
    case RefusalReason::already_answered:
      return "already_answered";
    case RefusalReason::unknown_ask:
      return "unknown_ask";
    case RefusalReason::ask_closed:
      return "ask_closed";
    case RefusalReason::gang_incomplete:
      return "gang_incomplete";
    case RefusalReason::node_not_alive:
      return "node_not_alive";
    case RefusalReason::does_not_fit:
      return "does_not_fit";
    case RefusalReason::place_not_allowed:
      return "place_not_allowed";
    case RefusalReason::unknown_container:
      return "unknown_container";
    case RefusalReason::invalid_wake_up:
      return "invalid_wake_up";
    case RefusalReason::not_requested:
      return "not_requested";
  }
  unknown_constant();
}

std::string_view name(Placeable placeable) {
  switch (placeable) {
    case Placeable::now:
      return "now";
    case Placeable::not_now:
      return "not_now";
    case Placeable::never_on_this_node:
      return "never_on_this_node";
    case Placeable::never_anywhere:
      return "never_anywhere";
  }
  unknown_constant();
}

}  // namespace tracebed
