#include "report/queue_page.h"

#include <algorithm>
#include <numeric>

namespace tracebed {
namespace {

double largest_share(const Resources& used, const Resources& capacity) {
  double largest = 0;
  for (std::size_t d = 0; d < Resources::dimensions_max; ++d) {
    if (capacity[d] <= 0) continue;
    largest = std::max(largest, static_cast<double>(used[d]) / static_cast<double>(capacity[d]));
  }
  return largest;
}

bool is_page_name(std::string_view name) {
  return std::find(queue_page_names.begin(), queue_page_names.end(), name) !=
         queue_page_names.end();
}

// The dot parts levels, so it comes before whatever a name may hold: "a", "a.x", "a-b".
bool stands_before(const std::string& a, const std::string& b) {
  const auto rank = [](char letter) {
    return letter == '.' ? 0 : 1 + static_cast<unsigned char>(letter);
  };
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [&](char x, char y) { return rank(x) < rank(y); });
}

std::vector<ShownQueue> shown(const SchedulerView& view, const Resources& capacity) {
  std::vector<ShownQueue> queues;
  for (const QueueView& queue : view.queues) {
    queues.push_back({queue.queue.path, queue.queue.is_leaf, largest_share(queue.used, capacity),
                      page_figures(queue.queue)});
  }
  std::sort(queues.begin(), queues.end(),
            [](const ShownQueue& a, const ShownQueue& b) { return stands_before(a.path, b.path); });
  return most_used(std::move(queues), BusiestQueuePage::queues_max);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> page_figures(const ExplainedQueue& queue) {
  const bool is_of_page = std::any_of(
      queue.figures.begin(), queue.figures.end(),
      [](const ExplainedFigure& figure) { return figure.name == queue_page_names.front(); });
  std::vector<std::pair<std::string, std::string>> figures;
  for (const ExplainedFigure& figure : queue.figures) {
    if (!is_of_page || is_page_name(figure.name)) figures.emplace_back(figure.name, figure.value);
  }
  return figures;
}

bool is_resource_managers(const QueuePage& page) {
  return std::any_of(page.queues.begin(), page.queues.end(), [](const ShownQueue& queue) {
    return std::equal(queue.figures.begin(), queue.figures.end(), queue_page_names.begin(),
                      queue_page_names.end(), [](const auto& figure, std::string_view name) {
                        return figure.first == name;
                      });
  });
}

std::vector<ShownQueue> most_used(std::vector<ShownQueue> queues, std::size_t count_max) {
  if (queues.size() <= count_max) return queues;
  std::vector<std::size_t> order(queues.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return queues[a].used_share > queues[b].used_share;
  });
  order.resize(count_max);
  std::sort(order.begin(), order.end());
  std::vector<ShownQueue> kept;
  kept.reserve(count_max);
  for (const std::size_t i : order) kept.push_back(std::move(queues[i]));
  return kept;
}

void BusiestQueuePage::look(TraceTime at, const Resources& capacity, const Resources& free,
                            const SchedulerView& view) {
  if (view.queues.empty()) return;
  const double used_share = largest_share(capacity - free, capacity);
  std::size_t applications = 0;
  for (const QueueView& queue : view.queues) {
    applications += queue.active.size() + queue.waiting.size();
  }
  const bool is_first = page_.queues.empty();
  if (!is_first &&
      std::pair(used_share, applications) <= std::pair(page_.used_share, applications_))
    return;
  page_ = {at, used_share, view.queues.size(), shown(view, capacity)};
  applications_ = applications;
}

}  // namespace tracebed
