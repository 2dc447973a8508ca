#include "coordinator/engine/stall_analysis.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "coordinator/engine/engine.h"
#include "coordinator/engine/waiting.h"

namespace tracebed {
namespace {

struct Holding {
  JobId job;
  UserId user;
  LeafId leaf;
  std::uint32_t masters = 0;
  std::uint32_t tasks = 0;
  Resources resources;
};
using Holdings = std::map<ApplicationId, Holding>;

struct OpenJob {
  ApplicationId id;
  std::vector<WaitingReason> reasons;
  const Ask* ask = nullptr;  // its most important with pending units; null if it has none
  std::uint32_t units_in_empty = 0;
  std::optional<StallKind> kind;
  std::vector<ApplicationId> waits_for;  // ascending
};

// The queues below the same child of the root share its limits: "root.a" of "root.a.b".
std::string_view top_queue(std::string_view leaf) {
  const std::size_t root = leaf.find('.');
  if (root == std::string_view::npos) return leaf;
  return leaf.substr(0, leaf.find('.', root + 1));
}

class StallAnalysis {
 public:
  explicit StallAnalysis(const Engine& engine)
      : engine_(engine), cluster_(engine.cluster()), view_(engine.scheduler().view(cluster_)) {
    cluster_.containers.for_each([&](ContainerId id, const Container& container) {
      add_container(holdings_, id, container);
    });
    cluster_.applications.for_each([&](ApplicationId id, const Application& application) {
      if (jobs_.size() < looked_at_max) jobs_.push_back(open_job(id, application));
    });
  }

  Stall explain() {
    Stall stall;
    // Its jobs wait, run and are preempted in turn: none of them is kept by what holds just now.
    if (engine_.is_livelocked()) {
      stall.kind = StallKind::preemption_loop;
    } else {
      for (OpenJob& job : jobs_) {
        if (!job.reasons.empty()) judge(job);
      }
      choose_kind(stall);
    }
    stall.capacity = cluster_.capacity;
    cluster_.containers.for_each([&](ContainerId, const Container& container) {
      ++(container.is_master ? stall.masters : stall.tasks);
      (container.is_master ? stall.held_by_masters : stall.held_by_tasks) += container.resources;
    });
    stall.reasons = why_jobs_wait(engine_);
    list_jobs(stall);
    return stall;
  }

 private:
  static constexpr std::size_t looked_at_max = 1'000;

  void add_container(Holdings& holdings, ContainerId id, const Container& container) const {
    const ContainerState& state = engine_.container_state(id);
    Holding& holding = holdings[container.application];
    holding.job = state.job;
    holding.user = state.user;
    holding.leaf = state.leaf;
    ++(container.is_master ? holding.masters : holding.tasks);
    holding.resources += container.resources;
  }

  OpenJob open_job(ApplicationId id, const Application& application) const {
    OpenJob job{id, {}, nullptr, 0, std::nullopt, {}};
    job.reasons = why_application_waits(engine_.scheduler(), cluster_, id, engine_.is_accepted(id));
    for (const AskId each : application.asks) {
      if (cluster_.asks[each].pending == 0) continue;
      job.ask = &cluster_.asks[each];
      break;
    }
    if (job.ask != nullptr) job.units_in_empty = units_in_empty(*job.ask);
    return job;
  }

  // As many as are asked for at most.
  std::uint32_t units_in_empty(const Ask& ask) const {
    std::int64_t units = 0;
    for (const Node& node : cluster_.nodes) {
      if (!node.alive || !may_run_on(ask, node)) continue;
      units += std::min<std::int64_t>(ask.pending,
                                      cluster_.limits.units_in_empty(ask.demand, node.capacity));
    }
    return static_cast<std::uint32_t>(std::min<std::int64_t>(units, ask.pending));
  }

  static bool waits_for(const OpenJob& job, WaitingFor wanted) {
    return std::any_of(job.reasons.begin(), job.reasons.end(),
                       [&](const WaitingReason& reason) { return reason.reason == wanted; });
  }

  // What could never be comes first: nothing that others do would change it.
  void judge(OpenJob& job) const {
    const bool has_machine = std::any_of(cluster_.nodes.begin(), cluster_.nodes.end(),
                                         [](const Node& node) { return node.alive; });
    if (!has_machine) {
      job.kind = StallKind::no_machines;
    } else if (waits_for(job, WaitingFor::label)) {
      job.kind = StallKind::places;
    } else if (job.ask != nullptr && job.units_in_empty == 0) {
      job.kind = could_any_hold(job.ask->demand) ? StallKind::places : StallKind::ask_too_large;
    } else if (waits_for(job, WaitingFor::larger_machines)) {
      job.kind = StallKind::ask_too_large;
    } else if (job.ask != nullptr && job.ask->is_gang() && job.units_in_empty < job.ask->pending) {
      job.kind = StallKind::gang_too_large;
    } else {
      judge_by_others(job);
    }
  }

