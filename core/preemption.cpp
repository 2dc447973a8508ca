#include "core/preemption.h"

#include "core/check.h"

namespace tracebed {
namespace {
[[noreturn]] void unknown() {
  invariant_failed("a known constant", __FILE__, __LINE__,
                   "an enumeration holds one of its constants");
}
}  // namespace

std::string_view name(PreemptionKind kind) {
  switch (kind) {
    case PreemptionKind::negotiable:
      return "negotiable";
    case PreemptionKind::strict:
      return "strict";
  }
  unknown();
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
  unknown();
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
  unknown();
}

}  // namespace tracebed
