// Machines in JSON: Rumen's topology, and the node files of YARN's simulator.
#include "core/text.h"
#include "traces/csv/csv_rows.h"
#include "traces/json/json_documents.h"
#include "traces/json/json_lists.h"
#include "traces/json/rumen_reader.h"
#include "traces/machines/machine_reader.h"

namespace tracebed {
namespace {

template <class Visit>
void each_document(LineReader lines, MachineCollector& to, const Visit& visit) {
  std::string name = lines.name();
  JsonDocuments documents(std::move(name), std::move(lines).take_bytes(),
                          to.options().trace.document_bytes_max());
  while (documents.next(to.bad())) {
    const JsonPlace place{to.bad(), documents.line(), documents.place()};
    simdjson::dom::object object;
    if (documents.root().get_object().get(object) != simdjson::SUCCESS) {
      to.bad().add(BadRow::text, documents.line(), documents.place(), "an object",
                   shown_json(documents.root()));
      continue;
    }
    if (visit(JsonFields(object, place))) to.see_row();
  }
}

// "a, b(exclusive=false)" → a, b
std::vector<std::string> labels_in(std::string_view text) {
  std::vector<std::string_view> parts;
  split_columns(text, ',', parts);
  std::vector<std::string> labels;
  for (const std::string_view part : parts) {
    const std::string_view label = trimmed(part.substr(0, part.find('(')));
    if (!label.empty()) labels.emplace_back(label);
  }
  return labels;
}

std::string rack_path(const std::string& name) {
  return name.starts_with('/') ? name : "/" + name;
}

bool take_node(const JsonFields& fields, const std::string& rack, MachineCollector& to) {
  if (!fields.has("node")) {
    to.note("nodes without a name, ignored");
    return true;
  }
  Machine machine;
  machine.rack = rack_path(rack);
  std::int64_t memory = to.default_capacity().memory_mib();
  std::int64_t vcores = -1;
  std::string labels;
  if (!fields.text("node", machine.name) ||
      !fields.optional_whole("memory-mb", 1, 1 << 30, memory) ||
      !fields.optional_whole("vcores", 1, 1'000'000, vcores) ||
      !fields.optional_text("labels", labels)) {
    return false;
  }
  if (vcores < 0 || !fields.has("memory-mb")) to.note("nodes of the default capacity");
  machine.capacity =
      Resources(vcores < 0 ? to.default_capacity().milli_vcores() : vcores * 1000, memory);
  machine.labels = labels_in(labels);
  if (labels.find("exclusive=false") != std::string::npos) {
    to.note("nodes with labels that are not exclusive, which the file of the scheduler must say");
  }
  to.add(std::move(machine));
  return true;
}

}  // namespace

void read_rumen_topology(LineReader lines, MachineCollector& to) {
  each_document(std::move(lines), to, [&](const JsonFields& root) {
    return each_object(root, "children", [&](const JsonFields& rack) {
      std::string rack_name;
      if (!rack.text("name", rack_name)) return false;
      return each_object(rack, "children", [&](const JsonFields& host) {
        Machine machine;
        if (!host.text("name", machine.name)) return false;
        machine.name = unescaped_host(machine.name);
        machine.rack = rack_path(unescaped_host(rack_name));
        machine.capacity = to.default_capacity();
        to.note("machines of the default capacity");
        to.add(std::move(machine));
        return true;
      });
    });
  });
}

void read_sls_nodes(LineReader lines, MachineCollector& to) {
  each_document(std::move(lines), to, [&](const JsonFields& rack) {
    std::string name;
    return rack.text("rack", name) && each_object(rack, "nodes", [&](const JsonFields& node) {
             return take_node(node, name, to);
           });
  });
}

}  // namespace tracebed
