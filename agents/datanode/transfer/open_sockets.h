// The sockets that threads of a server may be waiting at, so that they can all be woken.
#pragma once

#include <atomic>
#include <mutex>
#include <set>

namespace tracebed {

// Any thread may call these.
class OpenSockets {
 public:
  // One that is added after the end is shut down at once.
  void add(int socket);
  // Before it is closed, since its number is then another's.
  void remove(int socket);
  // Shuts all down: whoever waits at one wakes with the end of its stream.
  void end();
  // Receives no more from any, while what is due can still be sent.
  void end_receiving();
  // True from before the first is shut down. From then on, that a connection has ended tells
  // nothing of whoever is at its other end.
  bool is_ending() const { return is_ending_; }

 private:
  std::atomic<bool> is_ending_{false};
  std::mutex mutex_;  // guards what follows
  std::set<int> sockets_;
  bool has_ended_ = false;
  bool has_ended_receiving_ = false;
};

}  // namespace tracebed
