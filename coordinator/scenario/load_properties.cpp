#include "coordinator/scenario/load_properties.h"

#include <algorithm>

#include "coordinator/resolving/scheduler_files.h"

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

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      default:
        result += c;
    }
  }
  return result;
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
                                const std::vector<Setting>& settings,
                                const std::string& scheduler) {
  std::vector<Setting> result;
  std::vector<Setting> files;
  for (const Setting& setting : settings) {
    const std::string key = file_of(schedulers, setting, scheduler);
    if (key.empty()) {
      result.push_back(setting);
      continue;
    }
    auto file = std::find_if(files.begin(), files.end(),
                             [&](const Setting& each) { return each.key == key; });
    if (file == files.end()) {
      file = files.insert(files.end(), {key, "<configuration>\n", setting.where});
    }
    file->value += "<property><name>" + escaped(setting.key.substr(key.size() + 1)) +
                   "</name><value>" + escaped(setting.value) + "</value></property>\n";
  }
  for (Setting& file : files) {
    file.value += "</configuration>\n";
    result.push_back(std::move(file));
  }
  return result;
}

}  // namespace tracebed
