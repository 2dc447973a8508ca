// Takes the changes that clients of one server ask for to the run, and brings the replies back to
// the server's thread, where they arrive several at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "coordinator/real/storage_gate.h"
#include "core/storage_call.h"
#include "core/storage_reply.h"
#include "daemon/stream_server.h"

namespace tracebed {

class CallDesk {
 public:
  struct Reply {
    std::uint64_t ticket = 0;
    StorageReply reply;
  };
  using TakeReplies = std::function<void(std::vector<Reply>)>;

  // Before the server starts; both outlive the desk, and the gate may outlive it with calls that
  // are not answered: nobody hears of their replies. `take` is called by the server's thread, never
  // within call().
  CallDesk(StorageGate& gate, StreamServer& server, TakeReplies take);

  // The server's thread. The reply has the ticket, which is never given twice.
  std::uint64_t call(StorageCall call);

 private:
  struct Mailbox;

  void take_all();

  StorageGate& gate_;
  const TakeReplies take_;
  // Shared with the calls on their way, which the run's thread may answer when the desk is gone.
  const std::shared_ptr<Mailbox> mailbox_;
  std::uint64_t last_ticket_ = 0;
};

}  // namespace tracebed
