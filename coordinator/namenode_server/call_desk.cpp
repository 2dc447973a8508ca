#include "coordinator/namenode_server/call_desk.h"

#include <mutex>
#include <utility>

#include "system/event_descriptor.h"

namespace tracebed {

struct CallDesk::Mailbox {
  EventDescriptor has_mail;
  std::mutex mutex;
  std::vector<Reply> replies;  // guarded by it
};

CallDesk::CallDesk(StorageGate& gate, StreamServer& server, TakeReplies take)
    : gate_(gate), take_(std::move(take)), mailbox_(std::make_shared<Mailbox>()) {
  // The server may outlive the desk: it keeps the descriptor open for as long as it watches it.
  server.watch(mailbox_->has_mail.number(), [this, kept = mailbox_] { take_all(); });
}

std::uint64_t CallDesk::call(StorageCall call) {
  const std::uint64_t ticket = ++last_ticket_;
  gate_.call(std::move(call), [mailbox = mailbox_, ticket](const StorageReply& reply) {
    const std::lock_guard lock(mailbox->mutex);
    mailbox->replies.push_back({ticket, reply});
    mailbox->has_mail.ring();
  });
  return ticket;
}

void CallDesk::take_all() {
  std::vector<Reply> replies;
  {
    const std::lock_guard lock(mailbox_->mutex);
    replies.swap(mailbox_->replies);
    mailbox_->has_mail.clear();
  }
  take_(std::move(replies));
}

}  // namespace tracebed
