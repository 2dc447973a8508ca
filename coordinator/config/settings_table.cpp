#include "coordinator/config/settings_table.h"

namespace tracebed {

void read_setting(const TomlValue& value, const std::string& name, std::vector<Setting>& settings) {
  if (value.is_table()) {
    read_settings(value, name, settings);
  } else {
    settings.push_back({name, value.scalar_as_text(), value.where()});
  }
}

void read_settings(const TomlValue& value, const std::string& prefix,
                   std::vector<Setting>& settings) {
  for (const auto& [key, node] : value.table()) {
    read_setting(TomlValue(node, join_key(value.key(), key.str())), join_key(prefix, key.str()),
                 settings);
  }
}

}  // namespace tracebed
