// The jobs of one of several schedulers: those that it can decide about, first in, first out, and
// those for which there was no room, until something becomes free.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "core/ids.h"

namespace tracebed {

class JobQueue {
 public:
  enum class State : std::uint8_t { absent, ready, blocked };

  // At the end of those that are ready, unless it is one of them.
  void add(ApplicationId job);
  // The job, which is absent, waits for room.
  void block(ApplicationId job);
  // Before those that are ready, in this order. They are absent.
  void put_back(std::span<const ApplicationId> jobs);
  // All that wait for room are ready, behind those that are.
  void unblock();
  void remove(ApplicationId job);

  bool has_ready() const { return !ready_.empty(); }
  // The next that is ready; there is one.
  ApplicationId first() const;
  ApplicationId take();

  State state(ApplicationId job) const;
  // How many are decided about before the job, which is ready.
  std::size_t before(ApplicationId job) const;

 private:
  using Jobs = std::map<std::int64_t, ApplicationId>;  // by the number of their turn
  struct Place {
    bool is_ready = false;
    std::int64_t turn = 0;
  };

  Jobs ready_;
  Jobs blocked_;
  std::map<ApplicationId, Place> places_;
  std::int64_t next_turn_ = 0;
  std::int64_t first_turn_ = 0;  // none is before
};

}  // namespace tracebed
