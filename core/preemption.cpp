#include "core/preemption.h"

#include "core/unknown_constant.h"

namespace tracebed {

std::string_view name(PreemptionKind kind) {
  switch (kind) {
    case PreemptionKind::negotiable:
      return "negotiable";
    case PreemptionKind::strict:
      return "strict";
  }
  unknown_constant();
}

std::string_view name(PreemptionPurpose purpose) {
  switch (purpose) {
    case PreemptionPurpose::balance:
      return "balance";
    case PreemptionPurpose::relocate:
      return "relocate";
    case PreemptionPurpose::move:
      return "move";
    case PreemptionPurpose::drain:
      return "drain";
  }
  unknown_constant();
}

std::string_view name(PreemptionEnd end) {
  switch (end) {
    case PreemptionEnd::given_up:
      return "given_up";
    case PreemptionEnd::checkpointed:
      return "checkpointed";
    case PreemptionEnd::substituted:
      return "substituted";
    case PreemptionEnd::forced:
      return "forced";
    case PreemptionEnd::cancelled:
      return "cancelled";
    case PreemptionEnd::lost:
      return "lost";
  }
  unknown_constant();
}

}  // namespace tracebed
