#include "schedulers/multi_resource/hierarchical_scheduler.h"

#include <algorithm>
#include <utility>

#include "core/settings.h"

namespace tracebed {
namespace {

constexpr std::string_view queue_without_name = "default";
constexpr std::string_view root_part = "root";

// The tree is walked by recursion. What a longer path has more is part of the last one's name.
constexpr std::size_t levels_max = 100;

// The parts of a path that are not empty; "root" is not one at its beginning.
std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const bool is_last = parts.size() + 1 == levels_max;
    const std::size_t dot = is_last ? path.size() : std::min(path.find('.'), path.size());
    const std::string_view part = path.substr(0, dot);
    if (!part.empty() && !(parts.empty() && part == root_part)) parts.push_back(part);
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  if (parts.empty()) parts.push_back(queue_without_name);
  return parts;
}

std::string joined(const std::vector<std::string_view>& parts) {
  std::string path;
  for (const std::string_view part : parts) {
    if (!path.empty()) path += '.';
    path += part;
  }
  return path;
}

Resources part_of_amount(const Resources& amount, std::int64_t weight, std::int64_t weights) {
  Resources part;
  for (std::size_t d = 0; d < amount.dimensions_used(); ++d) {
    if (amount[d] != 0) {
      part[d] = static_cast<std::int64_t>(WideAmount{amount[d]} * weight / weights);
    }
  }
  return part;
}

}  // namespace

// ---- settings ----

const std::vector<SettingDescription>& hdrf_setting_descriptions() {
  static const std::vector<SettingDescription> all{
      {"policy", "hdrf",
       "the share of an inner queue: `hdrf`: of what its children use, rescaled to the least of "
       "those that are not blocked; `naive`: of what they use"},
      {"groups", "queue",
       "the leaves of the tree: by `queue`, whose name is a path with dots, as in \"eng.prod\"; or "
       "by `user`, a tree of one level"},
      {"weights", "", "weights of queues by path, as in \"eng=2,eng.prod=3\"; others weigh 1"},
      {"order", "skip",
       "a job that has the least share and no room on the node: `skip`: the next job is tried; "
       "`strict`: the node waits for it"},
      node_delay_setting,
      rack_delay_setting,
  };
  return all;
}

Result<HierarchySettings> read_hdrf_settings(const SchedulerParameters& parameters) {
  SettingReader reader("scheduler hdrf", hdrf_setting_descriptions(), parameters.settings);
  HierarchySettings settings;
  settings.inner_share =
      reader.choice("policy", {"hdrf", "naive"}) == 0 ? InnerShare::rescaled : InnerShare::summed;
  settings.groups = reader.choice("groups", {"queue", "user"}) == 0
                        ? ShareSettings::Groups::by_queue
                        : ShareSettings::Groups::by_user;
  settings.skips = reader.choice("order", {"skip", "strict"}) == 0;
  settings.delays = read_map_delays(reader);
  if (const Status status = reader.status(); !status) return status.error();
  const auto weights = read_named_weights(parameters, "hdrf", "eng=2,eng.prod=3");
  if (!weights) return weights.error();
  for (const auto& [path, weight] : weights.value()) {
    // Names of users are no paths.
    const bool is_path = settings.groups == ShareSettings::Groups::by_queue;
    const std::string name = is_path ? joined(parts_of(path)) : path;
    if (settings.weights.emplace(name, weight).second) continue;
    return Error{"scheduler hdrf, setting weights: expected each queue once, got \"" + name +
                     "\" a second time",
                 "weights"};
  }
  return settings;
}

// ---- what happened ----

void LargestFree::set(NodeId node, const Resources& free) {
  std::size_t leaves = largest_.size() / 2;
  if (node.index() >= leaves) {
    const std::size_t more = std::bit_ceil(node.index() + 1);
    std::vector<Resources> grown(2 * more);
    std::copy(largest_.begin() + static_cast<std::ptrdiff_t>(leaves), largest_.end(),
              grown.begin() + static_cast<std::ptrdiff_t>(more));
    for (std::size_t i = more - 1; i > 0; --i) {
      grown[i] = component_maximum(grown[2 * i], grown[2 * i + 1]);
    }
    largest_ = std::move(grown);
    leaves = more;
  }
  std::size_t i = leaves + node.index();
  largest_[i] = free;
  while (i > 1) {
    i /= 2;
    const Resources larger = component_maximum(largest_[2 * i], largest_[2 * i + 1]);
    if (larger == largest_[i]) return;
    largest_[i] = larger;
  }
}

