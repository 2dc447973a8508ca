#include "coordinator/cli/generated_tables.h"

#include <cctype>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "coordinator/cli/program.h"

namespace tracebed {
namespace {

using nlohmann::json;

// A cell of a table; a bar would begin the next.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

std::string code(const std::string& text) {
  return "`" + text + "`";
}

// TOML as code; words as they are.
std::string default_of_key(const std::string& text) {
  const bool is_toml = text == "true" || text == "false" || text.starts_with('"') ||
                       text.find_first_not_of("0123456789.") == std::string::npos;
  if (is_toml) return code(text);
  return text.find('/') != std::string::npos ? code(text) : text;
}

std::string key_table(const json& section) {
  std::string table = "| key | type | default | meaning |\n|---|---|---|---|\n";
  for (const json& key : section.at("keys")) {
    table += "| " + code(key.at("name")) + " | " + std::string(key.at("type")) + " | " +
             cell(default_of_key(key.at("default"))) + " | " + cell(key.at("meaning")) + " |\n";
  }
  return table;
}

std::string default_of_setting(const json& setting) {
  if (setting.at("is_file")) return "a file";
  const std::string text = setting.at("default");
  return text.empty() ? "empty" : code(text);
}

std::string setting_table(const json& settings, const std::string& prefix = {}) {
  if (settings.empty()) return "It has no settings.\n";
  std::string table = "| setting | default | meaning |\n|---|---|---|\n";
  for (const json& setting : settings) {
    std::string name = setting.at("name");
    if (name.starts_with(prefix)) name.erase(0, prefix.size());
    table += "| " + code(name) + " | " + cell(default_of_setting(setting)) + " | " +
             cell(setting.at("meaning")) + " |\n";
  }
  return table;
}

std::string beginning_of(const std::string& name) {
  return "<!-- " + name + " -->\n";
}

}  // namespace

std::map<std::string, std::string> generated_tables() {
  std::map<std::string, std::string> tables;
  const json keys = json::parse(tracebed_program({"keys", "--json"}).out);
  for (const json& section : keys.at("tables")) {
    tables["keys of " + std::string(section.at("table"))] = key_table(section);
  }
  const json listed = json::parse(tracebed_program({"schedulers", "--json"}).out);
  for (const json& scheduler : listed.at("schedulers")) {
    tables["settings of " + std::string(scheduler.at("name"))] =
        std::string(scheduler.at("summary")) + " After: " + std::string(scheduler.at("source")) +
        ".\n\n" + setting_table(scheduler.at("settings"));
  }
  tables["settings of [masters]"] = setting_table(listed.at("masters"));
  tables["settings of [node_manager]"] = setting_table(listed.at("node_manager"));
  tables["settings of [relocation]"] = setting_table(listed.at("relocation"), "relocation.");
  return tables;
}

std::string with_tables(const std::string& page, const std::map<std::string, std::string>& tables) {
  std::string text = page;
  for (const auto& [name, table] : tables) {
    const std::string begin = beginning_of(name);
    const std::size_t at = text.find(begin);
    if (at == std::string::npos) continue;
    const std::size_t first = at + begin.size();
    const std::size_t end = text.find(beginning_of("end of " + name), first);
    if (end == std::string::npos) {
      ADD_FAILURE() << "no end of " << name;
      continue;
    }
    text.replace(first, end - first, "\n" + table + "\n");
  }
  return text;
}

std::size_t occurrences_of_part(const std::string& page, const std::string& name) {
  const std::string begin = beginning_of(name);
  std::size_t count = 0;
  for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace tracebed
