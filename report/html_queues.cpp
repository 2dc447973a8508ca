#include "report/html_queues.h"

#include <algorithm>

#include "report/plot_number.h"

namespace tracebed {
namespace {

constexpr std::size_t curves_max = 6;    // as many as have a colour of their own
constexpr std::size_t columns_max = 24;  // more cannot be read side by side

// The leaves of which the most was used, summed over the samples, as shares of the cluster.
std::vector<std::size_t> busiest_queues(const QueueSeries& series, std::size_t dimension) {
  std::vector<double> sums(series.queues.size());
  for (const QueueSample& sample : series.samples) {
    if (sample.capacity[dimension] <= 0) continue;
    for (const QueueState& leaf : sample.leaves) {
      sums[leaf.queue] += static_cast<double>(leaf.used[dimension]) /
                          static_cast<double>(sample.capacity[dimension]);
    }
  }
  std::vector<std::size_t> order(sums.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sums[a] > sums[b]; });
  order.resize(std::min(order.size(), curves_max));
  return order;
}

// What a queue used of the cluster and was entitled to, 0 to 1, at each sample; null where there
// was no such queue.
Json queue_curve(const QueueSeries& series, std::size_t queue, std::size_t dimension) {
  Json used = Json::array();
  Json entitled = Json::array();
  for (const QueueSample& sample : series.samples) {
    const auto leaf = std::find_if(sample.leaves.begin(), sample.leaves.end(),
                                   [&](const QueueState& state) { return state.queue == queue; });
    const auto capacity = static_cast<double>(sample.capacity[dimension]);
    if (leaf == sample.leaves.end() || capacity <= 0) {
      used.push_back(nullptr);
      entitled.push_back(nullptr);
      continue;
    }
    used.push_back(rounded(static_cast<double>(leaf->used[dimension]) / capacity));
    entitled.push_back(rounded(static_cast<double>(leaf->entitled[dimension]) / capacity));
  }
  return {{"queue", series.queues[queue]},
          {"used", std::move(used)},
          {"entitled", std::move(entitled)}};
}

// In the order of the queue that has most of them.
std::vector<std::string> figure_names(const std::vector<ShownQueue>& queues) {
  const auto fullest = std::max_element(
      queues.begin(), queues.end(),
      [](const ShownQueue& a, const ShownQueue& b) { return a.figures.size() < b.figures.size(); });
  std::vector<std::string> names;
  const auto add = [&](const ShownQueue& queue) {
    for (const auto& [name, value] : queue.figures) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  };
  add(*fullest);
  for (const ShownQueue& queue : queues) add(queue);
  return names;
}

Json values_of(const ShownQueue& queue, const std::vector<std::string>& names) {
  Json values = Json::array();
  for (const std::string& name : names) {
    const auto found = std::find_if(queue.figures.begin(), queue.figures.end(),
                                    [&](const auto& figure) { return figure.first == name; });
    values.push_back(found == queue.figures.end() ? Json() : Json(found->second));
  }
  return values;
}

}  // namespace

Json queues_over_time(const RunFolder& run) {
  const QueueSeries& series = run.queue_series;
  Json at = Json::array();
  for (const QueueSample& sample : series.samples) at.push_back(to_seconds(sample.at));
  Json by_dimension = Json::object();
  const ResourceDimensions dimensions = run.dimensions();
  for (std::size_t d = 0; d < dimensions.size() && !series.samples.empty(); ++d) {
    Json curves = Json::array();
    for (const std::size_t queue : busiest_queues(series, d)) {
      curves.push_back(queue_curve(series, queue, d));
    }
    by_dimension[dimensions.name(d)] = std::move(curves);
  }
  return {{"at", std::move(at)},
          {"queues", series.queues.size()},
          {"by_dimension", std::move(by_dimension)}};
}

Json queue_page_data(const RunFolder& run) {
  const QueuePage& page = run.end.queue_page;
  if (page.queues.empty()) return nullptr;
  const std::vector<std::string> names = figure_names(page.queues);
  Json queues = Json::array();
  for (const ShownQueue& queue : most_used(page.queues, columns_max)) {
    queues.push_back({{"path", queue.path}, {"values", values_of(queue, names)}});
  }
  return {{"at", to_seconds(page.at)},
          {"used_share", page.used_share},
          {"queues_in_all", page.queues_in_all},
          {"is_resource_managers", is_resource_managers(page)},
          {"figures", names},
          {"queues", std::move(queues)}};
}

}  // namespace tracebed
