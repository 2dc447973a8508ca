// Why a call to the namenode fails, as Hadoop's clients know it: the kind is an exception class of
// Hadoop's, which doors of every protocol name in their answers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/result.h"

namespace tracebed {

enum class StorageFailureKind : std::uint8_t {
  file_not_found,
  file_already_exists,
  parent_not_directory,
  directory_not_empty,
  invalid_path,
  path_component_too_long,
  illegal_argument,
  already_being_created,
  lease_expired,
  safe_mode,
  not_replicated_yet,
  recovery_in_progress,
  retriable,
  directory_items_exceeded,
  hadoop_illegal_argument,
  io,
};

struct StorageFailure {
  StorageFailureKind kind = StorageFailureKind::io;
  std::string message;  // one sentence

  bool operator==(const StorageFailure&) const = default;
};

template <class T>
using StorageResult = Result<T, StorageFailure>;
using StorageStatus = StorageResult<std::monostate>;
inline StorageStatus storage_success() {
  return StorageStatus(std::monostate{});
}

// "java.io.FileNotFoundException", …
constexpr std::string_view exception_class(StorageFailureKind kind) {
  switch (kind) {
    case StorageFailureKind::file_not_found:
      return "java.io.FileNotFoundException";
    case StorageFailureKind::file_already_exists:
      return "org.apache.hadoop.fs.FileAlreadyExistsException";
    case StorageFailureKind::parent_not_directory:
      return "org.apache.hadoop.fs.ParentNotDirectoryException";
    case StorageFailureKind::directory_not_empty:
      return "org.apache.hadoop.fs.PathIsNotEmptyDirectoryException";
    case StorageFailureKind::invalid_path:
      return "org.apache.hadoop.fs.InvalidPathException";
    case StorageFailureKind::path_component_too_long:
      return "org.apache.hadoop.hdfs.protocol.FSLimitException$PathComponentTooLongException";
    case StorageFailureKind::illegal_argument:
      return "java.lang.IllegalArgumentException";
    case StorageFailureKind::already_being_created:
      return "org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException";
    case StorageFailureKind::lease_expired:
      return "org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException";
    case StorageFailureKind::safe_mode:
      return "org.apache.hadoop.hdfs.server.namenode.SafeModeException";
    case StorageFailureKind::not_replicated_yet:
      return "org.apache.hadoop.hdfs.server.namenode.NotReplicatedYetException";
    case StorageFailureKind::recovery_in_progress:
      return "org.apache.hadoop.hdfs.protocol.RecoveryInProgressException";
    case StorageFailureKind::retriable:
      return "org.apache.hadoop.ipc.RetriableException";
    case StorageFailureKind::directory_items_exceeded:
      return "org.apache.hadoop.hdfs.protocol.FSLimitException$MaxDirectoryItemsExceededException";
    case StorageFailureKind::hadoop_illegal_argument:
      return "org.apache.hadoop.HadoopIllegalArgumentException";
    case StorageFailureKind::io:
      return "java.io.IOException";
  }
  return "";
}

}  // namespace tracebed
