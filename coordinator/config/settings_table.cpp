#include "coordinator/config/settings_table.h"

#include <fmt/format.h>

namespace tracebed {

void read_setting(const TomlValue& value, const std::string& name, std::vector<Setting>& settings) {
  constexpr std::size_t settings_max = 1'000;  // each is looked for among the others in places
  if (settings.size() == settings_max) {
    value.fail(fmt::format("expected at most {} settings together", settings_max));
  }
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
