// Where the outputs are that tasks keep for each other (core/shuffle.h), for the tasks of a run of
// real machines, which ask over the network. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/fleet.h"
#include "core/ids.h"

namespace tracebed {

class MapOutputDirectory {
 public:
  // The run has ended: nothing is known.
  void clear();

  // The shuffle server of a machine listens there.
  struct Server {
    std::string address;
    std::uint16_t port = 0;
    std::string rack;
    bool operator==(const Server&) const = default;
  };
  void set_server(NodeId node, Server server);
  void add(const MapOutputReady& output);
  void remove(JobId job);

  // The server at the address, if there is one.
  std::optional<Server> server_at(std::string_view address) const;
  // That of the machine with this number, from 1 (TaskWork::input_cached_on).
  std::optional<Server> server_of_machine(std::uint32_t number) const;

  struct Event {
    std::uint32_t source = 0;
    ContainerId container;
    Server server;
    std::int64_t offset = 0;
    bool operator==(const Event&) const = default;
  };
  struct Events {
    std::vector<Event> events;
    std::uint64_t next = 0;
  };
  // What became ready for the stage, from event `from` on, at most `count`. Stops before an output
  // on a machine whose server is not known yet.
  Events events_of(JobId job, std::uint16_t stage, std::uint64_t from, std::size_t count) const;

 private:
  mutable std::mutex mutex_;
  std::map<NodeId, Server> servers_;
  std::map<std::pair<JobId, std::uint16_t>, std::vector<MapOutputReady>> ready_;
};

}  // namespace tracebed
