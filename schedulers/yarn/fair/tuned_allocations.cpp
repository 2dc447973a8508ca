#include "schedulers/yarn/fair/tuned_allocations.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "schedulers/yarn/configuration/letter_case.h"
#include "schedulers/yarn/fair/fair_allocations.h"

namespace tracebed {
namespace {

constexpr std::string_view tuned_allocation = "maxAMShare";

std::int64_t millionths(float share) {
  return share < 0 ? -1 : std::llround(static_cast<double>(share) * 1'000'000);
}

std::string full_path(std::string_view name) {
  const bool is_full = name == "root" || name.starts_with("root.");
  return is_full ? std::string(name) : "root." + std::string(name);
}

Result<TunedQueue> find_allocation(const XmlElement& file, const ResourceDimensions& dimensions,
                                   std::string_view name) {
  Result<FairAllocations> allocations = read_fair_allocations(file, dimensions);
  // The file is the scheduler's, which took it: if not by Hadoop 3's rules, then by Hadoop 2's.
  if (!allocations) {
    allocations = read_fair_allocations(file, dimensions, {.nested_rules = NestedRules::pass});
  }
  if (!allocations) return allocations.error();
  std::vector<const FairQueue*> leaves;
  std::string paths;
  for (const FairQueue& queue : allocations->queues) {
    if (queue.is_parent) continue;
    leaves.push_back(&queue);
    paths += (paths.empty() ? "" : ", ") + queue.path;
  }
  if (name.empty()) {
    if (leaves.size() == 1) {
      return TunedQueue{leaves[0]->path, millionths(leaves[0]->application_master_share)};
    }
    return Error{file.where +
                 ": expected a file with one leaf queue, or the name of one; the "
                 "file has " +
                 (paths.empty() ? "none" : paths)};
  }
  const std::string path = full_path(name);
  const FairQueue* const queue = allocations->find(path);
  if (queue == nullptr) {
    return TunedQueue{path, millionths(allocations->application_master_share)};
  }
  if (queue->is_parent) {
    return Error{file.where + ": expected a leaf queue, got " + path +
                 ", which has queues below it"};
  }
  return TunedQueue{path, millionths(queue->application_master_share)};
}

bool is_queue(const XmlElement& element, std::string_view name) {
  if (element.name != "queue" && element.name != "pool") return false;
  const std::string* attribute = element.attribute("name");
  return attribute != nullptr && trimmed(*attribute) == name;
}

// The queue of this name right below the parent, which is added if it is missing.
XmlElement& queue_below(XmlElement& parent, std::string_view name) {
  const auto found = std::find_if(parent.children.begin(), parent.children.end(),
                                  [&](const XmlElement& one) { return is_queue(one, name); });
  if (found != parent.children.end()) return *found;
  XmlElement queue{"queue", parent.where, {{"name", std::string(name)}}, {}, {}};
  parent.children.push_back(std::move(queue));
  return parent.children.back();
}

XmlElement write_allocation(XmlElement file, std::string_view path, std::int64_t share) {
  // A file may leave out <queue name="root">.
  XmlElement* queue = &file;
  for (XmlElement& element : file.children) {
    const std::string* name = element.attribute("name");
    const bool is_root = (element.name == "queue" || element.name == "pool") && name != nullptr &&
                         equal_but_for_case(trimmed(*name), "root");
    if (is_root) queue = &element;
  }
  std::string_view rest = path.substr(std::string_view("root.").size());
  for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
    queue = &queue_below(*queue, rest.substr(0, dot));
    rest.remove_prefix(dot + 1);
  }
  queue = &queue_below(*queue, rest);
  // Of several, the last one is in force: all get the value.
  bool is_written = false;
  for (XmlElement& element : queue->children) {
    if (element.name != tuned_allocation) continue;
    element.text = share_text(share);
    is_written = true;
  }
  if (!is_written) {
    queue->children.push_back(
        {std::string(tuned_allocation), queue->where, {}, share_text(share), {}});
  }
  return file;
}

}  // namespace

TunedParameter fair_master_share() {
  return {tuned_allocation, "config", find_allocation, write_allocation};
}

}  // namespace tracebed
