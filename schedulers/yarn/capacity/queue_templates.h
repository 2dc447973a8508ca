// The properties of queues that applications create: their own ones, and what templates state for
// them (scheduler.capacity.AutoCreatedQueueTemplate, Hadoop 3.4). Of
//   PARENT.auto-queue-creation-v2.leaf-template.KEY    or parent-template, for created parents
//   PARENT.auto-queue-creation-v2.template.KEY         for both
// the first counts before the second, and the queue's own property before either. In place of
// PARENT may stand a path whose last parts are "*": as many as maximum-queue-depth of PARENT, but
// never the root; the fewer, the earlier it counts.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "schedulers/yarn/capacity/capacity_configuration.h"

namespace tracebed {

class QueueTemplates {
 public:
  QueueTemplates() = default;
  explicit QueueTemplates(const HadoopProperties& file);

  struct Properties {
    HadoopProperties properties;  // under the queue's name, and those of all queues
    // By the former's names, those of the templates that they are from.
    std::map<std::string, std::string, std::less<>> of_templates;
  };
  // Of a queue that is created with this path.
  Properties properties_of(const std::string& path, bool is_leaf) const;

 private:
  using Stated = std::map<std::string, std::string>;  // template's name by key
  void collect(const std::string& path, std::string_view form, Stated& stated) const;
  std::size_t wildcards_of(const std::string& parent) const;

  // With each ${NAME} replaced.
  HadoopProperties of_all_;     // queues
  HadoopProperties of_queues_;  // below the root, and the root's
};

// Whether the property states something for queues that are created.
bool is_of_template(std::string_view name);

// Tells properties of queues that may be created later by their names.
class NamesOfCreatedQueues {
 public:
  explicit NamesOfCreatedQueues(const CapacityConfiguration& configuration);
  // Whether the property may be one of such a queue.
  bool contain(std::string_view property) const;
  bool is_in_file(std::string_view path) const { return paths_.contains(path); }

 private:
  std::set<std::string, std::less<>> paths_;     // of all queues
  std::set<std::string, std::less<>> creating_;  // of those below which queues are created
};

// Between the path of a queue that manages others and the properties of these.
inline constexpr const char* managed_template_key = ".leaf-queue-template";
// A property of such a template as one of a queue; others as they are.
std::string in_managed_template(const std::string& name,
                                const CapacityConfiguration& configuration);

// How a file is read.
struct FileReading {
  const HadoopProperties& properties;
  const ResourceDimensions& dimensions;
  YarnGeneration generation;
};

// Reads what each template makes. Fails as reading a queue does; adds to the review what is not
// obeyed, and templates of queues below which none are created.
Status review_templates(const FileReading& file, const CapacityConfiguration& configuration,
                        PropertyReview& review);

}  // namespace tracebed
