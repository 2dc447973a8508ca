// The queues of a scheduler as the page of YARN's ResourceManager shows them: figures under their
// labels, as text. Of a run the page is kept as it stood when the most of the cluster was in use.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/resources.h"
#include "core/scheduler_view.h"
#include "core/time.h"

namespace tracebed {

struct QueuePageFigure {
  std::string_view id;     // as the scheduler's view has it
  std::string_view label;  // as the page, and so a run's record, has it
};

// What the page shows of a leaf queue, in its order (CapacitySchedulerPage of Hadoop 2.0). Of a
// parent it shows those that are not about applications and users.
inline constexpr std::array<QueuePageFigure, 16> queue_page_figures{{
    {"queue_state", "Queue State"},
    {"used_capacity", "Used Capacity"},
    {"absolute_capacity", "Absolute Capacity"},
    {"absolute_maximum_capacity", "Absolute Max Capacity"},
    {"used_resources", "Used Resources"},
    {"active_applications", "Num Active Applications"},
    {"pending_applications", "Num Pending Applications"},
    {"containers", "Num Containers"},
    {"maximum_applications", "Max Applications"},
    {"maximum_applications_of_user", "Max Applications Per User"},
    {"maximum_active_applications", "Max Active Applications"},
    {"maximum_active_applications_of_user", "Max Active Applications Per User"},
    {"capacity", "Configured Capacity"},
    {"maximum_capacity", "Configured Max Capacity"},
    {"minimum_user_limit", "Configured Minimum User Limit Percent"},
    {"user_limit_factor", "Configured User Limit Factor"},
}};

struct ShownQueue {
  std::string path;
  bool is_leaf = false;
  double used_share = 0;  // of the cluster, in the dimension of which it uses most
  std::vector<std::pair<std::string, std::string>> figures;

  bool operator==(const ShownQueue&) const = default;
};

struct QueuePage {
  TraceTime at{};
  double used_share = 0;           // of the cluster, in the dimension of which most was in use
  std::size_t queues_in_all = 0;   // `queues` may be fewer
  std::vector<ShownQueue> queues;  // a parent before its children, siblings by name

  bool operator==(const QueuePage&) const = default;
};

// Label and text of each. Of a queue with a state, as Capacity's have, the ResourceManager's
// figures alone; of another scheduler's all that have a label. `dimensions` are those of the run.
std::vector<std::pair<std::string, std::string>> page_figures(const ExplainedQueue& queue,
                                                              const ResourceDimensions& dimensions);

// Whether the page is the ResourceManager's: a leaf has its sixteen figures.
bool is_resource_managers(const QueuePage& page);

// At most the given number of queues, those that use most, in their order.
std::vector<ShownQueue> most_used(std::vector<ShownQueue> queues, std::size_t count_max);

// Keeps the page of the look at which the most was in use; of several such looks, the one that
// found the most applications, and of those the first.
class BusiestQueuePage {
 public:
  static constexpr std::size_t queues_max = 1'000;

  // `dimensions` are those of the run.
  explicit BusiestQueuePage(ResourceDimensions dimensions) : dimensions_(std::move(dimensions)) {}

  // Of a view without queues nothing is kept.
  void look(TraceTime at, const Resources& capacity, const Resources& free,
            const SchedulerView& view);
  const QueuePage& page() const { return page_; }

 private:
  ResourceDimensions dimensions_;
  QueuePage page_;
  std::size_t applications_ = 0;  // that the kept look found
};

}  // namespace tracebed
