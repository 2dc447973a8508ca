#include "core/resources.h"

#include "core/check.h"

namespace tracebed {

ResourceDimensions::ResourceDimensions(std::vector<std::string> extra) : ResourceDimensions() {
  for (std::string& name : extra) {
    TRACEBED_CHECK(find(name) == size(), "resource dimensions have distinct names");
    names_.push_back(std::move(name));
  }
  TRACEBED_CHECK(size() <= Resources::dimensions_max,
                 "there are at most eight resource dimensions");
}

std::size_t ResourceDimensions::find(std::string_view name) const {
  return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
}

}  // namespace tracebed