  bool could_any_hold(const Resources& demand) const {
    return std::any_of(cluster_.nodes.begin(), cluster_.nodes.end(), [&](const Node& node) {
      return node.alive && cluster_.could_hold(node, demand);
    });
  }

  void judge_by_others(OpenJob& job) const {
    switch (job.reasons.front().reason) {
      case WaitingFor::master_limit:
        return judge_master_limit(job);
      case WaitingFor::queue_room:
      case WaitingFor::user_limit:
      case WaitingFor::running_limit:
        return judge_limit(job);
      case WaitingFor::reservation:
        return judge_reservation(job);
      case WaitingFor::room:
        return judge_room(job, holders_of_room(job));
      case WaitingFor::its_turn:
        return judge_turn(job);
      case WaitingFor::acceptance:
      case WaitingFor::budget:
      case WaitingFor::deadline:
      case WaitingFor::locality:
      case WaitingFor::label:
      case WaitingFor::larger_machines:
        break;
    }
    job.kind = StallKind::unknown;
  }

  void judge_master_limit(OpenJob& job) const {
    const LeafId leaf = cluster_.applications[job.id].leaf;
    for (const auto& [id, holding] : holdings_) {
      if (id != job.id && holding.leaf == leaf && holding.masters > 0) job.waits_for.push_back(id);
    }
    if (job.waits_for.empty()) job.waits_for = counted_masters(job.id);
    if (job.waits_for.empty()) job.kind = StallKind::no_master;
  }
  // Of applications that hold nothing: the Capacity scheduler counts the master of one that is
  // active, also of one that runs elsewhere.
  std::vector<ApplicationId> counted_masters(ApplicationId id) const {
    std::vector<ApplicationId> counted;
    for (const QueueView& queue : view_.queues) {
      if (queue.queue.path != engine_.scheduler().leaf_of(id)) continue;
      for (const ApplicationId other : queue.active) {
        const OpenJob* const open = find(other);
        const bool waits_itself = open == nullptr || open->reasons.empty() ||
                                  open->reasons.front().reason == WaitingFor::master_limit;
        if (other != id && !waits_itself) counted.push_back(other);
      }
    }
    std::sort(counted.begin(), counted.end());
    return counted;
  }

  // Who uses what is limited: its leaf, else all below the same child of the root, whose limit it
  // may be, and its user.
  void judge_limit(OpenJob& job) const {
    const Application& application = cluster_.applications[job.id];
    const std::string_view leaf = engine_.scheduler().leaf_of(job.id);
    Holdings own_leaf;
    Holdings near;
    for (const auto& [id, holding] : holdings_) {
      const std::string_view other =
          holding.leaf.is_valid() ? engine_.leaves().name(holding.leaf) : std::string_view();
      if (other == leaf) own_leaf.emplace(id, holding);
      if (holding.user == application.user || top_queue(other) == top_queue(leaf)) {
        near.emplace(id, holding);
      }
    }
    own_leaf.erase(job.id);
    const Holdings& users = own_leaf.empty() ? near : own_leaf;
    const bool has_others =
        std::any_of(users.begin(), users.end(),
                    [&](const Holdings::value_type& user) { return user.first != job.id; });
    if (!has_others) {
      job.kind = StallKind::queue_limit;
    } else {
      judge_room(job, users);
    }
  }

  Holdings holders_of_room(const OpenJob& job) const {
    if (job.ask == nullptr || (job.ask->relax_locality && !job.ask->avoided.is_valid())) {
      return holdings_;
    }
    Holdings holders;
    cluster_.containers.for_each([&](ContainerId id, const Container& container) {
      if (may_run_on(*job.ask, cluster_.node(container.node))) {
        add_container(holders, id, container);
      }
    });
    return holders;
  }

  // A job that holds nothing waits for those who do. One that holds something is a part of what it
  // waits for: it gives nothing back before it has got more.
  void judge_room(OpenJob& job, const Holdings& holders) const {
    bool have_tasks = false;
    for (const auto& [id, holding] : holders) {
      if (id != job.id) job.waits_for.push_back(id);
      have_tasks |= holding.tasks > 0;
    }
    const auto own = holdings_.find(job.id);
    if (own != holdings_.end()) {
      have_tasks |= own->second.tasks > 0;
      job.kind = have_tasks ? StallKind::held_tasks : StallKind::masters_alone;
    } else if (job.waits_for.empty()) {
      job.kind = StallKind::unknown;
    }
  }

  void judge_reservation(OpenJob& job) const {
    for (const ReservationView& reservation : view_.reservations) {
      if (reservation.application != job.id) job.waits_for.push_back(reservation.application);
    }
    std::sort(job.waits_for.begin(), job.waits_for.end());
    job.waits_for.erase(std::unique(job.waits_for.begin(), job.waits_for.end()),
                        job.waits_for.end());
    if (job.waits_for.empty() || is_reserved_for(job)) {
      job.waits_for.clear();
      judge_room(job, holders_of_room(job));
    }
  }
  bool is_reserved_for(const OpenJob& job) const {
    return std::any_of(
        view_.reservations.begin(), view_.reservations.end(),
        [&](const ReservationView& reservation) { return reservation.application == job.id; });
  }

