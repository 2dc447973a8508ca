// `tracebed storage get` and `put`
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unistd.h>

#include "coordinator/cli/duration_flag.h"
#include "coordinator/cli/storage_client.h"
#include "coordinator/cli/storage_commands.h"
#include "core/input_error.h"
#include "hdfs_client/dead_datanodes.h"
#include "hdfs_client/file_reader.h"
#include "hdfs_client/file_writer.h"
#include "system/file_descriptor.h"
#include "system/quantities.h"

namespace tracebed {
namespace {

struct CopyFlags : StorageFlags {
  std::string from;
  std::string to;
  bool overwrites = false;
  std::uint32_t replication = 0;  // 0: the namenode's default, as of the next
  std::string block_size;
  std::optional<Duration> socket_timeout;
};

void add_copy_flags(CLI::App& command, CopyFlags& flags) {
  command.add_flag("--overwrite", flags.overwrites, "Replace the file if there is one");
  add_duration_flag(command, "--socket-timeout", flags.socket_timeout,
                    "How long to wait for a datanode before another one is tried "
                    "(dfs.client.socket-timeout; default: 60s)");
  add_storage_flags(command, flags);
}

hdfs::ConnectionOptions connection_options(const CopyFlags& flags) {
  hdfs::ConnectionOptions options;
  if (!flags.socket_timeout) return options;
  const auto timeout = std::chrono::ceil<std::chrono::milliseconds>(*flags.socket_timeout);
  options.connect_timeout = options.read_timeout = options.write_timeout = timeout;
  return options;
}

constexpr std::string_view standard_stream = "-";

[[noreturn]] void fail_copy(const std::string& file, int error_number) {
  throw EnvironmentError(file + ": " + error_text(error_number));
}

FileDescriptor open_local(const std::string& file, int flags, int standard) {
  constexpr mode_t mode = 0644;
  const bool is_standard = file == standard_stream;
  FileDescriptor descriptor(is_standard ? dup(standard)
                                        : open(file.c_str(), flags | O_CLOEXEC, mode));
  if (!descriptor.is_open()) fail_copy(file, errno);
  return descriptor;
}

void write_local(const FileDescriptor& to, hdfs::Bytes bytes, const std::string& file) {
  while (!bytes.empty()) {
    const ssize_t written = write(to.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_copy(file, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

// A file that could not be read to its end is removed.
void copy_out(const CopyFlags& flags) {
  hdfs::NamenodeClient namenode = connect_to(flags);
  hdfs::DeadDatanodes dead;
  hdfs::FileReadOptions options;
  options.connection = connection_options(flags);
  auto reader = expected(hdfs::FileReader::open(
      namenode, dead, flags.from, 0, std::numeric_limits<std::uint64_t>::max(), options));
  const int existing = flags.overwrites ? O_TRUNC : O_EXCL;
  const FileDescriptor to = open_local(flags.to, O_WRONLY | O_CREAT | existing, STDOUT_FILENO);
  try {
    for (;;) {
      const hdfs::Bytes bytes = expected(reader.next());
      if (bytes.empty()) break;
      write_local(to, bytes, flags.to);
    }
  } catch (...) {
    std::error_code ignored;
    if (flags.to != standard_stream) std::filesystem::remove(flags.to, ignored);
    throw;
  }
}

hdfs::CreateOptions create_options(hdfs::NamenodeClient& namenode, const CopyFlags& flags) {
  const auto defaults = expected(namenode.call(hdfs::pb::GetServerDefaultsRequest()));
  hdfs::CreateOptions options;
  options.overwrites = flags.overwrites;
  options.replication =
      flags.replication > 0 ? flags.replication : defaults.server_defaults().replication();
  options.block_size = defaults.server_defaults().block_size();
  if (flags.block_size.empty()) return options;
  const auto size = parse_size(flags.block_size);
  if (!size || *size <= 0) {
    throw InputError(
        fmt::format("--block-size: expected {}, got \"{}\"", size_form, flags.block_size));
  }
  options.block_size = static_cast<std::uint64_t>(*size);
  return options;
}

void write_all(hdfs::FileWriter& writer, const FileDescriptor& from, const CopyFlags& flags) {
  std::array<std::byte, 65'536> buffer;
  for (;;) {
    const ssize_t count = read(from.number(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_copy(flags.from, errno);
    if (count == 0) break;
    expected(writer.write(std::span(buffer).first(static_cast<std::size_t>(count))));
  }
  expected(writer.close());
}

// Not if another client has put a file of its own in its place meanwhile, or the namenode no longer
// answers.
void delete_unfinished(hdfs::NamenodeClient& namenode, const std::string& path,
                       std::uint64_t file_id) {
  const auto there = namenode.file_info(path);
  if (!there || !*there || (*there)->file_id() != file_id) return;
  hdfs::pb::DeleteRequest request;
  request.set_src(path);
  request.set_recursive(false);
  static_cast<void>(namenode.call(request));
}

// A file that could not be written to its end is deleted.
void copy_in(const CopyFlags& flags) {
  hdfs::NamenodeClient namenode = connect_to(flags);
  const FileDescriptor from = open_local(flags.from, O_RDONLY, STDIN_FILENO);
  hdfs::FileWriteOptions options;
  options.connection = connection_options(flags);
  auto writer = expected(
      hdfs::FileWriter::create(namenode, flags.to, create_options(namenode, flags), options));
  const std::uint64_t file_id = existing(namenode, flags.to).file_id();
  try {
    write_all(writer, from, flags);
  } catch (...) {
    delete_unfinished(namenode, flags.to, file_id);
    throw;
  }
}

}  // namespace

void add_storage_get_command(CLI::App& storage) {
  const auto flags = std::make_shared<CopyFlags>();
  CLI::App* command = storage.add_subcommand(
      "get", "Copy a file out of HDFS; replicas that are corrupt or hang are passed over");
  command->add_option("path", flags->from, "File in HDFS")->required();
  command->add_option("file", flags->to, "File to write; - for standard output")->required();
  add_copy_flags(*command, *flags);
  command->callback([flags] { copy_out(*flags); });
}

void add_storage_put_command(CLI::App& storage) {
  const auto flags = std::make_shared<CopyFlags>();
  CLI::App* command = storage.add_subcommand("put", "Copy a file into HDFS");
  command->add_option("file", flags->from, "File to read; - for standard input")->required();
  command->add_option("path", flags->to, "File in HDFS")->required();
  command->add_option("--replication", flags->replication,
                      "Replicas of each block (default: the namenode's)");
  command->add_option("--block-size", flags->block_size,
                      "Size of a block, like \"64 MiB\" (default: the namenode's)");
  add_copy_flags(*command, *flags);
  command->callback([flags] { copy_in(*flags); });
}

}  // namespace tracebed
