#include "schedulers/multi_resource/tetris.h"

#include <algorithm>
#include <cmath>

#include "core/settings.h"
#include "core/visit.h"

namespace tracebed {
namespace {

constexpr WideAmount all_there_is = WideAmount{1} << 30;

}  // namespace

// ---- settings ----

const std::vector<SettingDescription>& tetris_setting_descriptions() {
  static const std::vector<SettingDescription> all{
      {"work_weight", "1.0",
       "how much the remaining work of a job counts beside the alignment of its task, 0 to 100 "
       "(ε)"},
      {"fairness", "0.25",
       "the part of the jobs that is not looked at, those furthest above their fair share, 0 to "
       "0.999 (f)"},
      {"barrier", "0.9",
       "maps of a job of which this part has ended come first if reduces wait for them, 0.001 to 1 "
       "(b); 1: never"},
      {"remote_penalty", "0.1",
       "by which part the alignment is less on a node without the task's input, 0 to 1"},
  };
  return all;
}

Result<TetrisSettings> read_tetris_settings(const SchedulerParameters& parameters) {
  SettingReader reader("scheduler tetris", tetris_setting_descriptions(), parameters.settings);
  TetrisSettings settings;
  settings.work_weight = reader.fraction("work_weight", 0, 100);
  settings.fairness_milli = std::lround(1'000 * reader.fraction("fairness", 0, 0.999));
  settings.barrier_milli = std::lround(1'000 * reader.fraction("barrier", 0.001, 1));
  settings.remote_penalty = reader.fraction("remote_penalty", 0, 1);
  if (const Status status = reader.status(); !status) return status.error();
  return settings;
}

// ---- jobs ----

std::strong_ordering TetrisScheduler::JobKey::operator<=>(const JobKey& other) const {
  if (const auto by_share = share <=> other.share; by_share != 0) return by_share;
  if (const auto by_time = submitted <=> other.submitted; by_time != 0) return by_time;
  return id <=> other.id;
}

TetrisScheduler::TetrisScheduler(const TetrisSettings& settings, ResourceDimensions dimensions)
    : LeastShareFirst(
          {.skips = true, .gives_several = true, .utilisation_max_milli = no_utilisation_max}),
      settings_(settings),
      dimensions_(std::move(dimensions)) {}

void TetrisScheduler::see(const SchedulerInput& input) {
  cluster_ = &input.cluster;
  for (const SchedulerEvent& event : input.events) {
    visit_all(
        event,
        [&](const ContainerFinished& finished) {
          const auto asked = asks_.find(finished.ask);
          const bool counts = asked != asks_.end() && finished.end == ContainerEnd::succeeded;
          durations_.ended(finished.ask, finished.node, finished.application,
                           counts ? std::optional(asked->second.kind) : std::nullopt, now());
          estimate_durations(finished.application);
        },
        [&](const AskChanged& changed) {
          const Ask* ask = input.cluster.asks.find(changed.ask);
          if (ask == nullptr) return;
          estimate_durations(ask->application);
          asks_by_node_.set(changed.ask, ask->nodes);
        },
        [&](const AskRemoved& removed) { asks_by_node_.remove(removed.ask); },
        [&](const ContainerRecovered& recovered) {
          durations_.started(recovered.ask, recovered.node, now());
        },
        [&](const Refused& refused) {
          if (refused.ask.is_valid()) durations_.refused(refused.ask);
        },
        [&](const NodeAdded& added) {
          const std::size_t node = added.node.index();
          if (capacities_.size() <= node) capacities_.resize(node + 1);
          capacities_[node] = input.cluster.node(added.node).capacity;
        },
        Ignore<NodeRemoved, NodeUpdated, ApplicationAdded, ApplicationRemoved, PreemptionSettled,
               PreemptionDue, Tick, DecisionMade>{});
  }
}

void TetrisScheduler::job_added(const SlotJob& job) {
  Job& counted = known_[job.id];
  counted.key.submitted = job.submitted;
  counted.key.id = job.id;
  estimate_durations(job.id);
}

void TetrisScheduler::estimate_durations(ApplicationId id) {
  const auto found = known_.find(id);
  if (found == known_.end()) return;
  for (const SlotKind kind : slot_kinds) {
    found->second.durations[kind] = durations_.estimate(id, kind);
  }
}

void TetrisScheduler::job_removed(ApplicationId id) {
  const auto found = known_.find(id);
  if (found == known_.end()) return;
  take_out_of_order(found->second);
  divide();
  for (const AskId ask : found->second.asks) {
    asks_.erase(ask);
    asks_by_node_.remove(ask);
  }
  durations_.forget(id);
  known_.erase(found);
}

void TetrisScheduler::job_changed(const SlotJob& job, const Resources& used) {
  Job& counted = known_.at(job.id);
  take_out_of_order(counted);
  counted.used = used;
  count(job, counted);
  put_in_order(counted);
  divide();
}

const Resources* TetrisScheduler::used_by(ApplicationId id) const {
  const auto found = known_.find(id);
  return found == known_.end() ? nullptr : &found->second.used;
}

void TetrisScheduler::count_all(const ClusterModel& cluster, bool /*has_changed*/) {
  if (cluster.capacity == total_) return;
  total_ = cluster.capacity;
  for (auto& [id, counted] : known_) {
    for (const SlotKind kind : slot_kinds) counted.size[kind] = size_of(counted.demand[kind]);
    job_changed(*jobs().find(id), counted.used);
  }
}

void TetrisScheduler::count(const SlotJob& job, Job& counted) {
  counted.key.share = DominantShare(counted.used, total_, weight_of_one);
  counted.wants = wants_tasks(job);
  counted.filed.clear();
  for (const SlotAsk& ask : job.asks) {
    if (ask.is_master) continue;
    if (counted.demand[ask.kind] != ask.demand) {
      counted.demand[ask.kind] = ask.demand;
      counted.size[ask.kind] = size_of(ask.demand);
    }
    if (counted.asks.insert(ask.id).second) asks_.emplace(ask.id, Asked{&counted, ask.kind});
  }
  const WideAmount work = work_of(job, counted);
  for (const SlotAsk& ask : job.asks) {
    if (ask.is_master || ask.remaining == 0) continue;
    const Ask& model = cluster_->asks[ask.id];
    counted.filed.push_back({.task = {work, job.submitted, job.id, ask.id},
                             .demand = ask.demand,
                             .is_before_barrier = is_before_barrier(job, ask),
                             .names_places = !model.nodes.empty() || !model.racks.empty()});
  }
}

WideAmount TetrisScheduler::work_of(const SlotJob& job, const Job& counted) const {
  PerKind<WideAmount> sizes;
  for (const SlotAsk& ask : job.asks) {
    if (ask.is_master) continue;
    const bool is_last = ask.demand == counted.demand[ask.kind];
    const std::int64_t size = is_last ? counted.size[ask.kind] : size_of(ask.demand);
    sizes[ask.kind] += size * WideAmount{ask.remaining};
  }
  WideAmount work = 0;
  for (const SlotKind kind : slot_kinds) {
    sizes[kind] += counted.size[kind] * WideAmount{job.running[kind]};
    if (sizes[kind] > 0) work += sizes[kind] * counted.durations[kind];
  }
  return work;
}

// Of all there is of each resource, in units of 2^-30.
std::int64_t TetrisScheduler::size_of(const Resources& demand) const {
  WideAmount size = 0;
  for (std::size_t d = 0; d < total_.dimensions_used(); ++d) {
    if (total_[d] > 0) size += demand[d] * all_there_is / total_[d];
  }
  return static_cast<std::int64_t>(size);
}

bool TetrisScheduler::is_before_barrier(const SlotJob& job, const SlotAsk& ask) const {
  if (settings_.barrier_milli >= 1'000 || ask.kind != SlotKind::map) return false;
  if (job.pending.reduce + job.running.reduce == 0) return false;
  return job.succeeded.map * 1'000 >= job.total(SlotKind::map) * settings_.barrier_milli;
}

// ---- the first jobs and the others ----

void TetrisScheduler::file(const Job& job) {
  for (const FiledTasks::Filed& filed : job.filed) files_[job.is_first ? 1 : 0].add(filed);
}

void TetrisScheduler::unfile(const Job& job) {
  for (const FiledTasks::Filed& filed : job.filed) files_[job.is_first ? 1 : 0].remove(filed);
}

void TetrisScheduler::take_out_of_order(Job& job) {
  if (!job.wants) return;
  unfile(job);
  (job.is_first ? first_ : others_).erase(job.key);
  job.wants = false;
}

void TetrisScheduler::put_in_order(Job& job) {
  if (!job.wants) return;
  const bool has_first = !first_.empty();
  job.is_first =
      has_first ? job.key < *first_.rbegin() : others_.empty() || job.key < *others_.begin();
  (job.is_first ? first_ : others_).insert(job.key);
  file(job);
}

// Every key of the first comes before every other one.
void TetrisScheduler::divide() {
  const auto jobs = static_cast<std::int64_t>(first_.size() + others_.size());
  const std::int64_t first = ((1'000 - settings_.fairness_milli) * jobs + 999) / 1'000;
  while (static_cast<std::int64_t>(first_.size()) < first) move(true);
  while (static_cast<std::int64_t>(first_.size()) > first) move(false);
}

void TetrisScheduler::move(bool is_to_first) {
  const JobKey key = is_to_first ? *others_.begin() : *first_.rbegin();
  Job& job = known_.at(key.id);
  unfile(job);
  (job.is_first ? first_ : others_).erase(key);
  job.is_first = is_to_first;
  (job.is_first ? first_ : others_).insert(key);
  file(job);
}

void TetrisScheduler::visit_in_order(const JobVisitor& visit) const {
  for (const std::set<JobKey>* part : {&first_, &others_}) {
    for (const JobKey& key : *part) {
      if (!visit(key.id)) return;
    }
  }
}

// ---- a node's next task ----

class TetrisScheduler::AtNode final : public FiledTasks::Place {
 public:
  AtNode(const TetrisScheduler& scheduler, NodeId node, const SlotOffer& offer)
      : scheduler_(scheduler), node_(node), offer_(offer) {}

  // Of the others or of the first.
  void look_at(bool is_first) { is_first_ = is_first; }
  // Though something is free: devices, or for a gang.
  void has_no_room_for(AskId ask) { without_room_.insert(ask); }

  bool has_room(const Resources& demand) const override {
    return scheduler_.free().has_room(node_, demand);
  }
  double alignment(const Resources& demand) const override;
  std::optional<bool> is_remote(const FiledTasks::Task& task) const override;
  std::size_t named() const override { return scheduler_.asks_by_node_.at(node_).size(); }
  void visit_named(const std::function<void(const FiledTasks::Filed&)>& visit) const override;

 private:
  const TetrisScheduler& scheduler_;
  NodeId node_;
  const SlotOffer& offer_;
  bool is_first_ = false;
  std::set<AskId> without_room_;
};

double TetrisScheduler::AtNode::alignment(const Resources& demand) const {
  const Resources& capacity = scheduler_.capacities_[node_.index()];
  const Resources& left = scheduler_.free().free(node_);
  double sum = 0;
  for (std::size_t d = 0; d < capacity.dimensions_used(); ++d) {
    if (capacity[d] <= 0) continue;
    const auto whole = static_cast<double>(capacity[d]);
    sum += (static_cast<double>(demand[d]) / whole) * (static_cast<double>(left[d]) / whole);
  }
  return sum;
}

std::optional<bool> TetrisScheduler::AtNode::is_remote(const FiledTasks::Task& task) const {
  if (without_room_.contains(task.ask)) return std::nullopt;
  const SlotJob& job = *scheduler_.jobs().find(task.job);
  const auto ask = std::find_if(job.asks.begin(), job.asks.end(),
                                [&](const SlotAsk& one) { return one.id == task.ask; });
  const std::optional<Locality> level = offer_.level_of(*ask, node_);
  if (!level) return std::nullopt;
  return *level == Locality::rack || *level == Locality::off_switch;
}

void TetrisScheduler::AtNode::visit_named(
    const std::function<void(const FiledTasks::Filed&)>& visit) const {
  for (const AskId ask : scheduler_.asks_by_node_.at(node_)) {
    const auto asked = scheduler_.asks_.find(ask);
    if (asked == scheduler_.asks_.end()) continue;
    const Job& job = *asked->second.job;
    if (!job.wants || job.is_first != is_first_) continue;
    for (const FiledTasks::Filed& filed : job.filed) {
      if (filed.task.ask == ask) visit(filed);
    }
  }
}

bool TetrisScheduler::give_task(NodeId node, SlotOffer& offer) {
  AtNode place(*this, node, offer);
  const FiledTasks::Weights weights{.work = settings_.work_weight,
                                    .remote_penalty = settings_.remote_penalty};
  for (const bool is_first : {true, false}) {
    place.look_at(is_first);
    while (const auto best = files_[is_first ? 1 : 0].best(place, weights)) {
      SlotJob& job = *jobs().find(best->task.job);
      const auto ask = std::find_if(job.asks.begin(), job.asks.end(),
                                    [&](const SlotAsk& one) { return one.id == best->task.ask; });
      if (offer.place_ask(job, *ask, node)) return true;
      place.has_no_room_for(ask->id);
    }
  }
  return false;
}

// ---- what it tells about itself ----

SchedulerView TetrisScheduler::view(const ClusterModel& cluster) const {
  SchedulerView view;
  for (const auto& [id, job] : known_) {
    ApplicationView application;
    application.application = id;
    application.is_active = true;
    application.headroom = headroom(cluster, id);
    application.figures = {
        {"dominant_share", "Dominant Share", Ratio{job.key.share.value()}, ""},
        {"dominant_resource", "Dominant Resource", dimensions_.name(job.key.share.dimension()), ""},
        {"is_among_first", "Among the First", job.wants && job.is_first, ""}};
    view.applications.push_back(std::move(application));
  }
  return view;
}

std::string TetrisScheduler::shares_in_words(ApplicationId id) const {
  const Job& job = known_.at(id);
  return "it is " + std::string(job.is_first ? "" : "not ") + "among the " +
         std::to_string(first_.size()) + " of " + std::to_string(first_.size() + others_.size()) +
         " jobs with the least dominant shares, of which tasks are chosen by alignment and work";
}

}  // namespace tracebed
