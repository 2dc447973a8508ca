// A condition that a node must meet to be a candidate for a unit.
#pragma once

#include <string_view>

#include "schedulers/weighted/rules/unit_request.h"

namespace tracebed {

struct Predicate {
  std::string_view name;
  std::string_view meaning;  // what a node must be, without a subject: "has room for the unit"
  bool (*holds)(const UnitRequest&, const CandidateNode&);
  bool counts_application = false;  // it reads CandidateNode::of_application
  bool counts_user = false;         // of_user; then both are counted
  bool reads_reports = false;       // CandidateNode::report, or the time
};

}  // namespace tracebed
