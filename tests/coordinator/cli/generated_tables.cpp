#include "coordinator/cli/generated_tables.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

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

std::string span_table(const json& formats) {
  std::string table = "| format | a job's recorded span | resolution |\n|---|---|---|\n";
  for (const json& format : formats) {
    const double resolution = format.at("resolution_seconds");
    const bool has_span = resolution > 0;
    const std::string unit = resolution >= 1 ? "1 s" : resolution >= 1e-3 ? "1 ms" : "1 µs";
    table += "| " + code(format.at("name")) + " | " + (has_span ? "" : "none: ") +
             cell(format.at("span")) + " | " + (has_span ? unit : "") + " |\n";
  }
  return table;
}

std::string field_table(const json& formats) {
  std::string table = "| format | field | use | what becomes of it |\n|---|---|---|---|\n";
  for (const json& format : formats) {
    for (const json& field : format.at("fields")) {
      table += "| " + code(format.at("name")) + " | " + cell(field.at("name")) + " | " +
               std::string(field.at("use")) + " | " + cell(field.at("meaning")) + " |\n";
    }
  }
  return table;
}

// What becomes of the properties of Hadoop's files.
std::string property_table(const json& properties) {
  std::string table = "| property | here | it decides | note |\n|---|---|---|---|\n";
  for (const json& property : properties) {
    const std::string neutral = property.at("neutral");
    std::string note = neutral.empty() ? "" : "`" + neutral + "` is obeyed";
    const std::string reason = property.at("reason");
    if (!reason.empty()) note += (note.empty() ? "" : "; ") + reason;
    table += "| " + code(property.at("name")) + " | " + std::string(property.at("treatment")) +
             " | " + cell(property.at("decides")) + " | " + cell(note) + " |\n";
  }
  return table;
}

std::string beginning_of(const std::string& name) {
  return "<!-- " + name + " -->\n";
}

// A comment of at most 100 columns.
std::string comment(const std::string& text) {
  constexpr std::size_t columns_max = 100;
  std::string out;
  std::string line = "#";
  std::istringstream stream(text);
  for (std::string word; stream >> word;) {
    if (line.size() + 1 + word.size() > columns_max) {
      out += line + "\n";
      line = "#";
    }
    line += " " + word;
  }
  return out + line + "\n";
}

std::string without_marks(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '`'), text.end());
  return text;
}

// "# key = value" where the value begins with "# ".
std::string assignment(const std::string& name, const std::string& value) {
  const bool is_comment = value.starts_with("# ");
  return (is_comment ? "# " : "") + name + " = " + (is_comment ? value.substr(2) : value) + "\n";
}

std::string lines_of_key(const json& key) {
  const std::string type = key.at("type");
  const std::string default_value = key.at("default");
  const std::string example = key.at("example");
  if (example.empty() && (type == "table" || type == "list of tables")) return {};
  const std::string state =
      default_value == "required" ? default_value : "default " + without_marks(default_value);
  return comment(without_marks(key.at("meaning")) + " (" + type + "; " + state + ")") +
         assignment(key.at("name"), example.empty() ? default_value : example);
}

// Files, what is allowed beside a file alone, and what is not allowed beside [storage] stand in a
// comment.
std::string lines_of_setting(const json& setting, const std::string& prefix) {
  std::string name = setting.at("name");
  if (name.starts_with(prefix)) name.erase(0, prefix.size());
  const std::string value = setting.at("default");
  const bool is_bare = value == "true" || value == "false" ||
                       value.find_first_not_of("0123456789.-") == std::string::npos;
  const std::string shown = is_bare && !value.empty() ? value : '"' + value + '"';
  std::string example = shown;
  if (setting.at("is_file")) example = "# \"FILE.xml\"";
  if (name == "mapred_semantics" || name == "replication") example = "# " + shown;
  return comment(without_marks(setting.at("meaning"))) + assignment(name, example);
}

// Replaces what stands between the lines `begin` and `end`, if the text has the first.
void replace_between(const std::string& begin, const std::string& end, const std::string& with,
                     std::string& text) {
  const std::size_t at = text.find(begin);
  if (at == std::string::npos) return;
  const std::size_t first = at + begin.size();
  const std::size_t last = text.find(end, first);
  if (last == std::string::npos) {
    ADD_FAILURE() << "no end of " << begin;
    return;
  }
  text.replace(first, last - first, with);
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
    if (scheduler.at("properties").empty()) continue;
    tables["properties of " + std::string(scheduler.at("name"))] =
        property_table(scheduler.at("properties"));
  }
  const json formats = json::parse(tracebed_program({"trace", "formats", "--json"}).out);
  tables["properties of yarn-site.xml"] = property_table(listed.at("yarn_site"));
  tables["recorded spans"] = span_table(formats.at("formats"));
  tables["fields of traces"] = field_table(formats.at("formats"));
  for (const json& controller : listed.at("controllers")) {
    tables["settings of controller " + std::string(controller.at("name"))] =
        std::string(controller.at("summary")) + " After: " + std::string(controller.at("source")) +
        ".\n\n" + setting_table(controller.at("settings"));
  }
  tables["settings of [masters]"] = setting_table(listed.at("masters"));
  tables["settings of [node_manager]"] = setting_table(listed.at("node_manager"));
  tables["settings of [storage.namenode]"] = setting_table(listed.at("namenode"));
  tables["settings of [relocation]"] = setting_table(listed.at("relocation"), "relocation.");
  return tables;
}

std::map<std::string, std::string> generated_reference() {
  std::map<std::string, std::string> parts;
  const json keys = json::parse(tracebed_program({"keys", "--json"}).out);
  for (const json& section : keys.at("tables")) {
    std::string lines;
    for (const json& key : section.at("keys")) lines += lines_of_key(key);
    parts["keys of " + std::string(section.at("table"))] = lines;
  }
  parts.erase("keys of [[cluster.group]]");  // its keys are those of [cluster]
  const json listed = json::parse(tracebed_program({"schedulers", "--json"}).out);
  using Table = std::pair<const char*, const char*>;  // its list, its name in experiments
  for (const auto& [list, name] :
       {Table("masters", "masters"), Table("node_manager", "node_manager"),
        Table("relocation", "relocation"), Table("namenode", "storage.namenode")}) {
    std::string lines;
    for (const json& setting : listed.at(list)) {
      lines += lines_of_setting(setting, std::string(list) + ".");
    }
    parts["settings of [" + std::string(name) + "]"] = lines;
  }
  return parts;
}

std::string with_tables(const std::string& page, const std::map<std::string, std::string>& tables) {
  std::string text = page;
  for (const auto& [name, table] : tables) {
    replace_between(beginning_of(name), beginning_of("end of " + name), "\n" + table + "\n", text);
  }
  return text;
}

std::string with_reference(const std::string& file,
                           const std::map<std::string, std::string>& keys) {
  std::string text = file;
  for (const auto& [name, lines] : keys) {
    const std::string begin = "# <" + name + ">\n";
    EXPECT_NE(text.find(begin), std::string::npos) << name;
    replace_between(begin, "# </" + name + ">\n", lines, text);
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
