// What the commands of `tracebed storage` share: flags for the address of a running namenode, and a
// client of it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "hdfs_client/client_failure.h"
#include "hdfs_client/namenode_client.h"

namespace tracebed {

struct StorageFlags {
  std::string namenode;  // ADDRESS:PORT
  std::string user;
  bool json = false;
};

// The flags receive their defaults here: those of HDFS' own clients, $HADOOP_NAMENODE and
// $HADOOP_USER_NAME, where they are set.
void add_storage_flags(CLI::App& command, StorageFlags& flags);
void add_storage_json_flag(CLI::App& command, StorageFlags& flags);

// Throws InputError for a malformed address.
hdfs::NamenodeClient connect_to(const StorageFlags& flags);

// InputError if the namenode refused the call, as for a path that is not there; else
// EnvironmentError.
[[noreturn]] void throw_failure(const hdfs::ClientFailure& failure);

// What a call returned; throws as above if it failed.
template <class T>
T expected(hdfs::ClientResult<T> result) {
  if (!result) throw_failure(result.error());
  return std::move(*result);
}

// The file or directory; throws InputError if there is none.
hdfs::pb::HdfsFileStatus existing(hdfs::NamenodeClient& namenode, const std::string& path);

}  // namespace tracebed