  // There is room: others that wait come before it.
  void judge_turn(OpenJob& job) const {
    for (const ApplicationId id : order_of(job.id)) {
      if (id == job.id) break;
      if (does_wait(id)) {
        job.waits_for.push_back(id);
        return;
      }
    }
    job.kind = StallKind::unknown;
  }
  // In the order of its leaf if the scheduler shows one, else in that of submission.
  std::vector<ApplicationId> order_of(ApplicationId id) const {
    for (const QueueView& queue : view_.queues) {
      std::vector<ApplicationId> order = queue.active;
      order.insert(order.end(), queue.waiting.begin(), queue.waiting.end());
      if (std::find(order.begin(), order.end(), id) != order.end()) return order;
    }
    std::vector<ApplicationId> order;
    for (const OpenJob& job : jobs_) order.push_back(job.id);
    return order;
  }
  bool does_wait(ApplicationId id) const {
    const OpenJob* const job = find(id);
    return job != nullptr && !job->reasons.empty();
  }
  // Null if it is not among those that are looked at.
  const OpenJob* find(ApplicationId id) const {
    const auto found =
        std::lower_bound(jobs_.begin(), jobs_.end(), id,
                         [](const OpenJob& job, ApplicationId wanted) { return job.id < wanted; });
    return found != jobs_.end() && found->id == id ? &*found : nullptr;
  }

  void choose_kind(Stall& stall) const {
    std::map<StallKind, StallShare> shares;
    for (const OpenJob& job : jobs_) {
      if (!job.kind) continue;
      StallShare& share =
          shares.try_emplace(*job.kind, StallShare{*job.kind, job_of(job.id), 0}).first->second;
      ++share.jobs;
    }
    std::uint32_t most = 0;
    for (const auto& [kind, share] : shares) {
      stall.kinds.push_back(share);
      if (kind == StallKind::unknown || share.jobs <= most) continue;
      stall.kind = kind;
      most = share.jobs;
    }
  }

  JobId job_of(ApplicationId id) const {
    const auto held = holdings_.find(id);
    return held != holdings_.end() ? held->second.job : cluster_.applications[id].job;
  }

  // Those of the kind first, then others that cannot go on by themselves, then those that hold
  // something.
  void list_jobs(Stall& stall) const {
    std::vector<std::tuple<int, ApplicationId, const OpenJob*>> order;
    for (const OpenJob& job : jobs_) {
      const bool is_of_kind = job.kind == stall.kind;
      const int rank = is_of_kind ? 0 : job.kind ? 1 : holdings_.contains(job.id) ? 2 : 3;
      order.emplace_back(rank, job.id, &job);
    }
    std::sort(order.begin(), order.end());
    if (order.size() > Stall::jobs_max) order.resize(Stall::jobs_max);
    for (const auto& [rank, id, job] : order) stall.jobs.push_back(stalled_job(*job));
    stall.jobs_more = static_cast<std::uint32_t>(cluster_.applications.size() - stall.jobs.size());
  }

  StalledJob stalled_job(const OpenJob& job) const {
    StalledJob stalled;
    stalled.job = job_of(job.id);
    stalled.queue = engine_.is_accepted(job.id) ? engine_.scheduler().leaf_of(job.id) : "";
    stalled.kind = job.kind;
    if (const auto held = holdings_.find(job.id); held != holdings_.end()) {
      stalled.masters = held->second.masters;
      stalled.tasks = held->second.tasks;
      stalled.held = held->second.resources;
    }
    if (job.ask != nullptr) {
      stalled.units = job.ask->pending;
      stalled.demand = job.ask->demand;
      stalled.is_gang = job.ask->is_gang();
      stalled.units_in_empty = job.units_in_empty;
    }
    for (const WaitingReason& reason : job.reasons) {
      stalled.reasons.emplace_back(name(reason.reason), reason.text);
    }
    for (const ApplicationId id : job.waits_for) {
      if (stalled.waits_for.size() == Stall::waits_for_max) break;
      stalled.waits_for.push_back(job_of(id));
    }
    stalled.waits_for_more =
        static_cast<std::uint32_t>(job.waits_for.size() - stalled.waits_for.size());
    return stalled;
  }

  const Engine& engine_;
  const ClusterModel& cluster_;
  SchedulerView view_;
  Holdings holdings_;
  std::vector<OpenJob> jobs_;  // by application
};

}  // namespace

Stall explain_stall(const Engine& engine) {
  return StallAnalysis(engine).explain();
}

}  // namespace tracebed
