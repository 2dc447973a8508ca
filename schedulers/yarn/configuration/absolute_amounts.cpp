#include "schedulers/yarn/configuration/absolute_amounts.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tracebed {
namespace {

// Elements of an allocation file whose amounts may be percentages, and those of Hadoop 1's pools
// file that are slots.
constexpr std::array<std::string_view, 9> amount_elements{"minResources",
                                                          "maxResources",
                                                          "maxChildResources",
                                                          "maxContainerAllocation",
                                                          "queueMaxResourcesDefault",
                                                          "minMaps",
                                                          "minReduces",
                                                          "maxMaps",
                                                          "maxReduces"};

// True if a part of a list of amounts, of those between commas, has a number that is not 0, no
// percentage and no weight.
bool has_absolute_part(std::string_view amounts) {
  while (!amounts.empty()) {
    const std::string_view part = amounts.substr(0, amounts.find(','));
    amounts.remove_prefix(std::min(part.size() + 1, amounts.size()));
    if (part.find_first_of("123456789") == std::string_view::npos) continue;
    const bool is_weight = part.find_last_of('w') > part.find('=') &&
                           part.find_last_not_of("] ") == part.find_last_of('w');
    if (part.find('%') == std::string_view::npos && !is_weight) return true;
  }
  return false;
}

void add_of_allocations(const XmlElement& element, std::vector<std::string>& places) {
  const bool is_amount = std::find(amount_elements.begin(), amount_elements.end(), element.name) !=
                         amount_elements.end();
  if (is_amount && has_absolute_part(element.text)) places.push_back(place_of(element));
  for (const XmlElement& child : element.children) add_of_allocations(child, places);
}

// In a capacity-scheduler.xml an absolute amount is a list in brackets: "[memory=4096,vcores=4]".
bool is_absolute(std::string_view value) {
  return value.find('[') != std::string_view::npos && has_absolute_part(value);
}

}  // namespace

std::vector<std::string> absolute_amounts(const XmlElement& root) {
  std::vector<std::string> places;
  if (root.name == "allocations") {
    add_of_allocations(root, places);
    return places;
  }
  for (const XmlElement& property : root.children) {
    const XmlElement* name = property.child("name");
    const XmlElement* value = property.child("value");
    if (name == nullptr || value == nullptr || !is_absolute(value->text)) continue;
    places.push_back(value->where + ": " + name->text);
  }
  return places;
}

}  // namespace tracebed
