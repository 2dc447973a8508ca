#include "coordinator/scenario/load_asks.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace tracebed {
namespace {

constexpr std::int64_t count_max = 100'000;

// A list of places, each wanted for every unit, or a table of place → count.
void read_places(const TomlValue& value, std::uint32_t count, std::vector<ScenarioPlace>& places) {
  if (!value.is_table()) {
    for (const std::string& name : value.text_list()) places.push_back({name, count});
    return;
  }
  for (const auto& [key, node] : value.table()) {
    const TomlValue entry(node, join_key(value.key(), key.str()));
    if (entry.is_table()) {
      entry.fail(
          "expected how many units are wanted there, got a table: an ask has one size for nodes, "
          "racks and anywhere; another size is an ask of its own");
    }
    places.push_back({std::string(key.str()), read_count(entry, 1)});
  }
}

void read_extra_demand(const TomlValue& value, AskTable& table) {
  NamedAmounts amounts;
  read_amounts(value, amounts);
  for (const auto& [name, amount] : amounts) {
    const std::size_t dimension = table.dimensions->find(name);
    if (dimension == table.dimensions->size()) {
      value.fail(fmt::format("no node has the dimension \"{}\"", name));
    }
    table.ask.demand[dimension] = amount;
  }
}

constexpr std::array ask_keys{
    TomlKey<AskTable>{"application", [](const TomlValue& value,
                                        AskTable& table) { table.application = value.text(); }},
    TomlKey<AskTable>{"name", [](const TomlValue& value,
                                 AskTable& table) { table.ask.name = read_plain_name(value); }},
    TomlKey<AskTable>{"priority",
                      [](const TomlValue& value, AskTable& table) {
                        table.ask.priority = static_cast<std::int32_t>(value.integer(0, 1000));
                      }},
    TomlKey<AskTable>{"vcores",
                      [](const TomlValue& value, AskTable& table) {
                        table.ask.demand[Resources::vcores_dimension] = read_milli_vcores(value);
                      }},
    TomlKey<AskTable>{"memory",
                      [](const TomlValue& value, AskTable& table) {
                        table.ask.demand[Resources::memory_dimension] = read_memory_mib(value);
                      },
                      Presence::required},
    TomlKey<AskTable>{"extra", read_extra_demand},
    TomlKey<AskTable>{"count", [](const TomlValue& value,
                                  AskTable& table) { table.ask.count = read_count(value, 0); }},
    TomlKey<AskTable>{"nodes",
                      [](const TomlValue& value, AskTable& table) {
                        read_places(value, table.ask.count, table.ask.nodes);
                      }},
    TomlKey<AskTable>{"racks",
                      [](const TomlValue& value, AskTable& table) {
                        read_places(value, table.ask.count, table.ask.racks.emplace());
                      }},
    TomlKey<AskTable>{"relax_locality",
                      [](const TomlValue& value, AskTable& table) {
                        table.ask.relax_locality = value.boolean();
                      }},
    TomlKey<AskTable>{
        "gang", [](const TomlValue& value, AskTable& table) { table.ask.gang = value.boolean(); }},
    TomlKey<AskTable>{
        "label", [](const TomlValue& value, AskTable& table) { table.ask.label = value.text(); }},
};

}  // namespace

std::int64_t read_milli_vcores(const TomlValue& value) {
  const double milli = std::round(value.number(0, 1e6) * 1000);
  return static_cast<std::int64_t>(milli);
}

std::int64_t read_memory_mib(const TomlValue& value) {
  return value.mebibytes(0, std::int64_t{1} << 40);
}

std::uint32_t read_count(const TomlValue& value, std::int64_t low) {
  return static_cast<std::uint32_t>(value.integer(low, count_max));
}

std::string read_plain_name(const TomlValue& value) {
  const std::string name = value.text();
  if (name.find_first_of("@. *") != std::string::npos) {
    value.fail_expected("a name without spaces, '.', '@' and '*'");
  }
  return name;
}

void read_amounts(const TomlValue& value, NamedAmounts& amounts) {
  for (const auto& [key, node] : value.table()) {
    const TomlValue amount(node, join_key(value.key(), key.str()));
    amounts.emplace_back(key.str(), amount.integer(0, std::int64_t{1} << 40));
  }
}

AskTable read_ask(const TomlValue& value, const ResourceDimensions& dimensions) {
  AskTable table;
  table.ask.count = 1;
  table.ask.where = value.where();
  table.ask.demand = Resources(1000, 0);
  table.dimensions = &dimensions;
  read_table<AskTable>(value.table(), value.key(), ask_keys, table);
  return table;
}

}  // namespace tracebed
