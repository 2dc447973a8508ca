#include "coordinator/disturbances/requested_changes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

#include "coordinator/resolving/resolved_controller.h"
#include "coordinator/resolving/scheduler_files.h"
#include "core/input_error.h"
#include "core/visit.h"
#include "system/quantities.h"

namespace tracebed {
namespace {

const Node* find_node(const ClusterModel& cluster, const std::string& name) {
  const std::vector<Node>& nodes = cluster.nodes;
  const auto found =
      std::find_if(nodes.begin(), nodes.end(), [&](const Node& node) { return node.name == name; });
  return found == nodes.end() ? nullptr : &*found;
}

std::string fault_of_move(const ClusterModel& cluster, ContainerId id, const Node* to) {
  const Container* container = cluster.containers.find(id);
  if (container == nullptr) return fmt::format("container {} does not exist now", id.value());
  if (to == nullptr) {
    const bool has_elsewhere =
        std::any_of(cluster.nodes.begin(), cluster.nodes.end(), [&](const Node& node) {
          return node.alive && node.id != container->node &&
                 cluster.could_hold(node, container->resources);
        });
    return has_elsewhere ? "" : fmt::format("no other node could hold container {}", id.value());
  }
  const Ask* ask = cluster.asks.find(container->ask);
  if (container->is_master || container->units > 1 || (ask != nullptr && ask->is_gang())) {
    return fmt::format("container {} holds {}: it can be moved, but not to a chosen node",
                       id.value(), container->is_master ? "a master" : "part of a gang");
  }
  if (to->id == container->node) {
    return fmt::format("container {} is already on node {}", id.value(), to->name);
  }
  if (!to->alive) return fmt::format("node {} takes no containers now", to->name);
  if (!cluster.could_hold(*to, container->resources)) {
    return fmt::format("node {} is too small for container {}", to->name, id.value());
  }
  return "";
}

// Why the order cannot be carried out; empty if it can.
std::string fault_of(const ClusterModel& cluster, const AdministratorRequest& request) {
  const bool is_move = request.kind == AdministratorCommandKind::move;
  const Node* node = find_node(cluster, request.node);
  if (node == nullptr && !(is_move && request.node.empty())) {
    return fmt::format("there is no node \"{}\" in the run", request.node);
  }
  if (request.kind == AdministratorCommandKind::undrain && !node->is_withheld) {
    return fmt::format("node {} is in service: it was not drained", request.node);
  }
  return is_move ? fault_of_move(cluster, request.container, node) : "";
}

std::string sentence_of(const AdministratorRequest& request) {
  switch (request.kind) {
    case AdministratorCommandKind::move:
      return fmt::format("container {} is marked for preemption within {}; its task continues {}",
                         request.container.value(), duration_text(request.grace),
                         request.node.empty() ? "elsewhere" : "on node " + request.node);
    case AdministratorCommandKind::drain:
      return fmt::format(
          "node {} takes no new containers; its containers are marked for preemption within {}",
          request.node, duration_text(request.grace));
    case AdministratorCommandKind::undrain:
      return fmt::format("node {} is back in service", request.node);
  }
  return "";
}

// In parts per million. Throws InputError.
std::int64_t read_share(const RequestedTuning& request) {
  double share = -1;
  const char* const end = request.value.data() + request.value.size();
  const auto [at, error] = std::from_chars(request.value.data(), end, share);
  if (error != std::errc() || at != end || !(share >= 0 && share <= 1)) {
    throw InputError(
        fmt::format("{}: expected a part from 0 to 1, got '{}'", request.parameter, request.value));
  }
  return std::llround(share * static_cast<double>(whole_share));
}

// The queue in "QUEUE.PARAMETER", empty for PARAMETER alone; none if it is another parameter.
std::optional<std::string> queue_of(std::string_view text, std::string_view parameter) {
  if (text == parameter) return "";
  if (!text.ends_with(parameter)) return std::nullopt;
  text.remove_suffix(parameter.size());
  if (!text.ends_with('.')) return std::nullopt;
  return std::string(text.substr(0, text.size() - 1));
}

}  // namespace

std::vector<AdministratorRequest> commands_of(const std::vector<DrainChoice>& drains) {
  std::vector<AdministratorRequest> requests;
  for (const DrainChoice& drain : drains) {
    requests.push_back({drain.at, AdministratorCommandKind::drain, drain.node, {}, drain.grace});
    if (drain.until != never)
      requests.push_back({drain.until, AdministratorCommandKind::undrain, drain.node, {}, {}});
  }
  std::stable_sort(
      requests.begin(), requests.end(),
      [](const AdministratorRequest& a, const AdministratorRequest& b) { return a.at < b.at; });
  return requests;
}

RequestedChanges::RequestedChanges(const ScheduledConfigurations& configurations,
                                   const Surroundings& surroundings, const Engine& engine,
                                   RunRequests* requests, Warnings& warnings)
    : latest_(configurations.scheduler),
      surroundings_(surroundings),
      engine_(engine),
      requests_(requests),
      warnings_(warnings) {
  for (const auto& [at, refresh] : configurations.refreshes) {
    to_come_.push_back({refresh, false, 0});
  }
  show();
}

void RequestedChanges::show() const {
  if (requests_ == nullptr) return;
  requests_->configured({std::string(latest_.entry->name), latest_.entry->mutable_file.has_value(),
                         mutable_properties(latest_)});
}

std::optional<SchedulerConfiguration> RequestedChanges::due_refresh() {
  if (requests_ == nullptr) return std::nullopt;
  const std::optional<NumberedChange> requested = requests_->requested_change();
  if (!requested) return std::nullopt;
  return visit_all(
      requested->change,
      [&](const AdministratorRequest& command) -> std::optional<SchedulerConfiguration> {
        take(requested->number, command);
        return std::nullopt;
      },
      [&](const auto& request) -> std::optional<SchedulerConfiguration> {
        try {
          ResolvedScheduler changed = changed_by(request);
          SchedulerConfiguration configuration = configuration_of(changed);
          to_come_.push_front({std::move(changed), false, requested->number});
          return configuration;
        } catch (const InputError& error) {
          report(requested->number, false, error.what());
          return std::nullopt;
        }
      });
}

ResolvedScheduler RequestedChanges::changed_by(const RequestedRefresh& request) const {
  const std::string where = request.file.empty() ? "the refresh, " + request.setting : request.file;
  return with_setting(latest_, {request.setting, request.value, where}, surroundings_.scale);
}

ResolvedScheduler RequestedChanges::changed_by(const RequestedTuning& request) const {
  const SchedulerEntry& entry = *latest_.entry;
  if (entry.master_share) {
    const auto queue = queue_of(request.parameter, entry.master_share->name);
    if (queue) {
      const std::int64_t share = read_share(request);
      Result<ResolvedScheduler> changed =
          with_master_share(latest_, *queue, share, surroundings_.dimensions);
      if (!changed) throw InputError(changed.error().message);
      return *std::move(changed);
    }
  }
  const bool is_setting = std::any_of(
      entry.settings.begin(), entry.settings.end(),
      [&](const SettingDescription& setting) { return setting.name == request.parameter; });
  if (!is_setting) {
    throw InputError(fmt::format(
        "expected a setting of {}{}, got {}", entry.name,
        entry.master_share ? fmt::format(" or [QUEUE.]{}", entry.master_share->name) : "",
        request.parameter));
  }
  if (names_xml_file(entry, {request.parameter, "file", {}})) {
    throw InputError(
        fmt::format("{} names a file: refresh-queues sends another one", request.parameter));
  }
  return with_setting(latest_, {request.parameter, request.value, request.parameter},
                      surroundings_.scale);
}

ResolvedScheduler RequestedChanges::changed_by(const RequestedUpdate& request) const {
  return with_update(latest_, request.update, surroundings_.scale, surroundings_.dimensions);
}

Result<SchedulerConfiguration> RequestedChanges::tune(
    const std::string& queue, std::int64_t share,
    const std::function<void(ResolvedScheduler&)>& keep) {
  Result<ResolvedScheduler> changed =
      with_master_share(latest_, queue, share, surroundings_.dimensions);
  if (!changed) {
    report(0, false, "the scheduler's controller cannot change it: " + changed.error().message);
    return changed.error();
  }
  keep(*changed);
  SchedulerConfiguration configuration = configuration_of(*changed);
  to_come_.push_front({std::move(*changed), true, 0});
  return configuration;
}

void RequestedChanges::after_round(TraceTime now) {
  now_ = now;
  const std::vector<Node>& nodes = engine_.cluster().nodes;
  for (; nodes_reported_ < nodes.size(); ++nodes_reported_) {
    if (requests_ != nullptr) requests_->joined(nodes[nodes_reported_].name);
  }
  for (; refreshes_reported_ < engine_.refreshes().size(); ++refreshes_reported_) {
    const EngineRefresh& refresh = engine_.refreshes()[refreshes_reported_];
    const std::string at = clock_text(refresh.at.time_since_epoch());
    const bool was_taken = refresh.refusal.empty();
    const Coming coming = std::move(to_come_.front());
    to_come_.pop_front();
    if (was_taken) {
      latest_ = coming.scheduler;
      show();
    }
    if (coming.is_tuned && was_taken) continue;  // its rows say so, and there may be many
    report(coming.request, was_taken,
           was_taken
               ? fmt::format("at {} of the trace the scheduler loaded another configuration", at)
               : fmt::format("at {} of the trace the scheduler rejected another configuration and "
                             "keeps the previous one: {}",
                             at, refresh.refusal));
  }
}

void RequestedChanges::report(std::int64_t request, bool was_taken, const std::string& outcome) {
  warnings_.add(outcome);
  if (requests_ != nullptr) requests_->changed({request, was_taken, now_, outcome});
}

void RequestedChanges::take(std::int64_t number, const AdministratorRequest& request) {
  if (const std::string fault = fault_of(engine_.cluster(), request); !fault.empty())
    return report(number, false, fault);
  commands_.push_back(request);
  report(number, true, sentence_of(request));
}

}  // namespace tracebed
