#include "agents/datanode/replica_info.h"

#include <cerrno>

#include "system/file_descriptor.h"

namespace tracebed {
namespace {

const char* text_of(StoreFailure failure) {
  switch (failure) {
    case StoreFailure::no_such_replica:
      return "there is no such replica";
    case StoreFailure::replica_exists:
      return "the replica exists";
    case StoreFailure::wrong_stage:
      return "the replica is in another stage";
    case StoreFailure::under_recovery:
      return "the replica is being recovered";
    case StoreFailure::wrong_length:
      return "the replica has another length";
    case StoreFailure::writer_is_active:
      return "the replica's writer does not end";
    case StoreFailure::writer_is_replaced:
      return "the replica has another writer, or was deleted";
    case StoreFailure::disk_full:
      return "the disk is full";
    case StoreFailure::input_output:
      return "input or output failed";
  }
  return "";
}

}  // namespace

StoreError store_error(int error_number, const char* what) {
  // EFBIG: of RLIMIT_FSIZE, or of the file system.
  const bool is_full = error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG;
  return {is_full ? StoreFailure::disk_full : StoreFailure::input_output,
          std::string(what) + ": " + error_text(error_number)};
}

StoreError store_error(StoreFailure failure, std::uint64_t block_id) {
  return {failure, "block " + std::to_string(block_id) + ": " + text_of(failure)};
}

}  // namespace tracebed
