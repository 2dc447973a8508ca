#include "schedulers/yarn/capacity/capacity_view.h"

#include <algorithm>
#include <map>
#include <optional>

#include "core/quantity_text.h"
#include "schedulers/parts/ask_figure.h"
#include "schedulers/yarn/capacity/admission.h"
#include "schedulers/yarn/capacity/explain.h"

namespace tracebed {
namespace {

using ApplicationStage = RunningApplication::Stage;

class View {
 public:
  explicit View(const CapacityState& state)
      : state_(state),
        explained_(explain(state.configuration(),
                           {.resources = state.partitions().resources(default_partition),
                            .minimum_allocation = state.settings().minimum_allocation,
                            .dimensions = state.settings().dimensions},
                           state.settings().semantics.counts_active_applications
                               ? YarnGeneration::hadoop_2
                               : YarnGeneration::hadoop_3)) {}

  SchedulerView make() {
    add_queue(0);
    state_.applications().for_each([&](ApplicationId, const RunningApplication& application) {
      add_application(application);
    });
    add_reservations();
    return std::move(view_);
  }

 private:
  void add_queue(QueueIndex index);
  void set_live_figures(QueueIndex index, std::vector<Figure>& figures) const;
  template <class Set>
  void set_limits_of_masters(QueueIndex index, Set&& set) const;
  // For programs: the amounts of all partitions, and the shares of the default one.
  void add_unlabelled(QueueIndex index, std::vector<Figure>& figures) const;
  void add_warnings_of_labels(const RunningQueue& queue, std::vector<Figure>& figures) const;
  void add_application(const RunningApplication& application);
  void add_reservations();

  std::string text_of(const Resources& amount) const {
    return resources_text(amount, state_.settings().dimensions);
  }

