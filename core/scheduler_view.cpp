#include "core/scheduler_view.h"

#include "core/check.h"

namespace tracebed {

std::string_view name(WaitingFor reason) {
  switch (reason) {
    case WaitingFor::acceptance:
      return "acceptance";
    case WaitingFor::its_turn:
      return "its_turn";
    case WaitingFor::queue_room:
      return "queue_room";
    case WaitingFor::user_limit:
      return "user_limit";
    case WaitingFor::master_limit:
      return "master_limit";
    case WaitingFor::running_limit:
      return "running_limit";
    case WaitingFor::locality:
      return "locality";
    case WaitingFor::reservation:
      return "reservation";
    case WaitingFor::label:
      return "label";
    case WaitingFor::deadline:
      return "deadline";
    case WaitingFor::budget:
      return "budget";
    case WaitingFor::room:
      return "room";
    case WaitingFor::larger_machines:
      return "larger_machines";
  }
  TRACEBED_CHECK(false, "a reason is one of its constants");
  return {};
}

}  // namespace tracebed
