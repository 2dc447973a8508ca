// A client of the administrators' service of a run's HDFS (protocol/storage.thrift).
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "Storage.h"

namespace tracebed {

struct AdministratorFlags {
  std::string address;     // ADDRESS:PORT
  std::string token_file;  // empty: none
  bool json = false;
};

void add_administrator_flags(CLI::App& command, AdministratorFlags& flags);

class StorageAdministrator {
 public:
  // Throws InputError for a malformed address, EnvironmentError if nobody answers there or the
  // token file is invalid.
  explicit StorageAdministrator(const AdministratorFlags& flags);

  // Returns call(client). Throws InputError if the service refused it, with its sentence, and
  // EnvironmentError if it did not answer.
  template <class Call>
  auto ask(Call call) {
    try {
      return call(*client_);
    } catch (...) {
      throw_failure();
    }
  }

 private:
  // Of the exception that is being handled.
  [[noreturn]] void throw_failure() const;

  std::string address_;
  std::unique_ptr<storage::StorageClient> client_;
};

}  // namespace tracebed
