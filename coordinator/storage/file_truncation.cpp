#include "coordinator/storage/file_truncation.h"

#include "coordinator/storage/block_lifecycle.h"
#include "coordinator/storage/file_lookup.h"
#include "coordinator/storage/file_writing.h"
#include "coordinator/storage/lease_recovery.h"

namespace tracebed {
namespace {

using enum StorageFailureKind;

// FSDirTruncateOp: a repetition while the recovery that it began is under way.
bool repeats_truncation(const NamenodeState& state, const StorageCaller& caller,
                        const FileContents& file, std::int64_t new_length) {
  const auto last = last_block_of(file);
  if (!last || file.lease_holder != caller.client) return false;
  const BlockConstruction* construction = state.constructions.find(*last);
  if (construction == nullptr || !construction->truncated_length) return false;
  const std::int64_t before = length_of(state, file) - state.blocks.block(*last).length;
  return before + *construction->truncated_length == new_length;
}

}  // namespace

StorageReply truncate_file(NamenodeState& state, const StorageCaller& caller,
                           const TruncateFile& call, TraceTime now) {
  if (auto status = check_client(state, caller); !status) return status.error();
  const auto found = existing_file(state, call.path);
  if (!found) return found.error();
  const InodeId file = *found;
  if (call.new_length < 0) {
    return storage_failure(hadoop_illegal_argument, "Cannot truncate to a negative file size: " +
                                                        std::to_string(call.new_length) + ".");
  }
  if (repeats_truncation(state, caller, state.tree.inode(file).file, call.new_length)) {
    return Answer{false};
  }
  const auto taken = take_lease_over(state, caller, {file, call.path, "TRUNCATE_FILE"}, now);
  if (!taken) return taken.error();
  const std::int64_t length = length_of(state, state.tree.inode(file).file);
  if (call.new_length > length) {
    return storage_failure(
        hadoop_illegal_argument,
        "Cannot truncate to a larger file size. Current size: " + std::to_string(length) +
            ", truncate size: " + std::to_string(call.new_length) + ".");
  }
  if (call.new_length == length) return Answer{true};
  if (auto status = check_open_files(state, caller); !status) return status.error();

  Inode& inode = state.tree.change(file);
  std::vector<BlockIndex>& blocks = inode.file.blocks;
  std::int64_t before_last = length;
  while (!blocks.empty()) {
    before_last -= state.blocks.block(blocks.back()).length;
    if (before_last < call.new_length) break;
    release_block(state, blocks.back());
    blocks.pop_back();
  }
  inode.modified = now;
  const bool is_on_boundary = length_of(state, inode.file) == call.new_length;
  if (is_on_boundary) return Answer{true};
  const auto opened = open_for_writing(state, caller, file, now);
  TRACEBED_CHECK(opened.has_value(), "it was checked that the client may open another file");
  reopen_block(state, blocks.back());
  state.constructions.change(blocks.back()).truncated_length = call.new_length - before_last;
  begin_block_recovery(state, blocks.back(), now);
  return Answer{false};
}

}  // namespace tracebed