HierarchicalScheduler::HierarchicalScheduler(HierarchySettings settings, const Names& names,
                                             ResourceDimensions dimensions)
    : LeastShareFirst({.skips = settings.skips,
                       .gives_several = true,
                       .utilisation_max_milli = no_utilisation_max,
                       .delays = settings.delays}),
      settings_(std::move(settings)),
      names_(names),
      dimensions_(std::move(dimensions)),
      tree_(settings_.inner_share) {}

ShareTree::Index HierarchicalScheduler::queue_of(const SlotJob& job) {
  std::vector<std::string_view> parts{queue_without_name};
  if (settings_.groups == ShareSettings::Groups::by_user) {
    if (job.user.is_valid()) parts = {names_.users.name(job.user)};
  } else if (job.queue.is_valid()) {
    parts = parts_of(names_.queues.name(job.queue));
  }
  ShareTree::Index queue = ShareTree::root;
  std::string path;
  for (const std::string_view part : parts) {
    if (!path.empty()) path += '.';
    path += part;
    const auto weight = settings_.weights.find(path);
    queue = tree_.queue(queue, part,
                        weight == settings_.weights.end() ? weight_of_one : weight->second);
  }
  return queue;
}

void HierarchicalScheduler::job_added(const SlotJob& job) {
  tree_.add_job(job.id, queue_of(job));
}

void HierarchicalScheduler::job_changed(const SlotJob& job, const Resources& used) {
  std::vector<DimensionSet> wanted;
  for (const SlotAsk& ask : job.asks) {
    if (ask.remaining > 0 && !ask.is_master) wanted.push_back(dimensions_of(ask.demand));
  }
  tree_.set_job(job.id, used, wanted);
}

void HierarchicalScheduler::node_changed(NodeId node) {
  largest_free_.set(node, free().free(node));
}

void HierarchicalScheduler::count_all(const ClusterModel& cluster, bool /*has_changed*/) {
  tree_.set_total(cluster.capacity);
  prepare_order();
}

void HierarchicalScheduler::prepare_order() {
  const Resources& largest = largest_free_.largest();
  const Resources& least = jobs().demands().least_wanted();
  DimensionSet exhausted = 0;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    if (largest[d] < std::max<std::int64_t>(1, least[d])) exhausted |= DimensionSet{1} << d;
  }
  tree_.set_exhausted(exhausted);
}

// ---- what it tells about itself ----

std::string_view HierarchicalScheduler::leaf_of(ApplicationId id) const {
  return used_by(id) == nullptr ? std::string_view() : tree_.shown(tree_.queue_of(id)).path;
}

std::vector<Figure> HierarchicalScheduler::figures_of(const ShareTree::Shown& shown) const {
  return {{"dominant_share", "Dominant Share", Ratio{shown.share}, ""},
          {"dominant_resource", "Dominant Resource", dimensions_.name(shown.dimension), ""},
          {"blocked", "Blocked", shown.is_blocked, ""}};
}

void HierarchicalScheduler::show(ShareTree::Index queue, const Resources& entitled,
                                 SchedulerView& view) const {
  const ShareTree::Shown shown = tree_.shown(queue);
  const std::size_t place = view.queues.size();
  if (queue != ShareTree::root) {
    QueueView& shown_queue = view.queues.emplace_back();
    shown_queue.queue = {std::string(shown.path), !shown.has_queues, figures_of(shown)};
    shown_queue.queue.figures.push_back(
        {"weight", "Weight", static_cast<double>(shown.weight) / weight_of_one, ""});
    shown_queue.entitled = entitled;
    shown_queue.used = shown.used;
  }
  for (const ShareTree::Index child : tree_.children(queue)) {
    if (const ApplicationId job = tree_.job_of(child); job.is_valid()) {
      view.queues[place].active.push_back(job);
      continue;
    }
    const ShareTree::Shown below = tree_.shown(child);
    show(child, part_of_amount(entitled, below.weight, below.weights_of_siblings), view);
  }
}

SchedulerView HierarchicalScheduler::view(const ClusterModel& cluster) const {
  SchedulerView view;
  show(ShareTree::root, cluster.capacity, view);
  cluster.applications.for_each([&](ApplicationId id, const Application&) {
    if (used_by(id) == nullptr) return;
    ApplicationView application;
    application.application = id;
    application.queue = leaf_of(id);
    application.is_active = true;
    application.headroom = headroom(cluster, id);
    application.figures = figures_of(tree_.shown(id));
    delayed().add_figures(id, application.figures);
    view.applications.push_back(std::move(application));
  });
  return view;
}

std::string HierarchicalScheduler::shares_in_words(ApplicationId id) const {
  const ShareTree::Shown queue = tree_.shown(tree_.queue_of(id));
  const ShareTree::Shown job = tree_.shown(id);
  return "the dominant share of " + std::string(queue.path) + " is " + std::to_string(queue.share) +
         ", that of the job " + std::to_string(job.share);
}

}  // namespace tracebed
