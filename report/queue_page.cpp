#include "report/queue_page.h"

#include <algorithm>
#include <numeric>

#include "report/figure_text.h"

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

bool is_of_page(const Figure& figure) {
  return std::any_of(queue_page_figures.begin(), queue_page_figures.end(),
                     [&](const QueuePageFigure& shown) { return shown.id == figure.id; });
}

// The dot parts levels, so it comes before whatever a name may hold: "a", "a.x", "a-b".
bool stands_before(const std::string& a, const std::string& b) {
  const auto rank = [](char letter) {
    return letter == '.' ? 0 : 1 + static_cast<unsigned char>(letter);
  };
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [&](char x, char y) { return rank(x) < rank(y); });
}

std::vector<ShownQueue> shown(const SchedulerView& view, const Resources& capacity,
                              const ResourceDimensions& dimensions) {
  std::vector<ShownQueue> queues;
  for (const QueueView& queue : view.queues) {
    queues.push_back({queue.queue.path, queue.queue.is_leaf, largest_share(queue.used, capacity),
                      page_figures(queue.queue, dimensions)});
  }
  std::sort(queues.begin(), queues.end(),
            [](const ShownQueue& a, const ShownQueue& b) { return stands_before(a.path, b.path); });
  return most_used(std::move(queues), BusiestQueuePage::queues_max);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> page_figures(
    const ExplainedQueue& queue, const ResourceDimensions& dimensions) {
  const bool has_state = find_figure(queue.figures, queue_page_figures.front().id) != nullptr;
  std::vector<std::pair<std::string, std::string>> figures;
  for (const Figure& figure : queue.figures) {
    if (has_state ? !is_of_page(figure) : figure.label.empty()) continue;
    figures.emplace_back(figure.label.text(), figure_text(figure.value, dimensions));
  }
  return figures;
}

bool is_resource_managers(const QueuePage& page) {
  return std::any_of(page.queues.begin(), page.queues.end(), [](const ShownQueue& queue) {
    return std::equal(queue.figures.begin(), queue.figures.end(), queue_page_figures.begin(),
                      queue_page_figures.end(),
                      [](const auto& figure, const QueuePageFigure& shown) {
                        return figure.first == shown.label;
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
  page_ = {at, used_share, view.queues.size(), shown(view, capacity, dimensions_)};
  applications_ = applications;
}

}  // namespace tracebed
