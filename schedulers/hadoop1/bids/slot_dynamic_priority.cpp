#include "schedulers/hadoop1/bids/slot_dynamic_priority.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "schedulers/hadoop1/kind_figures.h"
#include "schedulers/hadoop1/slot_figures.h"
#include "schedulers/hadoop1/slot_waiting.h"
#include "schedulers/parts/accept_all.h"

namespace tracebed {
namespace {

constexpr std::int64_t budget_max = 1'000'000'000;  // credits

double credits(std::int64_t thousandths) {
  return static_cast<double>(thousandths) / 1'000;
}

// "2" or "0.5".
std::string credits_text(std::int64_t thousandths) {
  std::string text = std::to_string(thousandths / 1'000);
  if (thousandths % 1'000 == 0) return text;
  text += "." + std::to_string(1'000 + thousandths % 1'000).substr(1);
  return text.substr(0, text.find_last_not_of('0') + 1);
}

}  // namespace

// ---- settings ----

const std::vector<SettingDescription>& slot_dynamic_priority_setting_descriptions() {
  constexpr std::array own{
      SettingDescription{"bids", "",
                         "what users spend for a slot in an interval, in credits, as in "
                         "\"alice=2,bob=0.5\""},
      SettingDescription{"budgets", "",
                         "what users have to spend, in credits, as in \"alice=1000\"; others have "
                         "no limit"},
      SettingDescription{"other_bid", "1", "what other users bid, 0.001 to 1000"},
      SettingDescription{"interval_ms", "20000",
                         "interval at which bids are paid and the slots divided anew, in "
                         "milliseconds, 1000 to 86400000 (mapred.dynamic-scheduler.alloc-interval, "
                         "in seconds)"},
      node_delay_setting,
      rack_delay_setting,
  };
  static const std::vector<SettingDescription> all = with_slot_settings(own);
  return all;
}

Result<SlotDynamicPrioritySettings> read_slot_dynamic_priority_settings(
    const SchedulerParameters& parameters) {
  const Result<SettingValues> values = with_mapred_site(parameters, {});
  if (!values) return values.error();
  SettingReader reader("scheduler slot_dynamic_priority",
                       slot_dynamic_priority_setting_descriptions(), *values);
  SlotDynamicPrioritySettings settings;
  settings.slots = read_slot_rule(reader);
  settings.order = read_turn_order(reader);
  settings.terms.other_bid = std::lround(1'000 * reader.fraction("other_bid", 0.001, 1'000));
  settings.terms.interval = reader.milliseconds_of("interval_ms", 1'000, 86'400'000);
  settings.delays = read_map_delays(reader);
  if (const Status status = reader.status(); !status) return status.error();
  constexpr std::string_view name = "slot_dynamic_priority";
  Result<NamedWeights> bids =
      read_named_weights(parameters, name, {.name = "bids", .example = "alice=2,bob=0.5"});
  if (!bids) return bids.error();
  Result<NamedWeights> budgets = read_named_weights(
      parameters, name, {.name = "budgets", .example = "alice=1000", .most = budget_max});
  if (!budgets) return budgets.error();
  settings.terms.bids = std::move(*bids);
  settings.terms.budgets = std::move(*budgets);
  return settings;
}

// ---- decisions ----

void SlotDynamicPriorityScheduler::decide(const SchedulerInput& input, Decisions& decisions) {
  free_.follow(input);
  delayed_.begin(input.now);
  // Up to now everything stood as the last call left it.
  bidders_.catch_up(input.now, {.map = jobs_.table().total(SlotKind::map),
                                .reduce = jobs_.table().total(SlotKind::reduce)});
  const SlotJobs::Changes& changes = jobs_.follow(input);
  delayed_.follow(jobs_, changes);
  for (const SlotJob& job : changes.removed) bidders_.drop(job.id);
  for (const ApplicationId id : changes.added) refresh(id);
  for (const ApplicationId id : changes.changed) refresh(id);
  if (changes.was_refused) {
    for (const auto& [key, job] : jobs_.all()) refresh(job.id);
  }
  accept_all(input, decisions);
  SlotOffer offer(input.cluster, jobs_, free_, decisions);
  for (const NodeId node : turns_.follow(input, free_)) serve_node(node, offer);
  delayed_.wake(decisions);
  turns_.wake(input.now, decisions);
}

std::string SlotDynamicPriorityScheduler::user_of(const SlotJob& job) const {
  return names_ != nullptr && job.user.is_valid() ? names_->users.name(job.user) : "";
}

void SlotDynamicPriorityScheduler::refresh(ApplicationId id) {
  const SlotJob* const job = jobs_.find(id);
  if (job != nullptr) bidders_.refresh(*job, user_of(*job));
}

void SlotDynamicPriorityScheduler::serve_node(NodeId node, SlotOffer& offer) {
  offer.place_masters(node, [](const SlotJob&) { return true; });
  offer.give_slots(node, [&](SlotKind kind) { return serve_one(node, kind, offer); });
}

bool SlotDynamicPriorityScheduler::serve_one(NodeId node, SlotKind kind, SlotOffer& offer) {
  const auto has_room = [&](const Resources& demand) { return offer.has_room(node, demand); };
  const auto place = [&](const SlotJobKey& key) {
    const ApplicationId id = key.id;
    if (!delayed_.place(offer, *jobs_.find(id), kind, node)) return false;
    refresh(id);
    return true;
  };
  const bool is_within_quota = bidders_.within_quota(kind).visit_with_room(
      has_room, [&](const std::pair<SlotJobKey, UserId>& user) {
        return bidders_.find(user.second)->waiting[kind].visit_with_room(has_room, place);
      });
  return is_within_quota || bidders_.waiting(kind).visit_with_room(has_room, place);
}

HeartbeatInterest SlotDynamicPriorityScheduler::heartbeat_interest() const {
  return turns_.interest(delayed_.interest(jobs_.heartbeat_interest(), jobs_));
}

// ---- what it tells about itself ----

std::string_view SlotDynamicPriorityScheduler::leaf_of(ApplicationId id) const {
  const SlotJob* const job = jobs_.find(id);
  const Bidder* const bidder = job == nullptr ? nullptr : bidders_.find(job->user);
  return bidder == nullptr ? std::string_view() : std::string_view(bidder->name);
}

SchedulerView SlotDynamicPriorityScheduler::view(const ClusterModel& cluster) const {
  SchedulerView view;
  std::map<UserId, std::size_t> places;
  for (const auto& [user, bidder] : bidders_.all()) {
    QueueView queue;
    queue.queue = {bidder.name, true, {}};
    std::vector<Figure>& figures = queue.queue.figures;
    const auto part = bidders_.price() == 0 ? 0.0
                                            : static_cast<double>(bidder.spending) /
                                                  static_cast<double>(bidders_.price());
    figures.push_back({"bid", "Bid", credits(bidder.bid)});
    figures.push_back(
        {"budget", "Budget", bidder.budget ? FigureValue(credits(*bidder.budget)) : Unlimited()});
    figures.push_back({"spending", "Spending", credits(bidder.spending)});
    figures.push_back({"share", "Share", Ratio{part}, "spending / price"});
    double slots = 0;
    for (const SlotKind kind : slot_kinds) {
      figures.push_back({id_of_kind("quota", kind), label_of_kind("Quota", kind),
                         std::int64_t{bidder.quota[kind]}});
      figures.push_back({id_of_kind("occupied", kind), label_of_kind("Occupied", kind),
                         std::int64_t{bidder.slots[kind]}});
      figures.push_back({id_of_kind("pending", kind), label_of_kind("Pending", kind),
                         std::int64_t{bidder.pending[kind]}});
      slots += static_cast<double>(bidder.quota[kind]);
    }
    queue.entitled = part_of_cluster(cluster, jobs_.table(), slots);
    places.emplace(user, view.queues.size());
    view.queues.push_back(std::move(queue));
  }
  for (const auto& [key, job] : jobs_.all()) {
    const auto place = places.find(job.user);
    if (place == places.end()) continue;
    QueueView& queue = view.queues[place->second];
    const Application* const application = cluster.applications.find(job.id);
    if (application != nullptr) queue.used += application->used;
    queue.active.push_back(job.id);
    view.applications.push_back({job.id, queue.queue.path, true, cluster.free, {}});
    delayed_.add_figures(job.id, view.applications.back().figures);
  }
  std::sort(view.applications.begin(), view.applications.end(),
            [](const ApplicationView& a, const ApplicationView& b) {
              return a.application < b.application;
            });
  return view;
}

std::vector<WaitingReason> SlotDynamicPriorityScheduler::why_waiting(const ClusterModel& cluster,
                                                                     ApplicationId id,
                                                                     AskId ask) const {
  const SlotJob* const job = jobs_.find(id);
  const Bidder* const bidder = job == nullptr ? nullptr : bidders_.find(job->user);
  if (bidder == nullptr) return {};
  std::vector<WaitingReason> reasons =
      why_slots_are_waited_for(cluster, jobs_, *job, ask, delayed_);
  if (reasons.empty() || (bidder->could_pay && !bidder->is_out_of_budget())) return reasons;
  reasons.insert(reasons.begin(),
                 {WaitingFor::budget,
                  "user " + bidder->name + " bids " + credits_text(bidder->bid) +
                      " credits for a slot and interval, and has " + credits_text(*bidder->budget) +
                      " left: the job gets the slots that others leave"});
  return reasons;
}

}  // namespace tracebed
