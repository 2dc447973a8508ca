// Writers' calls that wait for a datanode's report. A datanode acknowledges a block's last packet
// before the namenode knows of the replica, so a quick writer asks for the next block, or to close
// its file, too early. HDFS answers "not yet", which its own client takes as advice to ask again
// (DFSOutputStream.completeFile, DataStreamer.locateFollowingBlock); other clients give up, or
// leave the file open. So such an answer waits until the report is there, or for `wait` at most.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "coordinator/storage/namenode.h"
#include "core/storage_inputs.h"

namespace tracebed {

class DeferredCalls {
 public:
  // `wait` of 0 defers nothing. With `calls_max` deferred calls further ones are answered at once.
  DeferredCalls(Duration wait, std::size_t calls_max) : wait_(wait), calls_max_(calls_max) {}

  // Executes the call. Nothing if its answer waits.
  std::optional<StorageReply> call(Namenode& namenode, StorageCalled& called, TraceTime now);
  // Executes all that wait again, in their order: what has an answer now, or has waited long
  // enough. To be called when reports or calls have arrived, and at next_due().
  std::vector<AnswerStorageCall> retry(Namenode& namenode, TraceTime now);
  TraceTime next_due() const { return waiting_.empty() ? never : waiting_.front().until; }

 private:
  struct Waiting {
    StorageCalled called;
    TraceTime until;
  };
  Duration wait_;
  std::size_t calls_max_;
  std::vector<Waiting> waiting_;  // by `until`
};

}  // namespace tracebed
