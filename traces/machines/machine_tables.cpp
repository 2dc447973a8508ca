// Machines in tables with commas: Google's and Alibaba's.
#include <array>
#include <cmath>
#include <map>

#include "traces/csv/csv_rows.h"
#include "traces/machines/machine_reader.h"
#include "traces/parts/text_lines.h"
#include "traces/parts/trace_rows.h"

namespace tracebed {
namespace {

constexpr std::array<std::string_view, 6> google_columns = {"time",     "machine ID", "event type",
                                                            "platform", "CPUs",       "memory"};
constexpr std::array<std::string_view, 7> alibaba_columns = {
    "timestamp", "machine id", "event", "detail", "CPUs", "memory", "disk"};
constexpr std::array<std::string_view, 5> gpu_columns = {"sn", "cpu_milli", "memory_mib", "gpu",
                                                         "model"};
enum GoogleColumn : std::size_t {
  time_column,
  id_column,
  event_column,
  platform_column,
  cpu_column,
  memory_column
};

// Every good row; `visit` says whether it is one.
template <class Visit>
void each_row(LineReader lines, std::span<const std::string_view> columns, MachineCollector& to,
              bool has_header, const Visit& visit) {
  TextLines text(std::move(lines));
  CsvRow row(columns, to.bad());
  std::string_view line;
  for (bool is_header = has_header; text.next(to.bad(), line);) {
    if (std::exchange(is_header, false)) continue;
    if (row.assign(line, text.line_number()) && visit(row)) to.see_row();
  }
}

std::int64_t part_of(std::int64_t whole, std::int64_t millionths) {
  return std::llround(static_cast<double>(whole) * static_cast<double>(millionths) / 1e6);
}

// Google's machines: one of ours stands for each capacity that one of theirs has had, since a
// machine of a run keeps its capacity.
class GoogleMachines {
 public:
  explicit GoogleMachines(MachineCollector& to) : to_(to) {}

  bool take(CsvRow& row) {
    std::int64_t time = 0;
    std::int64_t id = 0;
    std::int64_t event = 0;
    if (!row.whole(time_column, 0, trace_microseconds_max, time) ||
        !row.whole(id_column, 0, std::int64_t{1} << 62, id) ||
        !row.whole(event_column, 0, 2, event)) {
      return false;
    }
    std::int64_t cpu = -1;
    std::int64_t memory = -1;
    constexpr std::int64_t one = 1'000'000;
    if (row.has(cpu_column) && !row.decimal(cpu_column, 0, one, cpu)) return false;
    if (row.has(memory_column) && !row.decimal(memory_column, 0, one, memory)) return false;
    State& state = machines_[id];
    if (event == 1) {
      to_.note("machines removed");
      if (state.current.is_valid()) to_.change(time, state.current, false);
      state.current = NodeId();
      return true;
    }
    to_.note(event == 0 ? "machines added" : "machines updated");
    if (cpu < 0 || memory < 0) {
      if (!state.last.is_valid()) {
        to_.note("rows without a capacity, of machines of which none was said before");
        return true;
      }
      to_.note("rows without a capacity, which keep that of before");
    }
    come(time, id, state, cpu, memory);
    return true;
  }

 private:
  struct State {
    NodeId current;  // none: it is away
    NodeId last;     // that which it was last
    std::vector<NodeId> shapes;
  };

  void come(std::int64_t time, std::int64_t id, State& state, std::int64_t cpu,
            std::int64_t memory) {
    NodeId shape = state.last;
    if (cpu >= 0 && memory >= 0) shape = shape_of(id, state, cpu, memory);
    if (shape == state.current) return;
    if (state.current.is_valid()) {
      to_.note("changes of capacity, at which the machine leaves and rejoins with another");
      to_.change(time, state.current, false);
    }
    to_.change(time, shape, true);
    state.current = state.last = shape;
  }

