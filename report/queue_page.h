// The queues of a scheduler as the page of YARN's ResourceManager shows them: figures under their
// names, as text. For a run the page is kept from the time when the most of the cluster was in use.
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

// What the page shows of a leaf queue, in its order (CapacitySchedulerPage of Hadoop 2.0). Of a
// parent it shows those that are not about applications and users.
inline constexpr std::array<std::string_view, 16> queue_page_names{
    "Queue State",
    "Used Capacity",
    "Absolute Capacity",
    "Absolute Max Capacity",
    "Used Resources",
    "Num Active Applications",
    "Num Pending Applications",
    "Num Containers",
    "Max Applications",
    "Max Applications Per User",
    "Max Active Applications",
    "Max Active Applications Per User",
    "Configured Capacity",
    "Configured Max Capacity",
    "Configured Minimum User Limit Percent",
    "Configured User Limit Factor"};

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

// For a queue with a state, as Capacity's have, only the ResourceManager's figures; for another
// scheduler's all that it reports.
std::vector<std::pair<std::string, std::string>> page_figures(const ExplainedQueue& queue);

// Whether the page is the ResourceManager's: a leaf has its sixteen figures.
bool is_resource_managers(const QueuePage& page);

// At most the given number of queues, those that use most, in their order.
std::vector<ShownQueue> most_used(std::vector<ShownQueue> queues, std::size_t count_max);

// Keeps the page of the look at which the most was in use; of several such looks, the one that
// found the most applications, and of those the first.
class BusiestQueuePage {
 public:
  static constexpr std::size_t queues_max = 1'000;

  // A view without queues is ignored.
  void look(TraceTime at, const Resources& capacity, const Resources& free,
            const SchedulerView& view);
  const QueuePage& page() const { return page_; }

 private:
  QueuePage page_;
  std::size_t applications_ = 0;  // that the kept look found
};

}  // namespace tracebed
