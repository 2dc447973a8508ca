// A rule that gives a candidate from 0 to 10 points for a unit.
#pragma once

#include <string_view>

#include "schedulers/weighted/rules/score.h"
#include "schedulers/weighted/rules/unit_request.h"

namespace tracebed {

struct Priority {
  std::string_view name;
  std::string_view meaning;  // what is preferred: "nodes of which the least is used"
  Score (*score)(const UnitRequest&, const CandidateNode&);
  bool reads_input = false;         // UnitRequest::input
  bool counts_application = false;  // CandidateNode::of_application
  bool counts_user = false;         // of_user; then both are counted
  bool reads_reports = false;       // Node::report
};

}  // namespace tracebed
