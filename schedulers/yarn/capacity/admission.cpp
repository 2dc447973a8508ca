#include "schedulers/yarn/capacity/admission.h"

#include <algorithm>

#include "schedulers/yarn/capacity/binding_amounts.h"
#include "schedulers/yarn/capacity/managed_queues.h"

namespace tracebed {
namespace {

using ApplicationStage = RunningApplication::Stage;

std::string state_text(CapacityQueueState state) {
  return state == CapacityQueueState::stopped ? "stopped" : "draining";
}

}  // namespace

// ---- submission ----

Status Admission::submit(ApplicationId id, const Application& application) {
  Result<Destination> destination = find_destination(application);
  if (!destination) return destination.error();
  if (const Status status = check_label(*destination, application); !status) return status;
  const std::string& user = state_.user_name(application.user);
  const Result<QueueIndex> leaf = take_destination(std::move(*destination), user);
  if (!leaf) return leaf.error();
  if (const Status status = check_states(*leaf); !status) return status;
  if (const Status status = check_maxima(*leaf, application.user); !status) return status;
  if (!release(state_.add_application(id, application, *leaf))) held_.insert(id);
  return success();
}

// RMAppManager.createAndPopulateNewRMApp, CapacityScheduler.addApplication: a queue is created only
// for who may submit to it, and as long as the cluster takes applications.
Result<QueueIndex> Admission::take_destination(Destination destination, const std::string& user) {
  if (const Status status = check_acl(destination, user); !status) return status.error();
  QueueIndex leaf = destination.leaf;
  if (!destination.missing.queues.empty()) {
    const Result<QueueIndex> created = create(std::move(destination.missing));
    if (!created) return created.error();
    leaf = *created;
  }
  if (const Status status = check_managed(leaf, destination.is_mapped); !status) {
    return status.error();
  }
  return leaf;
}

Result<QueueIndex> Admission::create(PlannedQueues missing) {
  if (const Status status = check_system_maximum(); !status) return status.error();
  if (missing.is_managed) {
    CapacityQueue& leaf = missing.queues.front();
    const Status status = check_room_for_managed(state_, static_cast<QueueIndex>(leaf.parent));
    if (!status) {
      return Error{"queue " + leaf.path + " cannot be created: " + status.error().message};
    }
    give_first_capacities(state_, leaf);
  }
  state_.add_queues(std::move(missing));
  if (state_.refresh_figures()) start_all();
  return static_cast<QueueIndex>(state_.tree().size() - 1);
}

// CapacityScheduler.addApplication: only mappings put applications into leaves that are managed.
Status Admission::check_managed(QueueIndex leaf, bool is_mapped) const {
  const QueueTree& tree = state_.tree();
  if (is_mapped || tree.is_root(leaf) || !tree.configured(tree.parent(leaf)).manages_queues) {
    return success();
  }
  return Error{"queue " + tree.configured(leaf).path +
               " is auto-created: only queue mappings put applications there, and none does"};
}

// RMAppManager.placeApplication
Result<Admission::PlacedName> Admission::queue_name(const Application& application) const {
  MappingRequest request;
  if (application.queue.is_valid()) {
    request.queue = state_.settings().names->queues.name(application.queue);
  }
  const MappingRules& rules = state_.configuration().mapping_rules;
  if (rules.is_empty()) return PlacedName{request.queue};
  request.user = state_.user_name(application.user);
  request.groups = state_.settings().groups.of(request.user);
  const Result<std::optional<std::string>> placed = rules.place(request);
  if (!placed) return placed.error();
  return PlacedName{placed->value_or(request.queue), placed->has_value()};
}

Result<Admission::Destination> Admission::find_destination(const Application& application) const {
  const Result<PlacedName> placed = queue_name(application);
  if (!placed) return placed.error();
  const std::string& name = placed->name;
  const CapacityConfiguration& configuration = state_.configuration();
  if (const CapacityQueue* queue = configuration.find(name)) {
    if (queue->is_leaf()) {
      return Destination{
          static_cast<QueueIndex>(queue - configuration.queues.data()), {}, placed->is_mapped};
    }
    return Error{"queue " + queue->path +
                 (queue->children.empty() ? " is a parent" : " has queues below it") +
                 "; applications go to " + (queue->children.empty() ? "leaves" : "those")};
  }
  const Error none{"there is no queue \"" + name + "\""};
  if (!configuration.creates_queues()) return none;
  Result<PlannedQueues> planned = plan_creation(state_.settings(), name);
  if (!planned)
    return Error{none.message + ", and it cannot be created: " + planned.error().message};
  return Destination{0, std::move(*planned), placed->is_mapped};
}

// RMAppManager.validateAndCreateResourceRequest, SchedulerUtils.validateResourceRequest: the label
// of the master's container, if it has one, is the queue's. Where the queue is only created, YARN
// does not look.
Status Admission::check_label(const Destination& destination,
                              const Application& application) const {
  if (application.master_demand.is_zero() || !destination.missing.queues.empty()) return success();
  const CapacityQueue& queue = state_.tree().configured(destination.leaf);
  const std::string& label = default_label_of(state_.settings(), queue, true);
  const std::vector<std::string>& labels = queue.accessible_labels;
  const bool is_accessible =
      label.empty() || std::any_of(labels.begin(), labels.end(), [&](const std::string& each) {
        return each == "*" || each == label;
      });
  if (is_accessible) return success();
  return Error{"queue " + queue.path + " may not use nodes with label " + label +
               ", which its master's container would have"};
}

// Who may submit to a queue is told by its list and those of all above it.
Status Admission::check_acl(const Destination& destination, const std::string& user) const {
  if (!state_.settings().enforces_acls) return success();
  const QueueTree& tree = state_.tree();
  const std::vector<std::string> groups = state_.settings().groups.of(user);
  // Who administers a queue may also use it.
  const auto allows = [&](const CapacityQueue& queue) {
    return queue.submitters.allows(user, groups) || queue.administrators.allows(user, groups);
  };
  const std::vector<CapacityQueue>& missing = destination.missing.queues;
  if (std::any_of(missing.begin(), missing.end(), allows)) return success();
  const QueueIndex lowest =
      missing.empty() ? destination.leaf : static_cast<QueueIndex>(missing.front().parent);
  for (QueueIndex queue = lowest;; queue = tree.parent(queue)) {
    if (allows(tree.configured(queue))) return success();
    if (tree.is_root(queue)) break;
  }
  return Error{"user " + user + " may not submit to queue " +
               (missing.empty() ? tree.configured(lowest).path : missing.back().path)};
}

Status Admission::check_states(QueueIndex leaf) const {
  const QueueTree& tree = state_.tree();
  for (QueueIndex queue = leaf;; queue = tree.parent(queue)) {
    const CapacityQueue& configured = tree.configured(queue);
    if (configured.state != CapacityQueueState::running) {
      return Error{"queue " + configured.path + " is " + state_text(configured.state) +
                   " and takes no applications"};
    }
    if (tree.is_root(queue)) return success();
  }
}

Status Admission::check_system_maximum() const {
  const std::int64_t most = state_.configuration().maximum_system_applications;
  if (state_.tree()[0].applications < most) return success();
  return Error{"the cluster has " + std::to_string(most) +
               " applications already, as many as it may"};
}

Status Admission::check_maxima(QueueIndex leaf, UserId user) {
  if (const Status status = check_system_maximum(); !status) return status;
  const std::string& path = state_.tree().configured(leaf).path;
  const LeafState& queue = state_.leaf(leaf);
  if (queue.applications() >= queue.maximum_applications) {
    return Error{"queue " + path + " has " + std::to_string(queue.applications()) +
                 " applications already, of at most " + std::to_string(queue.maximum_applications)};
  }
  const LeafUser* known = state_.leaf(leaf).users.find(user);
  const std::uint32_t of_user = known == nullptr ? 0 : known->applications;
  if (of_user >= queue.maximum_applications_of_user) {
    return Error{"queue " + path + " has " + std::to_string(of_user) + " applications of user " +
                 state_.user_name(user) + " already, of at most " +
                 std::to_string(queue.maximum_applications_of_user)};
  }
  return success();
}

void Admission::remove(ApplicationId id) {
  const RunningApplication* application = state_.application(id);
  if (application == nullptr) return;
  const QueueIndex leaf = application->leaf;
  if (held_.erase(id) == 0) {
    if (--running_[application->user] == 0) running_.erase(application->user);
    QueueTree& tree = state_.tree();
    tree.visit_up(leaf, [&](QueueIndex queue) { --tree[queue].running; });
  }
  state_.remove_application(id);
  release_held();
  start_waiting(leaf);
}

// ---- max-parallel-apps ----

std::optional<std::int64_t> maximum_parallel(const CapacityState& state, UserId user) {
  const CapacityConfiguration& configuration = state.configuration();
  const auto own = configuration.maximum_parallel_applications_of_users.find(state.user_name(user));
  return own == configuration.maximum_parallel_applications_of_users.end()
             ? configuration.maximum_parallel_applications_of_user
             : std::optional(own->second);
}

// The queue, or ancestor, in which as many run as may.
std::optional<QueueIndex> Admission::full_queue(QueueIndex leaf) const {
  const QueueTree& tree = state_.tree();
  for (QueueIndex queue = leaf;; queue = tree.parent(queue)) {
    const auto& maximum = tree.configured(queue).maximum_parallel_applications;
    if (maximum && tree[queue].running >= *maximum) return queue;
    if (tree.is_root(queue)) return std::nullopt;
  }
}

std::int64_t Admission::running_of(UserId user) const {
  const auto found = running_.find(user);
  return found == running_.end() ? 0 : found->second;
}

bool Admission::release(RunningApplication& application) {
  const std::optional<std::int64_t> of_user = maximum_parallel(state_, application.user);
  if (of_user && running_of(application.user) >= *of_user) return false;
  if (full_queue(application.leaf)) return false;
  ++running_[application.user];
  QueueTree& tree = state_.tree();
  tree.visit_up(application.leaf, [&](QueueIndex queue) { ++tree[queue].running; });
  state_.set_stage(application, ApplicationStage::waiting);
  start_waiting(application.leaf);
  return true;
}

void Admission::release_held() {
  // In the order of submission.
  std::erase_if(held_, [&](ApplicationId each) { return release(*state_.application(each)); });
}

std::optional<WaitingReason> Admission::held_reason(const RunningApplication& application) const {
  const auto text = [](const std::string& who, std::int64_t running, std::int64_t maximum) {
    return WaitingReason{WaitingFor::running_limit, who + " runs " + std::to_string(running) +
                                                        " applications of at most " +
                                                        std::to_string(maximum)};
  };
  const std::optional<std::int64_t> of_user = maximum_parallel(state_, application.user);
  if (of_user && running_of(application.user) >= *of_user) {
    return text("user " + state_.user_name(application.user), running_of(application.user),
                *of_user);
  }
  const std::optional<QueueIndex> full = full_queue(application.leaf);
  if (!full) return std::nullopt;
  const CapacityQueue& queue = state_.tree().configured(*full);
  return text("queue " + queue.path, state_.tree()[*full].running,
              *queue.maximum_parallel_applications);
}

// ---- the limit on masters ----

Resources master_limit(const CapacityState& state, QueueIndex leaf, PartitionIndex partition) {
  const LeafBasis& basis = state.tree()[leaf].uses[partition].basis;
  // Only in the default partition what the queue could use now counts.
  return application_master_limit(
      basis, partition == default_partition ? state.leaf(leaf).current_limit : Resources());
}

Resources master_limit_of_user(const CapacityState& state, QueueIndex leaf,
                               PartitionIndex partition, float weight) {
  const LeafBasis& basis = state.tree()[leaf].uses[partition].basis;
  return application_master_limit_of_user(basis, master_limit(state, leaf, partition),
                                          state.leaf(leaf).users.active_users(), weight);
}

void Admission::start_all() {
  release_held();
  for (QueueIndex i = 0; i < state_.tree().size(); ++i) {
    if (state_.tree()[i].leaf != nullptr) start_waiting(i);
  }
}

namespace {

// Hadoop 2.0: why no more applications of the leaf, or of this user, are activated.
std::optional<WaitingReason> count_reason(const CapacityState& state,
                                          const RunningApplication& application) {
  const RunningQueue& queue = state.tree()[application.leaf];
  const QueueUse& use = queue.uses[default_partition];
  const std::string& path = state.tree().configured(application.leaf).path;
  const std::int64_t of_leaf =
      maximum_active_applications(use.basis, use.figures.absolute_maximum_capacity);
  const auto active = static_cast<std::int64_t>(queue.leaf->active.size());
  if (active >= of_leaf) {
    return WaitingReason{WaitingFor::master_limit,
                         "queue " + path + " has " + std::to_string(active) +
                             " active applications of at most " + std::to_string(of_leaf)};
  }
  const std::int64_t of_user =
      maximum_active_applications_of_user(use.basis, use.figures.absolute_capacity);
  if (application.leaf_user->active < of_user) return std::nullopt;
  return WaitingReason{WaitingFor::master_limit, "user " + state.user_name(application.user) +
                                                     " has " +
                                                     std::to_string(application.leaf_user->active) +
                                                     " active applications in queue " + path +
                                                     " of at most " + std::to_string(of_user)};
}

WaitingReason master_text(const CapacityState& state, const std::string& whose,
                          const Resources& used, const Resources& master, const Resources& limit) {
  const auto binding = BindingAmounts::by_calculator(state.settings(), used + master, limit);
  return {WaitingFor::master_limit, "masters of " + whose + " use " + binding.text(used) +
                                        ", and with " + binding.text(master) +
                                        " more would be above " + binding.text(limit)};
}

}  // namespace

std::optional<WaitingReason> master_limit_reason(const CapacityState& state,
                                                 const RunningApplication& application) {
  if (state.partitions().all_nodes() == 0) {
    return WaitingReason{WaitingFor::room, "the cluster has no nodes"};
  }
  if (state.settings().semantics.counts_active_applications) {
    return count_reason(state, application);
  }
  const RunningQueue& queue = state.tree()[application.leaf];
  const PartitionIndex partition = application.master_partition;
  const QueueUse& use = queue.uses[partition];
  const ResourceCalculator& calculator = use.basis.calculator;
  // One may always start.
  if (queue.leaf->active.empty() ||
      calculator.compare(use.masters, Resources(), use.basis.partition) <= 0) {
    return std::nullopt;
  }
  const std::string& path = state.tree().configured(application.leaf).path;
  const Resources limit = master_limit(state, application.leaf, partition);
  if (!calculator.fits(use.masters + application.master, limit)) {
    return master_text(state, "queue " + path, use.masters, application.master, limit);
  }
  const LeafUser& user = *application.leaf_user;
  const Resources limit_of_user =
      master_limit_of_user(state, application.leaf, partition, user.weight);
  const Resources& used = user.uses[partition].masters;
  if (calculator.fits(used + application.master, limit_of_user)) return std::nullopt;
  return master_text(state, "user " + state.user_name(application.user) + " in queue " + path, used,
                     application.master, limit_of_user);
}

// AbstractLeafQueue.activateApplications: by priority, then in order of submission; one that may
// not start is passed over. The limit of the first user that is met in a pass holds for all others
// of the pass, as there; it differs only where users have weights.
void Admission::start_waiting(QueueIndex leaf_index) {
  LeafState& leaf = state_.leaf(leaf_index);
  if (leaf.waiting.empty() || state_.partitions().all_nodes() == 0) return;
  const RunningQueue& queue = state_.tree()[leaf_index];
  const bool is_counted = state_.settings().semantics.counts_active_applications;
  const ResourceCalculator& calculator = state_.configuration().calculator;
  std::map<PartitionIndex, std::pair<Resources, Resources>> limits;  // of the leaf, of a user
  for (auto each = leaf.waiting.begin(); each != leaf.waiting.end();) {
    RunningApplication& application = *state_.application(each->id);
    ++each;
    if (is_counted) {
      if (!count_reason(state_, application))
        state_.set_stage(application, ApplicationStage::active);
      continue;
    }
    const PartitionIndex partition = application.master_partition;
    const QueueUse& use = queue.uses[partition];
    const auto [found, is_new] = limits.try_emplace(partition);
    auto& [of_leaf, of_user] = found->second;
    if (is_new) {
      of_leaf = master_limit(state_, leaf_index, partition);
      of_user = master_limit_of_user(state_, leaf_index, partition, application.leaf_user->weight);
    }
    const bool may_always = leaf.active.empty() ||
                            calculator.compare(use.masters, Resources(), use.basis.partition) <= 0;
    if (!may_always) {
      // Where not even the smallest of those that wait fits, none does.
      const CapacityQueue& configured = state_.tree().configured(leaf_index);
      if (default_label_of(state_.settings(), configured, true).empty() &&
          !calculator.fits(use.masters + leaf.waiting_masters.minimum(), of_leaf)) {
        return;
      }
      const Resources& used = application.leaf_user->uses[partition].masters;
      if (!calculator.fits(use.masters + application.master, of_leaf) ||
          !calculator.fits(used + application.master, of_user)) {
        continue;
      }
    }
    state_.set_stage(application, ApplicationStage::active);
  }
}

}  // namespace tracebed
