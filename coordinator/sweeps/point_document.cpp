#include "coordinator/sweeps/point_document.h"

#include <map>
#include <sstream>
#include <utility>

#include "coordinator/config/overrides.h"
#include "coordinator/resolving/hadoop_sites.h"
#include "coordinator/resolving/scheduler_files.h"
#include "core/check.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

void visit_tables(toml::table& root, std::string_view key, auto visit) {
  toml::array* const tables = root[key].as_array();
  if (tables == nullptr) return;
  for (toml::node& node : *tables) {
    if (toml::table* const table = node.as_table()) visit(*table);
  }
}

// Tables that are another scheduler's. One that names none is of the only one.
void remove_tables_of_others(std::string_view list, const std::string& label, toml::table& root) {
  toml::array* const tables = root[list].as_array();
  if (tables == nullptr) return;
  toml::array kept;
  for (toml::node& node : *tables) {
    const toml::table* const table = node.as_table();
    const bool is_others = table != nullptr && (*table)["scheduler"].value_or(label) != label;
    if (!is_others) kept.push_back(std::move(node));
  }
  if (kept.empty()) {
    root.erase(list);
  } else {
    root.insert_or_assign(list, std::move(kept));
  }
}

class FilePlacer {
 public:
  FilePlacer(const SchedulerRegistry& schedulers, const TraceFolders& folders)
      : schedulers_(schedulers), folders_(folders) {}

  void place(toml::table& table, std::string_view key) {
    toml::value<std::string>* const text = table[key].as_string();
    if (text == nullptr) return;
    const std::string& name = text->get();
    // Settings may be the XML itself, or nothing.
    const std::size_t begin = name.find_first_not_of(" \t\r\n");
    if (begin == std::string::npos || name[begin] == '<') return;
    std::filesystem::path path = folders_.folder / name;
    if (begins_with_traces(name)) {
      const auto below = below_traces(name, folders_);
      if (!below) throw InputError(std::string(key) + ": " + below.error().message);
      path = *below;
    }
    path = std::filesystem::absolute(path).lexically_normal();
    *text = path.string();
    placed_.push_back(std::move(path));
  }
  void place_in(toml::table& root, std::string_view table, std::string_view key) {
    if (toml::table* const found = root[table].as_table()) place(*found, key);
  }
  void place_settings(toml::table& table, std::string_view scheduler) {
    std::vector<std::string> keys;
    for (const auto& [key, node] : table) {
      if (is_xml_setting(schedulers_, scheduler, key.str())) keys.emplace_back(key.str());
    }
    for (const std::string& key : keys) place(table, key);
  }
  std::vector<std::filesystem::path> take() { return std::move(placed_); }

 private:
  const SchedulerRegistry& schedulers_;
  const TraceFolders& folders_;
  std::vector<std::filesystem::path> placed_;
};

}  // namespace

void choose_scheduler(const std::string& label, toml::table& root) {
  spell_out_schedulers(root);
  toml::array chosen;
  visit_tables(root, "scheduler", [&](toml::table& table) {
    if (label_of(table) == label) chosen.push_back(std::move(table));
  });
  if (chosen.empty()) chosen.push_back(toml::table{{"name", label}});
  root.insert_or_assign("scheduler", std::move(chosen));
  remove_tables_of_others("refresh", label, root);
  remove_tables_of_others("controller", label, root);
  toml::table* const compare = root["compare"].as_table();
  if (compare != nullptr && (*compare)["baseline"].value_or(label) != label) {
    compare->erase("baseline");
  }
}

std::vector<std::filesystem::path> place_files(const SchedulerRegistry& schedulers,
                                               const TraceFolders& folders, toml::table& root) {
  FilePlacer files(schedulers, folders);
  files.place_in(root, "trace", "file");
  files.place_in(root, "cluster", "machines");
  files.place_in(root, "virtual", "calibration");
  files.place_in(root, "storage", "topology_script");
  files.place_in(root, "masters", mapred_site_setting);
  files.place_in(root, "node_manager", node_manager_site_setting);
  std::map<std::string, std::string> names;  // of schedulers, by label
  visit_tables(root, "scheduler", [&](toml::table& table) {
    const std::string name = table["name"].value_or(std::string());
    names[label_of(table)] = name;
    files.place_settings(table, name);
  });
  visit_tables(root, "refresh", [&](toml::table& table) {
    const auto found = names.find(table["scheduler"].value_or(std::string()));
    if (found != names.end()) return files.place_settings(table, found->second);
    if (names.size() == 1) files.place_settings(table, names.begin()->second);
  });
  return files.take();
}

void use_binary_trace(const std::filesystem::path& file, toml::table& root) {
  toml::table* const trace = root["trace"].as_table();
  TRACEBED_CHECK(trace != nullptr, "a point replays a trace");
  trace->insert_or_assign("file", file.string());
  for (const char* key : {"format", "rules", "bad_lines"}) trace->erase(key);
}

std::string document_text(const toml::table& root) {
  std::ostringstream text;
  text << toml::toml_formatter{root} << "\n";
  return text.str();
}

}  // namespace tracebed
