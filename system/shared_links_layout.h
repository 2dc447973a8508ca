// How the file of SharedLinks is laid out, and what its links do; for shared_links.cpp alone.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "system/shared_links.h"

namespace tracebed {

// The file: a header; machines, ascending by address; links: of each machine, then of each rack,
// the outbound one and the inbound one; those of the disks, by machine; the disks' seek latencies.
struct SharedLinks::Header {
  std::array<char, 8> mark;
  std::uint32_t machines;
  std::uint32_t racks;
};
struct SharedLinks::Machine {
  std::uint32_t address;  // in network byte order
  std::uint32_t rack;
};
// A generic cell rate algorithm (ITU-T I.371, annex A) that counts bytes instead of time, so that
// the rate may change for requests that wait. Nothing is locked: a process may be stopped or killed
// at any instruction. All zeros is a link without a limit.
struct SharedLinks::Link {
  __extension__ using WideNumber = __int128;
  static constexpr std::int64_t second_ns = 1'000'000'000;
  // While it waits, a request looks this often whether a rate was changed by another process.
  static constexpr std::chrono::nanoseconds look_period = std::chrono::milliseconds(100);

  // From `since` on, until the next one.
  struct Epoch {
    std::atomic<std::int64_t> rate;    // bytes per second; 0: unlimited
    std::atomic<std::int64_t> passed;  // bytes by then, of all requests
    std::atomic<std::int64_t> since;   // of the monotonic clock, ns
  };
  struct State {
    std::int64_t rate = 0;
    std::int64_t passed = 0;
    std::int64_t since = 0;

    std::int64_t passed_by(std::int64_t now) const {
      return passed + bytes_in(std::max<std::int64_t>(0, now - since));
    }
    std::int64_t bytes_in(std::int64_t time) const {
      return static_cast<std::int64_t>(WideNumber{rate} * time / second_ns);
    }
  };
  static constexpr std::size_t epochs_kept = 8;

  std::atomic<std::int64_t> requested;  // bytes of all requests
  std::atomic<std::uint64_t> epoch;     // how many there were before the current one
  Epoch epochs[epochs_kept];

  static_assert(std::atomic<std::int64_t>::is_always_lock_free);

  State state() const {
    for (;;) {
      const std::uint64_t current = epoch.load();
      const Epoch& one = epochs[current % epochs_kept];
      const State state{one.rate.load(), one.passed.load(), one.since.load()};
      // Its place is written again only after epochs_kept - 1 others.
      if (epoch.load() - current < epochs_kept - 1) return state;
    }
  }

  // By one process at a time.
  void set_rate(std::int64_t rate, std::int64_t now) {
    const State before = state();
    // Neither credit nor what an unlimited link has passed is carried over.
    std::int64_t passed = requested.load();
    if (before.rate != 0) passed = std::min(passed, before.passed_by(now));
    const std::uint64_t next = epoch.load() + 1;
    Epoch& one = epochs[next % epochs_kept];
    one.rate.store(rate);
    one.passed.store(passed);
    one.since.store(now);
    epoch.store(next);
  }

  // Returns when it is granted: once so many bytes have passed.
  std::int64_t request(std::int64_t bytes, std::int64_t now) {
    const State current = state();
    const std::int64_t least =
        current.rate == 0 ? 0 : current.passed_by(now) - current.bytes_in(burst.count());
    std::int64_t before = requested.load();
    std::int64_t granted = 0;
    do {
      granted = std::max(before, least);
    } while (!requested.compare_exchange_weak(before, granted + bytes));
    return granted;
  }

  // How long a request still waits, in ns, if the rate stays; 0 once it is granted.
  std::int64_t wait_for(std::int64_t granted, std::int64_t now) const {
    const State current = state();
    const std::int64_t left = granted - current.passed_by(now);
    if (current.rate == 0 || left <= 0) return 0;
    const WideNumber time = (WideNumber{left} * second_ns + current.rate - 1) / current.rate;
    return static_cast<std::int64_t>(std::min(time, WideNumber{look_period.count()}));
  }
};

}  // namespace tracebed
