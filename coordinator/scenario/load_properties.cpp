#include "coordinator/scenario/load_properties.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "coordinator/config/xml_file.h"
#include "coordinator/resolving/scheduler_files.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

// "config" of "config.yarn.scheduler.capacity.root.queues"; empty for any other setting.
std::string file_of(const SchedulerRegistry& schedulers, const Setting& setting,
                    const std::string& scheduler) {
  const std::size_t dot = setting.key.find('.');
  if (dot == std::string::npos) return {};
  std::string key = setting.key.substr(0, dot);
  return is_xml_setting(schedulers, scheduler, key) ? key : std::string();
}

// Of a setting at "FILE:LINE: KEY".
std::size_t line_of(const Setting& setting, const std::string& file) {
  std::size_t line = 1;
  const char* const digits = setting.where.data() + file.size() + 1;
  (void)std::from_chars(digits, setting.where.data() + setting.where.size(), line);
  return line;
}

// The setting `key`, whose value is the properties as XML, each in its line of `file`: what is said
// of the XML then names their places.
Setting file_setting(const std::string& key, std::vector<Setting> properties,
                     const std::string& file) {
  std::stable_sort(properties.begin(), properties.end(), [&](const Setting& a, const Setting& b) {
    return line_of(a, file) < line_of(b, file);
  });
  const Setting& first = properties.front();
  // Where the table begins: the place of its first property, without that one's name.
  const std::size_t name_size = first.key.size() - key.size();
  Setting result{key, "", first.where.substr(0, first.where.size() - name_size), file};
  result.value.append(line_of(first, file) - 1, '\n');
  result.value += "<configuration>";
  std::size_t line = line_of(first, file);
  for (const Setting& property : properties) {
    const std::size_t own = line_of(property, file);
    result.value.append(own - std::exchange(line, own), '\n');
    result.value +=
        fmt::format("<property><name>{}</name><value>{}</value></property>",
                    xml_escaped(property.key.substr(key.size() + 1)), xml_escaped(property.value));
  }
  result.value += "</configuration>\n";
  return result;
}

// Only some schedulers' files have properties.
void check_has_properties(const SchedulerRegistry& schedulers, const std::string& scheduler,
                          const Setting& setting) {
  const std::string_view root = schedulers.find(scheduler)->file_root;
  if (setting.key == yarn_site_setting || root == "configuration") return;
  throw InputError(fmt::format(
      "{}: expected a file's path, or its XML in '''…''': the files of the scheduler {} begin "
      "with <{}> and have no properties; got a table of properties",
      setting.where, scheduler, root));
}

}  // namespace

std::vector<Setting> overlaid(const SchedulerRegistry& schedulers,
                              const std::vector<Setting>& settings,
                              const std::vector<Setting>& changes, const std::string& scheduler) {
  std::vector<Setting> result = settings;
  for (const Setting& change : changes) {
    const std::string file = file_of(schedulers, change, scheduler);
    std::erase_if(result, [&](const Setting& earlier) {
      const bool is_replaced_file = !file.empty() && earlier.key == file;
      return earlier.key == change.key || is_replaced_file ||
             (is_xml_setting(schedulers, scheduler, change.key) &&
              file_of(schedulers, earlier, scheduler) == change.key);
    });
    result.push_back(change);
  }
  return result;
}

std::vector<Setting> with_files(const SchedulerRegistry& schedulers,
                                const std::vector<Setting>& settings, const std::string& scheduler,
                                const std::string& file) {
  std::vector<Setting> result;
  std::map<std::string, std::vector<Setting>> tables;
  for (const Setting& setting : settings) {
    const std::string key = file_of(schedulers, setting, scheduler);
    if (key.empty()) {
      result.push_back(setting);
    } else {
      tables[key].push_back(setting);
    }
  }
  for (auto& [key, properties] : tables) {
    result.push_back(file_setting(key, std::move(properties), file));
    check_has_properties(schedulers, scheduler, result.back());
  }
  return result;
}

}  // namespace tracebed
