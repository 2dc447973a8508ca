// `tracebed keys`
#include <fmt/core.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/config/experiment_keys.h"

namespace tracebed {
namespace {

void print_keys_json() {
  nlohmann::ordered_json sections = nlohmann::ordered_json::array();
  for (const KeySection& section : experiment_keys()) {
    nlohmann::ordered_json keys = nlohmann::ordered_json::array();
    for (const KeyText& key : section.keys) {
      keys.push_back({{"name", key.name},
                      {"type", key.type},
                      {"default", key.default_value},
                      {"meaning", key.meaning},
                      {"example", key.example}});
    }
    sections.push_back({{"table", section.table}, {"keys", std::move(keys)}});
  }
  print_json({{"tables", std::move(sections)}});
}

// The meaning is Markdown, whose marks a terminal does not need.
std::string without_marks(std::string_view markdown) {
  std::string text;
  for (const char c : markdown) {
    if (c != '`') text += c;
  }
  return text;
}

void print_keys() {
  for (const KeySection& section : experiment_keys()) {
    print_plain("{}\n", section.table);
    for (const KeyText& key : section.keys) {
      print_plain("    {} ({}; {}{})\n        {}\n", key.name, key.type,
                  key.default_value == "required" ? "" : "default: ", key.default_value,
                  without_marks(key.meaning));
    }
    print_plain("\n");
  }
  print_plain(
      "Settings of schedulers, [masters], [node_manager], [relocation] and [storage.namenode]: "
      "tracebed schedulers\n");
}

}  // namespace

void add_keys_command(CLI::App& program) {
  const auto prints_json = std::make_shared<bool>(false);
  CLI::App* command =
      program.add_subcommand("keys", "List the keys of an experiment, with types and defaults");
  command->add_flag("--json", *prints_json, "Print as JSON");
  command->callback([prints_json] { *prints_json ? print_keys_json() : print_keys(); });
}

}  // namespace tracebed
