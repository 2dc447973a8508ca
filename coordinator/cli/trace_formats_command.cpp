// `tracebed trace formats`
#include <fmt/core.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/text_output.h"
#include "traces/parts/format_fields.h"
#include "traces/trace_formats.h"

namespace tracebed {
namespace {

std::string span_of(const TraceFormat& format) {
  return fmt::format("{}{}", format.resolution > Duration{} ? "" : "none: ", format.span);
}

void print_formats() {
  for (const TraceFormat& format : trace_formats()) {
    print_plain("{}\n  recorded span: {}\n", format.name, span_of(format));
    for (const TraceField& field : fields_of(format.name)) {
      print_plain("  {:<28} {:<13} {}\n", field.name, name(field.use), field.meaning);
    }
  }
}

nlohmann::json formats_to_json() {
  nlohmann::json list = nlohmann::json::array();
  for (const TraceFormat& format : trace_formats()) {
    nlohmann::json fields = nlohmann::json::array();
    for (const TraceField& field : fields_of(format.name)) {
      fields.push_back(
          {{"name", field.name}, {"use", name(field.use)}, {"meaning", field.meaning}});
    }
    list.push_back({{"name", format.name},
                    {"rules", format.rules},
                    {"span", format.span},
                    {"resolution_seconds", to_seconds(format.resolution)},
                    {"fields", fields}});
  }
  return {{"formats", list}};
}

}  // namespace

void add_trace_formats_command(CLI::App& trace) {
  struct Flags {
    bool json = false;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command = trace.add_subcommand(
      "formats", "List the formats of traces, and what a replay does with each of their fields");
  command->add_flag("--json", flags->json, "Print as JSON");
  command->callback([flags] {
    if (flags->json) {
      print_json(formats_to_json());
    } else {
      print_formats();
    }
  });
}

}  // namespace tracebed
