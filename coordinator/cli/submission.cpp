#include "coordinator/cli/submission.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "coordinator/api/control_server.h"
#include "coordinator/config/text_file.h"
#include "coordinator/resolving/hadoop_sites.h"
#include "coordinator/resolving/scheduler_files.h"
#include "core/input_error.h"
#include "system/toml_value.h"

namespace tracebed {
namespace {

using SchedulerNames = std::map<std::string, std::string, std::less<>>;  // by label

std::string text_at(const toml::table& table, std::string_view key) {
  return table[key].value_or(std::string());
}

void for_each_table(const toml::table& root, std::string_view key, auto take) {
  const toml::array* tables = root[key].as_array();
  if (tables == nullptr) return;
  for (const toml::node& node : *tables) {
    if (const toml::table* table = node.as_table()) take(*table);
  }
}

class FileGatherer {
 public:
  FileGatherer(std::filesystem::path folder, const SchedulerRegistry& schedulers,
               control::Submission& submission)
      : folder_(std::move(folder)), schedulers_(schedulers), submission_(submission) {}

  void gather(const toml::table& settings, const std::string& scheduler) {
    for (const auto& [key, node] : settings) {
      if (!is_xml_setting(schedulers_, scheduler, key.str())) continue;
      take(node, std::string(key.str()), schedulers_.find(scheduler));
    }
  }
  // Of a table of the experiment's own.
  void gather_at(const toml::table& root, std::string_view table, std::string_view key) {
    const toml::node* node = root[table][key].node();
    if (node != nullptr) take(*node, std::string(key));
  }

 private:
  // `entry` is the scheduler whose file it is, if it is one's.
  void take(const toml::node& node, std::string key, const SchedulerEntry* entry = nullptr) {
    if (!node.is_string()) return;
    const TomlValue value(node, std::move(key));
    const std::string name = value.text();
    if (name.starts_with('<') || name.starts_with("${")) return;
    add(name, value, entry);
  }
  void add(const std::string& name, const TomlValue& value, const SchedulerEntry* entry) {
    const auto is_it = [&](const control::NamedFile& file) { return file.name == name; };
    if (std::any_of(submission_.files.begin(), submission_.files.end(), is_it)) return;
    control::NamedFile file;
    file.name = name;
    try {
      file.content = read_text_file(folder_ / name, submission_bytes_max);
    } catch (const InputError& error) {
      throw InputError(
          fmt::format("{}: {}; name a file on the coordinator as ${{TRACEBED_TRACES}}/…",
                      value.where(), error.what()));
    }
    if (entry != nullptr) file.content = with_files(*entry, name, value, file.content);
    submission_.files.push_back(std::move(file));
  }

  // With the files that it names in it: the coordinator cannot read them.
  std::string with_files(const SchedulerEntry& entry, const std::string& name,
                         const TomlValue& value, std::string text) const {
    if (!entry.contained_files) return text;
    const Setting setting{value.key(), name, value.where()};
    NamedFiles files;
    NamedFile file = files.read({folder_, {}}, setting);
    take_in_files(entry, {folder_, {}}, setting, files, file);
    return file.text;
  }

  std::filesystem::path folder_;
  const SchedulerRegistry& schedulers_;
  control::Submission& submission_;
};

}  // namespace

control::Submission read_submission(const std::filesystem::path& file,
                                    const SchedulerRegistry& schedulers) {
  control::Submission submission;
  submission.file = file.string();
  submission.experiment = read_text_file(file, submission_bytes_max);
  const toml::table root = parse_toml(submission.experiment, file.string());
  FileGatherer files(file.parent_path(), schedulers, submission);
  files.gather_at(root, "masters", mapred_site_setting);
  files.gather_at(root, "node_manager", node_manager_site_setting);
  SchedulerNames names;
  for_each_table(root, "scheduler", [&](const toml::table& table) {
    const std::string name = text_at(table, "name");
    const std::string label = text_at(table, "label");
    names[label.empty() ? name : label] = name;
    files.gather(table, name);
  });
  for_each_table(root, "refresh", [&](const toml::table& table) {
    const auto found = names.find(text_at(table, "scheduler"));
    if (found != names.end()) return files.gather(table, found->second);
    if (names.size() == 1) files.gather(table, names.begin()->second);  // it need not be named
  });
  return submission;
}

}  // namespace tracebed
