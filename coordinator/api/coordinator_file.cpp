#include "coordinator/api/coordinator_file.h"

#include <array>

#include "coordinator/api/control_server.h"
#include "coordinator/real/redis_connection.h"
#include "system/open_address.h"
#include "system/toml_value.h"

namespace tracebed {
namespace {

using File = CoordinatorFile;

constexpr std::array key_keys{
    TomlKey<File>{"own", [](const TomlValue& value, File& file) { file.key_file = value.text(); },
                  Presence::required},
    TomlKey<File>{"agents",
                  [](const TomlValue& value, File& file) { file.agent_keys = value.text(); },
                  Presence::required},
};

constexpr std::array redis_keys{
    TomlKey<File>{"address",
                  [](const TomlValue& value, File& file) {
                    file.redis = value.text();
                    if (!is_redis_address(file.redis)) {
                      value.fail_expected("the address of a Redis, unix:PATH or HOST:PORT");
                    }
                  },
                  Presence::required},
    TomlKey<File>{"user",
                  [](const TomlValue& value, File& file) { file.redis_user = value.text(); }},
    TomlKey<File>{"password_file", [](const TomlValue& value,
                                      File& file) { file.redis_password_file = value.text(); }},
};

constexpr std::array metrics_keys{
    TomlKey<File>{"address", [](const TomlValue& value,
                                File& file) { file.metrics_address = ipv4_address(value); }},
    TomlKey<File>{"port",
                  [](const TomlValue& value, File& file) {
                    file.metrics_port = static_cast<std::uint16_t>(value.integer(0, 65'535));
                  },
                  Presence::required},
};

std::uint16_t port_number(const TomlValue& value, std::int64_t low) {
  return static_cast<std::uint16_t>(value.integer(low, 65'535));
}

constexpr std::array storage_keys{
    TomlKey<File>{"address",
                  [](const TomlValue& value, File& file) {
                    file.storage_address = ipv4_address(value);
                    if (file.storage_address == "0.0.0.0") {
                      value.fail_expected("the address by which the cluster's hosts reach it");
                    }
                  }},
    TomlKey<File>{"rpc_port",
                  [](const TomlValue& value, File& file) { file.rpc_port = port_number(value, 1); },
                  Presence::required},
    TomlKey<File>{
        "http_port",
        [](const TomlValue& value, File& file) { file.http_port = port_number(value, 1); },
        Presence::required},
    TomlKey<File>{"thrift_address", [](const TomlValue& value,
                                       File& file) { file.thrift_address = ipv4_address(value); }},
    TomlKey<File>{
        "thrift_port",
        [](const TomlValue& value, File& file) { file.thrift_port = port_number(value, 1); },
        Presence::required},
};

constexpr std::array root_keys{
    TomlKey<File>{"state", [](const TomlValue& value, File& file) { file.state = value.text(); },
                  Presence::required},
    TomlKey<File>{"traces", [](const TomlValue& value, File& file) { file.traces = value.text(); }},
    TomlKey<File>{"allow_local_runs", [](const TomlValue& value,
                                         File& file) { file.allow_local_runs = value.boolean(); }},
    TomlKey<File>{"max_completed_runs",
                  [](const TomlValue& value, File& file) {
                    constexpr std::int64_t runs_max = 1'000'000;
                    file.max_completed_runs = static_cast<std::size_t>(value.integer(1, runs_max));
                  }},
    TomlKey<File>{"port",
                  [](const TomlValue& value, File& file) {
                    file.port = static_cast<std::uint16_t>(value.integer(0, 65'535));
                  }},
    TomlKey<File>{"address",
                  [](const TomlValue& value, File& file) { file.address = ipv4_address(value); }},
    TomlKey<File>{"token_file",
                  [](const TomlValue& value, File& file) { file.token_file = value.text(); }},
    TomlKey<File>{"metrics",
                  [](const TomlValue& value, File& file) {
                    read_table<File>(value.table(), value.key(), metrics_keys, file);
                  }},
    TomlKey<File>{"storage",
                  [](const TomlValue& value, File& file) {
                    read_table<File>(value.table(), value.key(), storage_keys, file);
                  }},
    TomlKey<File>{"listen", [](const TomlValue& value, File& file) { file.listen = value.text(); }},
    TomlKey<File>{"keys",
                  [](const TomlValue& value, File& file) {
                    read_table<File>(value.table(), value.key(), key_keys, file);
                    if (file.listen.empty()) value.fail("expected only where `listen` is given");
                  }},
    TomlKey<File>{"redis",
                  [](const TomlValue& value, File& file) {
                    read_table<File>(value.table(), value.key(), redis_keys, file);
                    if (file.redis_user.empty() != file.redis_password_file.empty()) {
                      value.fail("expected `user` and `password_file`, got one of them");
                    }
                  }},
};

}  // namespace

CoordinatorFile read_coordinator_file(const std::filesystem::path& path) {
  CoordinatorFile file;
  file.port = control_port_default;
  const toml::table root = parse_toml_file(path);
  read_table<File>(root, "", root_keys, file);
  if (file.token_file.empty()) {
    check_is_loopback(path.string() + ": address", file.address);
    check_is_loopback(path.string() + ": metrics.address", file.metrics_address);
    check_is_loopback(path.string() + ": storage.thrift_address", file.thrift_address);
  }
  return file;
}

}  // namespace tracebed
