#include "coordinator/storage/deferred_calls.h"

#include <utility>

namespace tracebed {
namespace {

// Whether only a report is missing for another answer.
bool is_too_early(const StorageOperation& operation, const StorageReply& reply) {
  if (std::holds_alternative<CompleteFile>(operation)) {
    const auto* answer = std::get_if<Answer>(&reply);
    return answer != nullptr && !answer->is_true;
  }
  const auto* failure = std::get_if<StorageFailure>(&reply);
  return failure != nullptr && failure->kind == StorageFailureKind::not_replicated_yet;
}

}  // namespace

std::optional<StorageReply> DeferredCalls::call(Namenode& namenode, StorageCalled& called,
                                                TraceTime now) {
  StorageReply reply = namenode.call(called.call, now);
  const bool may_wait = wait_ > Duration::zero() && waiting_.size() < calls_max_;
  if (!may_wait || !is_too_early(called.call.operation, reply)) return reply;
  waiting_.push_back({std::move(called), now + wait_});
  return std::nullopt;
}

std::vector<AnswerStorageCall> DeferredCalls::retry(Namenode& namenode, TraceTime now) {
  std::vector<AnswerStorageCall> answers;
  std::erase_if(waiting_, [&](const Waiting& one) {
    StorageReply reply = namenode.call(one.called.call, now);
    if (now < one.until && is_too_early(one.called.call.operation, reply)) return false;
    answers.push_back({one.called.ticket, std::move(reply)});
    return true;
  });
  return answers;
}

}  // namespace tracebed