  const CapacityState& state_;
  std::vector<ExplainedQueue> explained_;
  SchedulerView view_;
};

// CapacitySchedulerLeafQueueInfo: of a user of weight 1.
template <class Set>
void View::set_limits_of_masters(QueueIndex index, Set&& set) const {
  const LeafBasis& basis = state_.tree()[index].uses[default_partition].basis;
  set("master_limit", master_limit(state_, index, default_partition),
      "what the queue can use now, or its guarantee, × AM share, up to the minimum allocation");
  const std::int64_t users = std::max<std::int64_t>(state_.leaf(index).users.active_users(), 1);
  set("master_limit_of_user", master_limit_of_user(state_, index, default_partition, 1),
      basis.user_limit_factor == -1
          ? "guaranteed × AM share, at most the queue's"
          : "guaranteed × AM share × user limit, or an equal part of the active users, × factor, "
            "at most the queue's: " +
                text_of(basis.guaranteed) + " × " + percent_text(basis.application_master_share) +
                " × max(" + number_text(basis.user_limit_percent) + "%, 1 / " +
                std::to_string(users) + ") × " + number_text(basis.user_limit_factor));
}

void View::set_live_figures(QueueIndex index, std::vector<Figure>& figures) const {
  const RunningQueue& queue = state_.tree()[index];
  const QueueUse& use = queue.uses[default_partition];
  // Without a formula the one stays that is there.
  const auto set = [&](std::string_view id, FigureValue value, std::optional<std::string> formula) {
    for (Figure& figure : figures) {
      if (figure.id != id) continue;
      figure.value = std::move(value);
      if (formula) figure.formula = std::move(*formula);
    }
  };
  const auto count = [](std::size_t number) { return static_cast<std::int64_t>(number); };
  set("used_capacity", Ratio{use.used_share},
      "used / guaranteed: " + text_of(use.used) + " / " + text_of(use.guaranteed));
  set("used_resources", use.used, "");
  set("containers", count(queue.containers), "");
  const auto add = [&](FigureName id, FigureName label, FigureValue value, std::string formula) {
    figures.push_back({std::move(id), std::move(label), std::move(value), std::move(formula)});
  };
  add("absolute_used_capacity", "Absolute Used Capacity", Ratio{use.absolute_used},
      "used / the cluster's");
  if (queue.leaf == nullptr) return;
  set("active_applications", count(queue.leaf->active.size()), "");
  set("pending_applications", count(queue.leaf->waiting.size() + queue.leaf->held.size()), "");
  set("maximum_applications", queue.leaf->maximum_applications, std::nullopt);
  set("maximum_applications_of_user", queue.leaf->maximum_applications_of_user, std::nullopt);
  set_limits_of_masters(index, set);
  add("masters", "Used Application Master Resources", use.masters, "");
  add("pending", "Pending Within User Limits",
      pending_within_limits(state_, index, default_partition),
      "Σ over users of the smaller of what is left of their limit and what they want");
}

void View::add_unlabelled(QueueIndex index, std::vector<Figure>& figures) const {
  const RunningQueue& queue = state_.tree()[index];
  Resources reserved;
  Resources maximum;
  for (const QueueUse& use : queue.uses) {
    reserved += use.reserved;
    maximum += use.maximum;
  }
  const Resources& all = state_.partitions().resources(default_partition);
  const auto add = [&](FigureName id, FigureValue value) {
    figures.push_back({std::move(id), {}, std::move(value)});
  };
  add_warnings_of_labels(queue, figures);
  add("reserved", reserved);
  add("maximum", maximum);
  add("dominant_share", Ratio{all.is_zero() ? 0
                                            : state_.configuration().calculator.ratio(
                                                  queue.uses[default_partition].used, all)});
  if (queue.leaf == nullptr) return;
  add("active_users", static_cast<std::int64_t>(queue.leaf->users.active_users()));
  add("master_share", double{queue.uses[default_partition].basis.application_master_share});
}

// Those of the default partition are explained already.
void View::add_warnings_of_labels(const RunningQueue& queue, std::vector<Figure>& figures) const {
  for (PartitionIndex p = 0; p < queue.uses.size(); ++p) {
    const std::vector<CapacityWarning>& warnings = queue.uses[p].figures.warnings;
    if (p == default_partition || warnings.empty()) continue;
    const std::string& label = state_.partitions().label(p);
    figures.push_back({"capacity_warnings_of_" + label, "Capacity Warnings of " + label,
                       warnings_text(warnings, state_.settings().dimensions)});
  }
}

void View::add_queue(QueueIndex index) {
  const QueueTree& tree = state_.tree();
  QueueView& view = view_.queues.emplace_back();
  view.queue = explained_[index];
  set_live_figures(index, view.queue.figures);
  for (const QueueUse& use : tree[index].uses) {
    view.entitled += use.figures.guaranteed;
    view.used += use.used;
  }
  add_unlabelled(index, view.queue.figures);
  if (const LeafState* leaf = tree[index].leaf.get()) {
    // Those that want something have their turns first.
    std::vector<const RunningApplication*> turns(leaf->line.begin(), leaf->line.end());
    turns.insert(turns.end(), leaf->strict.all().begin(), leaf->strict.all().end());
    std::sort(turns.begin(), turns.end(),
              [](const auto* a, const auto* b) { return a->rank < b->rank; });
    for (const RunningApplication* application : turns) view.active.push_back(application->id);
    for (const ApplicationId id : leaf->active) {
      if (state_.application(id)->wanted_in_all == 0) view.active.push_back(id);
    }
    for (const ApplicationRank& rank : leaf->waiting) view.waiting.push_back(rank.id);
    view.waiting.insert(view.waiting.end(), leaf->held.begin(), leaf->held.end());
    return;
  }
  for (const QueueIndex child : tree.order_of(index, default_partition)) add_queue(child);
}

void View::add_application(const RunningApplication& application) {
  ApplicationView& view = view_.applications.emplace_back();
  view.application = application.id;
  view.queue = state_.tree().configured(application.leaf).path;
  view.is_active = application.stage == ApplicationStage::active;
  view.headroom = headroom_of(state_, application, default_partition);
  const auto add = [&](FigureName id, FigureName label, FigureValue value) {
    view.figures.push_back({std::move(id), std::move(label), std::move(value)});
  };
  add("priority", "Priority", std::int64_t{application.priority});
  add("used_resources", "Used Resources", application.used_in_all);
  add("reserved", "Reserved Resources", application.reserved);
  add("containers", "Num Containers", static_cast<std::int64_t>(application.containers));
  add("master", "Application Master Resources", application.master);
  add("user_limit", "", state_.limit_of_user(application, default_partition));
  add("user_used", "", application.leaf_user->uses[default_partition].used);
  for (const OpenAsk* ask : application.asks) {
    view.figures.push_back(figure_of_ask("missed_opportunities", "Missed Opportunities", ask->id,
                                         std::int64_t{ask->missed}));
  }
}

void View::add_reservations() {
  for (std::size_t i = 0; i < state_.reservable_nodes(); ++i) {
    const Reservation* reservation = state_.reservation(NodeId(i));
    if (reservation == nullptr) continue;
    view_.reservations.push_back(
        {NodeId(i), reservation->application, reservation->ask, reservation->resources});
  }
}

}  // namespace

SchedulerView view_of(const CapacityState& state) {
  return View(state).make();
}

void add_balances(const std::vector<std::vector<QueueBalance>>& balances, const QueueTree& tree,
                  std::vector<QueueView>& queues) {
  if (balances.empty()) return;
  std::map<std::string_view, QueueView*> views;
  for (QueueView& view : queues) views.emplace(view.queue.path, &view);
  for (QueueIndex i = 0; i < tree.size(); ++i) {
    QueueBalance sum;
    for (const std::vector<QueueBalance>& of_partition : balances) {
      // Less than nothing of a resource that the calculator does not count is nothing.
      sum.ideal += positive_part(of_partition[i].ideal);
      sum.preemptable += positive_part(of_partition[i].preemptable);
      sum.untouchable += positive_part(of_partition[i].untouchable);
      sum.to_preempt += positive_part(of_partition[i].to_preempt);
      sum.to_obtain += positive_part(of_partition[i].to_obtain);
    }
    std::vector<Figure>& figures = views.at(tree.configured(i).path)->queue.figures;
    figures.push_back({"ideal", {}, sum.ideal});
    figures.push_back({"preemptable", {}, sum.preemptable});
    figures.push_back({"untouchable", {}, sum.untouchable});
    figures.push_back({"to_preempt", {}, sum.to_preempt});
    if (tree[i].leaf != nullptr) figures.push_back({"to_obtain", {}, sum.to_obtain});
  }
}

Resources pending_within_limits(const CapacityState& state, QueueIndex leaf,
                                PartitionIndex partition) {
  const LeafState& queue = state.leaf(leaf);
  std::map<UserId, Resources> left;
  Resources sum;
  for (const ApplicationId id : queue.active) {
    const RunningApplication& application = *state.application(id);
    const auto [found, is_new] = left.try_emplace(application.user);
    if (is_new) {
      found->second = positive_part(state.limit_of_user(application, partition) -
                                    application.leaf_user->uses[partition].used);
    }
    Resources pending;
    for (const OpenAsk* ask : application.asks) {
      if (ask->partition == partition) pending += ask->demand * ask->wanted;
    }
    const Resources within = component_minimum(found->second, pending);
    found->second -= within;
    sum += within;
  }
  return sum;
}

Resources headroom_of(const CapacityState& state, const RunningApplication& application,
                      PartitionIndex partition) {
  const QueueUse& use = state.tree()[application.leaf].uses[partition];
  const ResourceCalculator& calculator = state.configuration().calculator;
  const Resources& limit_of_user = state.limit_of_user(application, partition);
  const Resources& limit_of_queue =
      partition == default_partition ? state.leaf(application.leaf).current_limit : use.maximum;
  const Resources& all = state.partitions().resources(partition);
  const Resources free = positive_part(all - state.tree()[0].uses[partition].used);
  const Resources left = calculator.round_down(
      component_minimum(positive_part(limit_of_user - application.leaf_user->uses[partition].used),
                        positive_part(limit_of_queue - use.used)),
      state.settings().minimum_allocation);
  Resources headroom = calculator.compare(free, left, all) < 0 ? free : left;
  if (calculator.kind() == ResourceCalculator::Kind::memory) {
    const std::int64_t memory = headroom.memory_mib();
    headroom = free;
    headroom[Resources::memory_dimension] = memory;
  }
  return headroom;
}

}  // namespace tracebed
