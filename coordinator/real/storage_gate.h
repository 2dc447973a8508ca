// Where the threads that serve HDFS clients meet the thread of a run, which has the namenode in its
// engine. Clients' calls that change something wait here to become arrivals of the run's next
// round; what changes nothing is answered by the servers' threads themselves, from the namenode's
// state between two rounds.
//
// The run's thread is `outside` while it waits for arrivals and `inside` while it steps: servers
// read only while it is outside, and it enters when the reads that have begun are done.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/real/datanode_directory.h"
#include "coordinator/real/map_output_directory.h"
#include "coordinator/storage/namenode.h"
#include "core/storage_inputs.h"
#include "system/event_descriptor.h"

namespace tracebed {

// The namenode's times as clients know them: milliseconds since 1970.
struct StorageTimes {
  std::function<std::int64_t(TraceTime)> to_epoch;
  std::function<TraceTime(std::int64_t)> from_epoch;
};

class StorageGate {
 public:
  // Maximum number of calls that wait or are being answered; further ones fail as `retriable`.
  explicit StorageGate(std::size_t calls_max = 10'000) : calls_max_(calls_max) {}
  StorageGate(const StorageGate&) = delete;
  StorageGate& operator=(const StorageGate&) = delete;

  // ---- for servers; any thread ----

  struct View {
    const NamenodeState& state;
    const DatanodeDirectory& datanodes;
    const std::string& pool;  // of the run's blocks (BlockPoolID)
    TraceTime now;
    const StorageTimes& times;
  };
  // Calls `look`, which must not keep what it is given. False, without a call, if no run with
  // storage is open.
  bool read(const std::function<void(const View&)>& look) const;

  // `reply` is called once, by any thread and possibly before this returns, and must neither block
  // nor call the gate. Fails as `retriable` if no run with storage is open, if there are too many
  // calls, or if the run closes before it has answered.
  using Reply = std::function<void(const StorageReply&)>;
  void call(StorageCall call, Reply reply);

  // What tasks of the open run keep for each other. Any thread.
  MapOutputDirectory& map_outputs() { return map_outputs_; }

  // ---- for the run's thread ----

  struct Run {
    const Namenode* namenode = nullptr;  // outlives close()
    std::string pool;
    std::function<TraceTime()> now;  // for any thread
    StorageTimes times;              // likewise
  };
  // One run at a time; the run's thread is inside.
  void open(Run run);
  // Calls that are not answered fail.
  void close(const std::string& reason);

  // The run's thread is about to wait, and has stopped waiting.
  void leave();
  void enter();
  // While inside.
  void set_place(NodeId node, DatanodePlace place);

  // Readable when calls wait.
  int descriptor() const { return calls_wait_.number(); }
  // Those that wait, in their order, at most `count`.
  std::vector<StorageCalled> take_calls(std::size_t count);
  // A ticket that is unknown, as of a datanode's own call, is ignored.
  void answer(const AnswerStorageCall& answer);
  // A ticket for a call that the run's thread makes itself.
  std::uint64_t next_ticket();

 private:
  const std::size_t calls_max_;
  // Not a std::shared_mutex: there, readers that come one after the other keep a writer out.
  mutable std::mutex turn_mutex_;  // guards the next three
  mutable std::condition_variable turn_changed_;
  mutable std::size_t readers_ = 0;
  bool is_inside_ = true;        // or about to enter: no further reader begins
  std::optional<Run> run_;       // changed while inside, without readers
  DatanodeDirectory datanodes_;  // likewise

  MapOutputDirectory map_outputs_;

  mutable std::mutex calls_mutex_;  // guards what follows
  bool is_open_ = false;
  std::deque<StorageCalled> waiting_;
  std::map<std::uint64_t, Reply> replies_;  // by ticket
  std::uint64_t last_ticket_ = 0;
  EventDescriptor calls_wait_;
};

}  // namespace tracebed