  NodeId shape_of(std::int64_t id, State& state, std::int64_t cpu, std::int64_t memory) {
    const GoogleRules& rules = to_.options().trace.rules.google;
    Machine machine;
    machine.capacity = Resources(part_of(rules.machine_millicores, cpu),
                                 part_of(rules.machine_memory_mib, memory));
    for (const NodeId known : state.shapes) {
      if (to_.machines()[known.index()].capacity == machine.capacity) return known;
    }
    machine.name = std::to_string(id);
    if (!state.shapes.empty()) machine.name += "-" + std::to_string(state.shapes.size() + 1);
    state.shapes.push_back(to_.add(std::move(machine)));
    return state.shapes.back();
  }

  MachineCollector& to_;
  std::map<std::int64_t, State> machines_;
};

// Alibaba's servers of 2017, by id. A hard error takes one out of service until it is added again.
struct Server {
  NodeId node;
  bool is_up = false;
};

bool take_server(CsvRow& row, std::map<std::int64_t, Server>& servers, MachineCollector& to) {
  std::int64_t time = 0;
  std::int64_t id = 0;
  if (!row.decimal(0, 0, trace_microseconds_max, time) ||
      !row.whole(1, 0, std::int64_t{1} << 62, id)) {
    return false;
  }
  const std::string_view event = row.at(2);
  const auto known = servers.find(id);
  if (event == "softerror" || event == "harderror") {
    to.note(event == "softerror" ? "soft errors, after which the machine continues"
                                 : "hard errors, at which the machine leaves");
    if (event == "harderror" && known != servers.end() && known->second.is_up) {
      to.change(time, known->second.node, false);
      known->second.is_up = false;
    }
    return true;
  }
  if (event != "add") return row.bad(BadRow::text, 2, "add, softerror or harderror");
  std::int64_t cpus = 0;
  std::int64_t memory = 0;
  if (!row.whole(4, 1, 1'000'000, cpus) || !row.decimal(5, 1, 1'000'000, memory)) return false;
  if (known != servers.end()) {
    if (!std::exchange(known->second.is_up, true)) to.change(time, known->second.node, true);
    return true;
  }
  Machine machine;
  machine.name = std::to_string(id);
  machine.capacity =
      Resources(cpus * 1000, part_of(to.options().trace.rules.alibaba.machine_memory_mib, memory));
  const NodeId node = to.add(std::move(machine));
  to.change(time, node, true);
  servers[id] = {node, true};
  return true;
}

bool take_gpu_node(CsvRow& row, MachineCollector& to) {
  constexpr std::int64_t large = 1'000'000'000;
  std::string_view name;
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
  std::int64_t gpus = 0;
  if (!row.text(0, name) || !row.whole(1, 1, large, cpu) || !row.whole(2, 1, large, memory) ||
      !row.whole(3, 0, 1000, gpus)) {
    return false;
  }
  Machine machine;
  machine.name = name;
  machine.capacity = Resources(cpu, memory);
  const MachineOptions& options = to.options();
  const std::size_t dimension = options.trace.dimensions.find("gpu_milli");
  if (dimension < options.trace.dimensions.size()) {
    if (gpus > 0) machine.capacity[dimension] = gpus * 1000;
  } else if (gpus > 0) {
    to.note("machines whose GPUs are not counted: the run has no dimension gpu_milli");
  }
  if (row.has(4)) {
    std::string_view model;
    if (!row.text(4, model)) return false;
    if (options.trace.rules.pods.models == GpuModels::labels) {
      machine.labels.emplace_back(model);
    } else {
      to.note("GPU models that are not labels (rule pods.gpu_models)");
    }
  }
  to.add(std::move(machine));
  return true;
}

}  // namespace

void read_google_machines(LineReader lines, MachineCollector& to) {
  GoogleMachines machines(to);
  each_row(std::move(lines), google_columns, to, false,
           [&](CsvRow& row) { return machines.take(row); });
}

void read_alibaba_servers(LineReader lines, MachineCollector& to) {
  std::map<std::int64_t, Server> servers;
  each_row(std::move(lines), alibaba_columns, to, false,
           [&](CsvRow& row) { return take_server(row, servers, to); });
}

void read_gpu_nodes(LineReader lines, MachineCollector& to) {
  each_row(std::move(lines), gpu_columns, to, true,
           [&](CsvRow& row) { return take_gpu_node(row, to); });
}

}  // namespace tracebed
