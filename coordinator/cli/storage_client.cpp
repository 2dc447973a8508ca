#include "coordinator/cli/storage_client.h"

#include <arpa/inet.h>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include "core/input_error.h"

namespace tracebed {
namespace {

constexpr const char* default_namenode = "127.0.0.1:8020";  // fs.defaultFS' port
constexpr std::chrono::seconds answer_timeout{20};

std::string environment(const char* name, const std::string& otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

std::string login_name() {
  const passwd* const entry = getpwuid(geteuid());
  return entry == nullptr ? std::to_string(geteuid()) : entry->pw_name;
}

hdfs::Endpoint endpoint_of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  hdfs::Endpoint endpoint;
  if (colon != std::string::npos) {
    endpoint.address = text.substr(0, colon);
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data() + colon + 1, end, endpoint.port);
    if (endpoint.address == "localhost") endpoint.address = "127.0.0.1";
    in_addr ignored{};
    const bool is_address = inet_pton(AF_INET, endpoint.address.c_str(), &ignored) == 1;
    const bool is_port = parsed.ec == std::errc{} && parsed.ptr == end && endpoint.port > 0;
    if (is_address && is_port) return endpoint;
  }
  throw InputError(
      fmt::format("--namenode: expected ADDRESS:PORT like {}, got \"{}\"", default_namenode, text));
}

}  // namespace

void add_storage_flags(CLI::App& command, StorageFlags& flags) {
  flags.namenode = environment("HADOOP_NAMENODE", default_namenode);
  flags.user = environment("HADOOP_USER_NAME", login_name());
  command.add_option("--namenode", flags.namenode,
                     "Address of the namenode's native protocol (default: $HADOOP_NAMENODE, else "
                     "127.0.0.1:8020)");
  command.add_option("--user", flags.user,
                     "User to act as (default: $HADOOP_USER_NAME, else your own name)");
}

void add_storage_json_flag(CLI::App& command, StorageFlags& flags) {
  command.add_flag("--json", flags.json, "Print as JSON");
}

hdfs::NamenodeClient connect_to(const StorageFlags& flags) {
  hdfs::RpcOptions options;
  options.user = flags.user;
  options.connection.connect_timeout = std::chrono::seconds(5);
  options.connection.read_timeout = answer_timeout;
  options.attempts_max = 2;
  return {endpoint_of(flags.namenode), options};
}

void throw_failure(const hdfs::ClientFailure& failure) {
  if (failure.kind == hdfs::ClientFailureKind::remote) throw InputError(failure.message);
  throw EnvironmentError(failure.message);
}

hdfs::pb::HdfsFileStatus existing(hdfs::NamenodeClient& namenode, const std::string& path) {
  auto status = expected(namenode.file_info(path));
  if (!status) throw InputError(path + ": there is no such file or directory");
  return std::move(*status);
}

}  // namespace tracebed
