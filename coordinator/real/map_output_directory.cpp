#include "coordinator/real/map_output_directory.h"

#include <algorithm>

namespace tracebed {

void MapOutputDirectory::clear() {
  const std::lock_guard lock(mutex_);
  servers_.clear();
  ready_.clear();
}

void MapOutputDirectory::set_server(NodeId node, Server server) {
  const std::lock_guard lock(mutex_);
  servers_[node] = std::move(server);
}

void MapOutputDirectory::add(const MapOutputReady& output) {
  const std::lock_guard lock(mutex_);
  ready_[{output.job, output.stage}].push_back(output);
}

void MapOutputDirectory::remove(JobId job) {
  const std::lock_guard lock(mutex_);
  const auto begin = ready_.lower_bound({job, 0});
  auto end = begin;
  while (end != ready_.end() && end->first.first == job) ++end;
  ready_.erase(begin, end);
}

std::optional<MapOutputDirectory::Server> MapOutputDirectory::server_at(
    std::string_view address) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(servers_.begin(), servers_.end(), [&](const auto& entry) {
    return entry.second.address == address;
  });
  if (found == servers_.end()) return std::nullopt;
  return found->second;
}

std::optional<MapOutputDirectory::Server> MapOutputDirectory::server_of_machine(
    std::uint32_t number) const {
  if (number == 0) return std::nullopt;
  const std::lock_guard lock(mutex_);
  const auto found = servers_.find(NodeId(std::size_t{number} - 1));
  if (found == servers_.end()) return std::nullopt;
  return found->second;
}

MapOutputDirectory::Events MapOutputDirectory::events_of(JobId job, std::uint16_t stage,
                                                         std::uint64_t from,
                                                         std::size_t count) const {
  const std::lock_guard lock(mutex_);
  Events result{{}, from};
  const auto found = ready_.find({job, stage});
  if (found == ready_.end()) return result;
  const std::vector<MapOutputReady>& ready = found->second;
  for (; result.next < ready.size() && result.events.size() < count; ++result.next) {
    const MapOutputReady& output = ready[static_cast<std::size_t>(result.next)];
    const auto server = servers_.find(output.node);
    if (server == servers_.end()) break;
    result.events.push_back({output.source, output.container, server->second, output.offset});
  }
  return result;
}

}  // namespace tracebed
