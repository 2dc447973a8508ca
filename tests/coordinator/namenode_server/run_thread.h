// A run with storage behind a gate, for tests of its servers: a thread of its own that waits for
// calls and executes them as a run does, over a namenode whose datanodes execute every order.
#pragma once

#include <functional>
#include <future>
#include <mutex>
#include <poll.h>
#include <string>
#include <thread>
#include <utility>

#include "coordinator/real/storage_gate.h"
#include "coordinator/storage/served_namenode.h"
#include "system/event_descriptor.h"

namespace tracebed::test {

// Milliseconds since 1970 at the trace's beginning.
inline constexpr std::int64_t epoch_at_start = 1'700'000'000'000;

class RunThread {
 public:
  // Datanode n is at 127.0.1.(n + 1), three in a rack.
  explicit RunThread(unsigned nodes = 3,
                     const NamenodeOptions& options = ServedNamenode::options_for_tests())
      : served_(nodes, options) {
    open();
    thread_ = std::thread([this] { serve(); });
  }
  ~RunThread() {
    within([this](ServedNamenode&) { is_ended_ = true; });
    thread_.join();
    if (is_open_) gate_.close("the test has ended");
  }

  StorageGate& gate() { return gate_; }

  // By the run's thread, between two rounds; returns when it is done.
  void within(std::function<void(ServedNamenode&)> work) {
    std::promise<void> done;
    {
      const std::lock_guard lock(mutex_);
      work_ = [&](ServedNamenode& served) {
        work(served);
        done.set_value();
      };
    }
    has_work_.ring();
    done.get_future().get();
  }
  void preload(const std::string& path, std::int64_t size, std::int64_t block_size = 1024) {
    within([&](ServedNamenode& served) {
      const auto placed = served.namenode_.preload({.path = path,
                                                    .size = size,
                                                    .block_size = block_size,
                                                    .user = "alice",
                                                    .writer = {},
                                                    .nodes = {}},
                                                   served.now_);
      EXPECT_TRUE(placed) << placed.error().message;
    });
  }
  void end_run() {
    within([this](ServedNamenode&) {
      gate_.close("the run has ended");
      is_open_ = false;
    });
  }
  void open_again(const std::string& pool) {
    within([&](ServedNamenode&) {
      pool_ = pool;
      open();
    });
  }
  // Calls are taken, and not answered, until the run ends.
  void stop_answering() {
    within([this](ServedNamenode&) { answers_ = false; });
  }
  std::size_t unanswered() {
    std::size_t count = 0;
    within([&](ServedNamenode&) { count = unanswered_; });
    return count;
  }

 private:
  void open() {
    gate_.open(
        {.namenode = &served_.namenode_,
         .pool = pool_,
         .now = [this] { return served_.now_; },
         .times = {
             [](TraceTime time) { return epoch_at_start + to_microseconds(time) / 1000; },
             [](std::int64_t epoch) { return trace_time((epoch - epoch_at_start) * 1000); }}});
    is_open_ = true;
    for (unsigned i = 0; i < served_.nodes(); ++i) {
      gate_.set_place(NodeId(i), {.name = "host" + std::to_string(i),
                                  .address = "127.0.1." + std::to_string(i + 1),
                                  .transfer_port = static_cast<std::uint16_t>(9866 + i),
                                  .http_port = static_cast<std::uint16_t>(9000 + i),
                                  .rack = "/rack" + std::to_string(i / 3)});
    }
  }
  void serve() {
    while (!is_ended_) {
      if (is_open_) gate_.leave();
      pollfd events[] = {{.fd = gate_.descriptor(), .events = POLLIN, .revents = 0},
                         {.fd = has_work_.number(), .events = POLLIN, .revents = 0}};
      ::poll(events, 2, -1);
      if (is_open_) gate_.enter();
      for (const StorageCalled& called : gate_.take_calls(100)) {
        if (answers_) {
          gate_.answer({called.ticket, served_.namenode_.call(called.call, served_.now_)});
        } else {
          ++unanswered_;
        }
      }
      std::function<void(ServedNamenode&)> work;
      {
        const std::lock_guard lock(mutex_);
        work.swap(work_);
        has_work_.clear();
      }
      if (work) work(served_);
    }
  }

  StorageGate gate_;
  ServedNamenode served_;  // of the thread, as what follows
  std::string pool_ = "BP-1";
  bool is_open_ = false;
  bool is_ended_ = false;
  bool answers_ = true;
  std::size_t unanswered_ = 0;

  std::mutex mutex_;
  std::function<void(ServedNamenode&)> work_;  // guarded by it
  EventDescriptor has_work_;
  std::thread thread_;
};

}  // namespace tracebed::test
