// What applications want, as the Capacity scheduler counts it: their asks, and where they stand
// among those of their leaf.
#include <algorithm>
#include <cmath>

#include "schedulers/yarn/capacity/capacity_state.h"

namespace tracebed {

using ApplicationStage = RunningApplication::Stage;
using ApplicationListing = RunningApplication::Listing;

namespace {

// A gang is placed over all nodes wherever it is tried.
bool is_strict(const Ask& model) {
  return !model.relax_locality && !model.is_gang();
}

}  // namespace

ApplicationRank CapacityState::rank_of(const RunningApplication& application) const {
  const CapacityQueue& queue = tree_->configured(application.leaf);
  if (queue.application_order == CapacityQueue::ApplicationOrder::fifo) {
    return waiting_rank(application);
  }
  // FairOrderingPolicy.
  auto use = static_cast<double>(application.used_in_all.memory_mib());
  if (queue.has_size_based_weight) {
    const auto demand = use + static_cast<double>(application.pending_memory);
    const double weight = std::log1p(demand) / std::log(2.0);
    use = weight > 0 ? use / weight : 0;
  }
  return {use, to_microseconds(application.submitted), application.id};
}

ApplicationRank CapacityState::waiting_rank(const RunningApplication& application) const {
  return {-static_cast<double>(application.priority), 0, application.id};
}

void CapacityState::update_rank(RunningApplication& application) {
  const CapacityQueue& queue = tree_->configured(application.leaf);
  if (queue.application_order == CapacityQueue::ApplicationOrder::fifo) return;
  LeafState& state = leaf(application.leaf);
  if (application.listing == ApplicationListing::line) {
    leave_line(state.line, application);
    application.rank = rank_of(application);
    enter_line(state.line, application);
  } else if (application.listing == ApplicationListing::strict) {
    state.strict.leave(application);
    application.rank = rank_of(application);
    state.strict.enter(application);
  }
}

ApplicationListing CapacityState::listing_of(const RunningApplication& application) {
  if (application.wanted_in_all == 0) return ApplicationListing::none;
  return application.roaming_asks == 0 ? ApplicationListing::strict : ApplicationListing::line;
}

void CapacityState::set_listing(RunningApplication& application, ApplicationListing listing) {
  if (listing == application.listing) return;
  LeafState& state = leaf(application.leaf);
  if (application.listing == ApplicationListing::line) leave_line(state.line, application);
  if (application.listing == ApplicationListing::strict) state.strict.leave(application);
  if (application.listing == ApplicationListing::line) --roaming_;
  if (listing == ApplicationListing::line) ++roaming_;
  application.rank = rank_of(application);
  if (listing == ApplicationListing::line) enter_line(state.line, application);
  if (listing == ApplicationListing::strict) state.strict.enter(application);
  application.listing = listing;
}

void CapacityState::begin_wanting(RunningApplication& application) {
  if (application.wanted_in_all == 0) return;
  for (PartitionIndex p = 0; p < application.wanted.size(); ++p) {
    if (application.wanted[p] == 0) continue;
    tree_->want(application.leaf, p, static_cast<std::int64_t>(application.wanted[p]));
  }
  set_listing(application, listing_of(application));
  leaf(application.leaf).users.count_wanting(*application.leaf_user, 1);
}

void CapacityState::end_wanting(RunningApplication& application) {
  if (application.wanted_in_all == 0) return;
  for (PartitionIndex p = 0; p < application.wanted.size(); ++p) {
    if (application.wanted[p] == 0) continue;
    tree_->want(application.leaf, p, -static_cast<std::int64_t>(application.wanted[p]));
  }
  set_listing(application, ApplicationListing::none);
  leaf(application.leaf).users.count_wanting(*application.leaf_user, -1);
}

// ---- asks ----

PartitionIndex CapacityState::partition_of(const RunningApplication& application, const Ask& ask) {
  const std::string& label =
      ask.label.is_valid()
          ? settings_->names->labels.name(ask.label)
          : default_label_of(*settings_, tree_->configured(application.leaf), ask.is_master);
  return partitions_.index_of(label);
}

void CapacityState::follow_ask(const ClusterModel& cluster, AskId id) {
  const Ask& model = cluster.asks[id];
  RunningApplication* application = applications_.find(model.application);
  if (application == nullptr) return;
  OpenAsk* known = asks_.find(id);
  if (known == nullptr) {
    known = &asks_.emplace_at(id);
    known->id = id;
    known->application = model.application;
    known->priority = model.priority;
    application->all_asks.push_back(id);
  }
  OpenAsk& ask = *known;
  const PartitionIndex partition = partition_of(*application, model);
  make_room_for_partitions();
  const bool is_above = is_above_maximum(*application, model.demand);
  // Lists are kept by these: it leaves them with the old figures and comes back with the new.
  if (ask.partition != partition || !(ask.demand == model.demand) || ask.is_strict ||
      is_strict(model) || is_above != ask.is_above_maximum) {
    set_wanted(ask, 0);
  }
  ask.partition = partition;
  ask.demand = model.demand;
  ask.is_gang = model.is_gang();
  ask.call = 0;
  ask.is_above_maximum = is_above;
  take_places(ask, model);
  set_wanted(ask, model.pending);
}

void CapacityState::take_places(OpenAsk& ask, const Ask& model) {
  ask.is_strict = is_strict(model);
  ask.strict_nodes.clear();
  ask.strict_racks.clear();
  if (!ask.is_strict) return;
  for (const auto& place : model.nodes) ask.strict_nodes.push_back(place.place);
  for (const auto& place : model.racks) ask.strict_racks.push_back(place.place);
}

Resources CapacityState::maximum_allocation_of(const RunningApplication& application) const {
  return tracebed::maximum_allocation_of(*settings_, tree_->configured(application.leaf));
}

bool CapacityState::is_above_maximum(const RunningApplication& application,
                                     const Resources& demand) const {
  const Resources maximum = maximum_allocation_of(application);
  for (std::size_t d = 0; d < maximum.dimensions_used(); ++d) {
    if (maximum[d] != 0 && demand[d] > maximum[d]) return true;
  }
  return false;
}

void CapacityState::close_ask(AskId id) {
  OpenAsk* ask = asks_.find(id);
  if (ask == nullptr) return;
  while (!ask->reserved_on.empty()) unreserve(ask->reserved_on.back());
  set_wanted(*ask, 0);
  std::erase(applications_[ask->application].all_asks, id);
  asks_.erase(id);
}

void CapacityState::set_wanted(OpenAsk& ask, std::uint32_t wanted) {
  const std::uint32_t before = ask.served_wish();
  ask.wanted = wanted;
  const std::uint32_t after = ask.served_wish();
  if (before == after) return;
  RunningApplication& application = applications_[ask.application];
  if ((before > 0) != (after > 0)) list_wish(application, ask, after > 0);
  change_wish(application, ask, static_cast<std::int64_t>(after) - before);
}

void CapacityState::list_wish(RunningApplication& application, OpenAsk& ask, bool wants) {
  const auto place =
      std::lower_bound(application.asks.begin(), application.asks.end(), &ask,
                       [](const OpenAsk* a, const OpenAsk* b) {
                         return std::pair(a->priority, a->id) < std::pair(b->priority, b->id);
                       });
  if (wants) {
    application.asks.insert(place, &ask);
  } else {
    application.asks.erase(place);
  }
  if (!ask.is_strict) {
    application.roaming_asks += wants ? 1U : -1U;
  } else if (wants) {
    leaf(application.leaf).strict.add_ask(ask);
    strict_places_.add_ask(ask);
  } else {
    leaf(application.leaf).strict.remove_ask(ask);
    strict_places_.remove_ask(ask);
  }
}

void CapacityState::change_wish(RunningApplication& application, const OpenAsk& ask,
                                std::int64_t units) {
  if (application.wanted.size() <= ask.partition) application.wanted.resize(ask.partition + 1);
  const bool did_want = application.wanted_in_all > 0;
  application.wanted[ask.partition] += static_cast<std::uint64_t>(units);
  application.wanted_in_all += static_cast<std::uint64_t>(units);
  application.pending_memory += units * ask.demand.memory_mib();
  if (application.stage != ApplicationStage::active) return;
  tree_->want(application.leaf, ask.partition, units);
  const bool does_want = application.wanted_in_all > 0;
  set_listing(application, listing_of(application));
  if (did_want != does_want) {
    leaf(application.leaf).users.count_wanting(*application.leaf_user, does_want ? 1 : -1);
  } else if (tree_->configured(application.leaf).has_size_based_weight) {
    update_rank(application);
  }
}

}  // namespace tracebed
