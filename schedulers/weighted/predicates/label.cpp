// MatchNodeSelector. An ask without a label may go anywhere.
#include <algorithm>
#include <string>
#include <vector>

#include "schedulers/weighted/predicates/predicates.h"

namespace tracebed {

const Predicate label_predicate{
    "label", "has the label that the ask is confined to",
    [](const UnitRequest& request, const CandidateNode& candidate) {
      if (!request.ask.label.is_valid()) return true;
      if (request.names == nullptr) return false;
      const std::vector<std::string>& labels = candidate.node.labels;
      const std::string& wanted = request.names->labels.name(request.ask.label);
      return std::find(labels.begin(), labels.end(), wanted) != labels.end();
    }};

}  // namespace tracebed
