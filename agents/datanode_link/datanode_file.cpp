#include "agents/datanode_link/datanode_file.h"

#include <array>
#include <fmt/format.h>

#include "core/input_error.h"
#include "system/key_file.h"
#include "system/open_address.h"
#include "system/own_machine.h"
#include "system/toml_value.h"

namespace tracebed {
namespace {

using File = DatanodeFile;

constexpr std::array key_keys{
    TomlKey<File>{"own", [](const TomlValue& value, File& file) { file.key_file = value.text(); },
                  Presence::required},
    TomlKey<File>{
        "coordinator",
        [](const TomlValue& value, File& file) { file.coordinator_key = read_key(value); },
        Presence::required},
};

constexpr std::array root_keys{
    TomlKey<File>{"coordinator",
                  [](const TomlValue& value, File& file) { file.coordinator = value.text(); },
                  Presence::required},
    TomlKey<File>{"name", [](const TomlValue& value, File& file) { file.name = value.text(); }},
    TomlKey<File>{"address",
                  [](const TomlValue& value, File& file) { file.address = ipv4_address(value); }},
    TomlKey<File>{"interface",
                  [](const TomlValue& value, File& file) {
                    if (!file.address.empty()) {
                      value.fail("expected either this or `address`, got both");
                    }
                    file.interface = value.text();
                  }},
    TomlKey<File>{"transfer_port",
                  [](const TomlValue& value, File& file) {
                    file.transfer_port = static_cast<std::uint16_t>(value.integer(1, 65'535));
                  }},
    TomlKey<File>{"http_port",
                  [](const TomlValue& value, File& file) {
                    file.http_port = static_cast<std::uint16_t>(value.integer(1, 65'535));
                  }},
    TomlKey<File>{"folder", [](const TomlValue& value, File& file) { file.folder = value.text(); }},
    TomlKey<File>{"keys",
                  [](const TomlValue& value, File& file) {
                    read_table<File>(value.table(), value.key(), key_keys, file);
                  }},
};

}  // namespace

DatanodeFile read_datanode_file(const std::filesystem::path& path) {
  DatanodeFile file;
  const toml::table root = parse_toml_file(path);
  read_table<File>(root, "", root_keys, file);
  if (file.name.empty()) file.name = host_name();
  if (!file.address.empty()) return file;
  if (file.interface.empty()) {
    throw InputError(fmt::format(
        "{}: expected `address` or `interface`, where it listens, got neither", path.string()));
  }
  file.address = address_of_interface(file.interface);
  return file;
}

}  // namespace tracebed
