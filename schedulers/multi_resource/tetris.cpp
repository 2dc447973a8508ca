#include "schedulers/multi_resource/tetris.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/settings.h"
#include "core/visit.h"

namespace tracebed {
namespace {

constexpr std::int64_t micros_of_unknown = 1'000'000;
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

// ---- durations ----

void TaskDurations::refused(AskId ask) {
  const auto begin = starts_.lower_bound({ask, NodeId(std::uint32_t{0})});
  auto end = begin;
  TraceTime newest{};
  for (; end != starts_.end() && end->first.first == ask; ++end) {
    newest = std::max(newest, end->second.back());
  }
  for (auto of_node = begin; of_node != end;) {
    while (!of_node->second.empty() && of_node->second.back() == newest) {
      of_node->second.pop_back();
    }
    of_node = of_node->second.empty() ? starts_.erase(of_node) : std::next(of_node);
  }
}

void TaskDurations::ended(AskId ask, NodeId node, ApplicationId job, std::optional<SlotKind> kind,
                          TraceTime when) {
  const auto found = starts_.find({ask, node});
  if (found == starts_.end()) return;
  const std::int64_t micros = (when - found->second.front()).count();
  found->second.pop_front();
  if (found->second.empty()) starts_.erase(found);
  if (!kind) return;
  for (Mean* mean : {&of_jobs_[job][*kind], &of_all_[*kind]}) {
    mean->sum += micros;
    ++mean->count;
  }
}

std::int64_t TaskDurations::estimate(ApplicationId job, SlotKind kind) const {
  const auto of_job = of_jobs_.find(job);
  for (const Mean& mean :
       {of_job == of_jobs_.end() ? Mean() : of_job->second[kind], of_all_[kind]}) {
    if (mean.count > 0) return std::max<std::int64_t>(1, mean.sum / mean.count);
  }
  return micros_of_unknown;
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
  now_ = input.now;
  for (const SchedulerEvent& event : input.events) {
    visit_all(
        event,
        [&](const ContainerFinished& finished) {
          const auto kind = kinds_.find(finished.ask);
          const bool counts = kind != kinds_.end() && finished.end == ContainerEnd::succeeded;
          durations_.ended(finished.ask, finished.node, finished.application,
                           counts ? std::optional(kind->second) : std::nullopt, now_);
          estimate_durations(finished.application);
        },
        [&](const AskChanged& changed) {
          const Ask* ask = input.cluster.asks.find(changed.ask);
          if (ask != nullptr) estimate_durations(ask->application);
        },
        [&](const ContainerRecovered& recovered) {
          durations_.started(recovered.ask, recovered.node, now_);
        },
        [&](const Refused& refused) {
          if (refused.ask.is_valid()) durations_.refused(refused.ask);
        },
        [&](const NodeAdded& added) {
          const std::size_t node = added.node.index();
          if (capacities_.size() <= node) capacities_.resize(node + 1);
          capacities_[node] = input.cluster.node(added.node).capacity;
        },
        Ignore<NodeRemoved, NodeUpdated, ApplicationAdded, ApplicationRemoved, AskRemoved,
               PreemptionSettled, PreemptionDue, Tick>{});
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
  for (const AskId ask : found->second.asks) kinds_.erase(ask);
  durations_.forget(id);
  known_.erase(found);
}

void TetrisScheduler::job_changed(const SlotJob& job, const Resources& used) {
  Job& counted = known_.at(job.id);
  take_out_of_order(counted);
  counted.used = used;
  count(job, counted);
  put_in_order(counted);
}

const Resources* TetrisScheduler::used_by(ApplicationId id) const {
  const auto found = known_.find(id);
  return found == known_.end() ? nullptr : &found->second.used;
}

void TetrisScheduler::count_all(const ClusterModel& cluster, bool /*has_changed*/) {
  if (cluster.capacity == total_) return;
  total_ = cluster.capacity;
  for (auto& [id, counted] : known_) job_changed(*jobs().find(id), counted.used);
}

void TetrisScheduler::count(const SlotJob& job, Job& counted) {
  counted.key.share = DominantShare(counted.used, total_, weight_of_one);
  counted.wants = wants_tasks(job);
  counted.filed.clear();
  for (const SlotAsk& ask : job.asks) {
    if (ask.is_master) continue;
    counted.demand[ask.kind] = ask.demand;
    if (counted.asks.insert(ask.id).second) kinds_.emplace(ask.id, ask.kind);
  }
  const WideAmount work = work_of(job, counted);
  for (const SlotAsk& ask : job.asks) {
    if (ask.is_master || ask.remaining == 0) continue;
    counted.filed.push_back(
        {{work, job.submitted, job.id, ask.id}, ask.demand, is_before_barrier(job, ask)});
  }
}

WideAmount TetrisScheduler::work_of(const SlotJob& job, const Job& counted) const {
  PerKind<WideAmount> sizes;
  for (const SlotAsk& ask : job.asks) {
    if (!ask.is_master) sizes[ask.kind] += size_of(ask.demand) * WideAmount{ask.remaining};
  }
  WideAmount work = 0;
  for (const SlotKind kind : slot_kinds) {
    sizes[kind] += size_of(counted.demand[kind]) * WideAmount{job.running[kind]};
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

void TetrisScheduler::file(const Job& job, int times) {
  for (const Filed& filed : job.filed) {
    Classes& classes = files_[job.is_first ? 1 : 0][filed.is_before_barrier ? 0 : 1];
    DemandClass& of_demand = classes[filed.demand];
    of_demand.work += filed.candidate.work * times;
    if (times > 0) {
      of_demand.candidates.insert(filed.candidate);
    } else {
      of_demand.candidates.erase(filed.candidate);
      if (of_demand.candidates.empty()) classes.erase(filed.demand);
    }
  }
}

void TetrisScheduler::take_out_of_order(Job& job) {
  if (!job.wants) return;
  file(job, -1);
  (job.is_first ? first_ : others_).erase(job.key);
  job.wants = false;
  divide();
}

void TetrisScheduler::put_in_order(Job& job) {
  if (!job.wants) return;
  job.is_first = first_.empty() || job.key < *first_.rbegin();
  (job.is_first ? first_ : others_).insert(job.key);
  file(job, 1);
  divide();
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
  file(job, -1);
  (job.is_first ? first_ : others_).erase(key);
  job.is_first = is_to_first;
  (job.is_first ? first_ : others_).insert(key);
  file(job, 1);
}

void TetrisScheduler::visit_in_order(const JobVisitor& visit) const {
  for (const std::set<JobKey>* part : {&first_, &others_}) {
    for (const JobKey& key : *part) {
      if (!visit(key.id)) return;
    }
  }
}

// ---- a node's next task ----

bool TetrisScheduler::give_task(NodeId node, SlotOffer& offer) {
  std::set<AskId> without_room;  // though something is free: devices, or for a gang
  for (const Files* files : {&files_[1], &files_[0]}) {
    while (const auto best = best_in(*files, {node, offer, without_room})) {
      SlotJob& job = *jobs().find(best->candidate.job);
      const auto ask = std::find_if(job.asks.begin(), job.asks.end(), [&](const SlotAsk& one) {
        return one.id == best->candidate.ask;
      });
      if (offer.place_ask(job, *ask, node)) return true;
      without_room.insert(ask->id);
    }
  }
  return false;
}

double TetrisScheduler::alignment(const Resources& demand, NodeId node) const {
  const Resources& capacity = capacities_[node.index()];
  const Resources& left = free().free(node);
  double sum = 0;
  for (std::size_t d = 0; d < capacity.dimensions_used(); ++d) {
    if (capacity[d] <= 0) continue;
    const auto whole = static_cast<double>(capacity[d]);
    sum += (static_cast<double>(demand[d]) / whole) * (static_cast<double>(left[d]) / whole);
  }
  return sum;
}

std::optional<TetrisScheduler::Scored> TetrisScheduler::best_in(const Files& files,
                                                                const Service& service) const {
  std::vector<Fitting> fitting;
  double alignments = 0;
  double works = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (const auto& [demand, of_demand] : files.at(i)) {
      if (!free().has_room(service.node, demand)) continue;
      fitting.push_back({&of_demand, alignment(demand, service.node), i == 0});
      alignments += fitting.back().alignment * static_cast<double>(of_demand.candidates.size());
      works += static_cast<double>(of_demand.work);
    }
  }
  // The number of tasks is in both averages.
  const double work_factor = works > 0 ? settings_.work_weight * alignments / works : 0;
  std::optional<Scored> best;
  for (const bool is_before_barrier : {true, false}) {
    for (const Fitting& one : fitting) {
      if (one.is_before_barrier == is_before_barrier) look_through(one, work_factor, service, best);
    }
    if (best) return best;
  }
  return best;
}

void TetrisScheduler::look_through(const Fitting& fitting, double work_factor,
                                   const Service& service, std::optional<Scored>& best) const {
  for (const Candidate& candidate : fitting.demand_class->candidates) {
    const double of_work = work_factor * static_cast<double>(candidate.work);
    const double most = fitting.alignment - of_work;
    // None of the others has less work, and of equal ones the first is found.
    if (best && (most < best->score || (most == best->score && best->candidate < candidate)))
      return;
    if (service.without_room.contains(candidate.ask)) continue;
    const SlotJob& job = *jobs().find(candidate.job);
    const auto ask = std::find_if(job.asks.begin(), job.asks.end(),
                                  [&](const SlotAsk& one) { return one.id == candidate.ask; });
    const std::optional<Locality> level = service.offer.level_of(*ask, service.node);
    if (!level) continue;
    const bool is_remote = *level == Locality::rack || *level == Locality::off_switch;
    const double aligned = fitting.alignment * (is_remote ? 1 - settings_.remote_penalty : 1);
    const double score = aligned - of_work;
    const bool is_worse =
        best && (score < best->score || (score == best->score && best->candidate < candidate));
    if (!is_worse) best = {score, candidate};
  }
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
