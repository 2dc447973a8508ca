// `tracebed schedulers explain FILE.xml`
#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/core.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/config/xml_file.h"
#include "core/input_error.h"
#include "schedulers/hadoop1/explain/explain_slots.h"
#include "schedulers/yarn/capacity/explain.h"
#include "schedulers/yarn/fair/explain_fair.h"
#include "system/quantities.h"

namespace tracebed {
namespace {

struct ExplainFlags {
  std::string file;
  std::int64_t nodes = 10;
  std::int64_t vcores = 8;
  std::string memory = "8 GiB";
  std::string minimum_allocation = "1 GiB";
  std::string semantics = "hadoop-3";
  std::string scheduler;   // empty: told from the content
  std::string generation;  // likewise
  std::int64_t map_slots = 0;
  std::int64_t reduce_slots = 0;
  std::vector<std::string> resources;  // NAME=AMOUNT
  bool json = false;
};

struct Explained {
  std::string scheduler;
  std::vector<ExplainedQueue> queues;
  std::vector<std::string> unread;
};

std::int64_t mebibytes(const std::string& flag, const std::string& text) {
  const Result<std::int64_t> bytes = parse_size(text);
  constexpr std::int64_t mib = 1 << 20;
  if (bytes && *bytes >= mib && *bytes % mib == 0) return *bytes / mib;
  throw InputError(fmt::format("{}: expected {}, whole in MiB, got \"{}\"", flag, size_form, text));
}

struct ExplainedMachine {
  ResourceDimensions dimensions;
  Resources capacity;
};

ExplainedMachine machine_of(const ExplainFlags& flags) {
  constexpr std::int64_t amount_max = std::int64_t{1} << 40;
  ExplainedMachine machine{{}, Resources(flags.vcores * 1000, mebibytes("--memory", flags.memory))};
  std::vector<std::string> names;
  for (const std::string& given : flags.resources) {
    const std::size_t equals = std::min(given.find('='), given.size());
    const std::string name = given.substr(0, equals);
    std::int64_t amount = -1;
    const char* const end = given.data() + given.size();
    const auto read =
        std::from_chars(given.data() + std::min(equals + 1, given.size()), end, amount);
    const std::size_t dimension = machine.dimensions.size();
    const bool is_new = !name.empty() && machine.dimensions.find(name) == dimension;
    if (!is_new || read.ec != std::errc() || read.ptr != end || amount < 0 || amount > amount_max ||
        dimension == Resources::dimensions_max) {
      throw InputError(fmt::format(
          "--resource: expected NAME=AMOUNT, at most {} of them, each of another name than vcores, "
          "memory and the others, got \"{}\"",
          Resources::dimensions_max - 2, given));
    }
    names.push_back(name);
    machine.dimensions = ResourceDimensions(names);
    machine.capacity[dimension] = amount;
  }
  return machine;
}

constexpr std::array<std::string_view, 4> explainable{"capacity", "fair", "slot_capacity",
                                                      "slot_fair"};

// By the words of the file, unless the user says it.
std::string scheduler_of(const ExplainFlags& flags, const XmlElement& root) {
  if (!flags.scheduler.empty()) return flags.scheduler;
  if (root.name == "allocations") return is_pools_file(root) ? "slot_fair" : "fair";
  return is_slot_queues_file(root) ? "slot_capacity" : "capacity";
}

[[noreturn]] void refuse_generation(const ExplainFlags& flags, std::string_view expected) {
  throw InputError(
      fmt::format("--generation: expected {}, got \"{}\"", expected, flags.generation));
}

PerKind<std::int64_t> slots_of(const ExplainFlags& flags, const ExplainedMachine& machine) {
  const SlotRule rule{.stated = {.map = flags.map_slots, .reduce = flags.reduce_slots}};
  const PerKind<std::int64_t> of_machine = rule.of(machine.capacity);
  return {.map = of_machine.map * flags.nodes, .reduce = of_machine.reduce * flags.nodes};
}

Explained explain_pools_file(const ExplainFlags& flags, const XmlElement& root,
                             const ExplainedMachine& machine) {
  const bool is_old = flags.generation == "0.20";
  if (!flags.generation.empty() && !is_old && flags.generation != "1.x") {
    refuse_generation(flags, "0.20 or 1.x");
  }
  const auto generation = is_old ? SlotFairGeneration::deficits : SlotFairGeneration::ratios;
  const Result<PoolAllocations> allocations = read_pool_allocations(root, generation);
  if (!allocations) throw InputError(allocations.error().message);
  return {"slot_fair", explain_pools(*allocations, generation, slots_of(flags, machine)),
          allocations->unread};
}

SlotCapacityGeneration queues_generation(const ExplainFlags& flags, const XmlElement& root) {
  if (flags.generation == "0.20.0") return SlotCapacityGeneration::reclaims;
  if (flags.generation == "0.20.2") return SlotCapacityGeneration::shares_memory;
  if (flags.generation == "1.x") return SlotCapacityGeneration::has_maxima;
  if (!flags.generation.empty()) refuse_generation(flags, "0.20.0, 0.20.2 or 1.x");
  return generation_of_queues(root).value_or(SlotCapacityGeneration::has_maxima);
}

Explained explain_slot_queues_file(const ExplainFlags& flags, const XmlElement& root,
                                   const ExplainedMachine& machine) {
  const SlotCapacityGeneration generation = queues_generation(flags, root);
  const Result<SlotQueueRulesFile> file = read_slot_queues(root, {}, generation);
  if (!file) throw InputError(file.error().message);
  return {"slot_capacity", explain_slot_queues(*file, generation, slots_of(flags, machine)),
          file->unread};
}

Explained explain_allocations(const XmlElement& root, const ExplainedMachine& machine,
                              const Resources& cluster) {
  const Result<FairAllocations> allocations = read_fair_allocations(root, machine.dimensions);
  if (!allocations) throw InputError(allocations.error().message);
  return {"fair", tracebed::explain(*allocations, cluster, machine.dimensions),
          allocations->unread};
}

Explained explain_queues(const ExplainFlags& flags, const XmlElement& root,
                         const ExplainedMachine& machine, const Resources& cluster) {
  HadoopProperties properties;
  const Status added = properties.add(root);
  if (!added) throw InputError(added.error().message);
  const auto loaded = read_capacity_configuration(properties, machine.dimensions);
  if (!loaded) throw InputError(loaded.error().message);
  const ExplainedCluster explained{
      cluster, Resources(1'000, mebibytes("--minimum-allocation", flags.minimum_allocation)),
      machine.dimensions};
  const YarnGeneration generation =
      flags.semantics == "hadoop-2.0" ? YarnGeneration::hadoop_2 : YarnGeneration::hadoop_3;
  std::vector<std::string> unread;
  for (const std::string& name : loaded->unread) unread.push_back(properties.place(name));
  return {"capacity", tracebed::explain(loaded->configuration, explained, generation), unread};
}

Explained explain_file(const ExplainFlags& flags) {
  const XmlElement root = read_xml_file(flags.file);
  const ExplainedMachine machine = machine_of(flags);
  const Resources cluster = machine.capacity * flags.nodes;
  const std::string scheduler = scheduler_of(flags, root);
  if (scheduler == "slot_fair") return explain_pools_file(flags, root, machine);
  if (scheduler == "slot_capacity") return explain_slot_queues_file(flags, root, machine);
  if (!flags.generation.empty() || flags.map_slots > 0 || flags.reduce_slots > 0) {
    throw InputError(
        fmt::format("--generation, --map-slots and --reduce-slots: expected a file of Hadoop 1's, "
                    "got one of {}'s; --scheduler says what it is, if that is wrong",
                    scheduler));
  }
  if (scheduler == "fair") return explain_allocations(root, machine, cluster);
  return explain_queues(flags, root, machine, cluster);
}

void print_text(const Explained& explained) {
  for (const ExplainedQueue& queue : explained.queues) {
    fmt::print("{}{}\n", queue.path, queue.is_leaf ? "" : " (a parent)");
    for (const ExplainedFigure& figure : queue.figures) {
      fmt::print("    {:<42} {}\n", figure.name, figure.value);
      if (!figure.formula.empty()) fmt::print("        = {}\n", figure.formula);
    }
    fmt::print("\n");
  }
  for (const std::string& place : explained.unread) {
    fmt::print(stderr, "tracebed: warning: {}: means nothing here and is passed over\n", place);
  }
}

void print_as_json(const Explained& explained) {
  nlohmann::ordered_json queues = nlohmann::ordered_json::array();
  for (const ExplainedQueue& queue : explained.queues) {
    nlohmann::ordered_json figures = nlohmann::ordered_json::array();
    for (const ExplainedFigure& figure : queue.figures) {
      figures.push_back(
          {{"name", figure.name}, {"value", figure.value}, {"formula", figure.formula}});
    }
    queues.push_back({{"path", queue.path}, {"leaf", queue.is_leaf}, {"figures", figures}});
  }
  print_json(
      {{"scheduler", explained.scheduler}, {"queues", queues}, {"passed_over", explained.unread}});
}

}  // namespace

void add_explain_command(CLI::App& schedulers) {
  const auto flags = std::make_shared<ExplainFlags>();
  constexpr std::int64_t nodes_max = 1'000'000;
  CLI::App* command = schedulers.add_subcommand(
      "explain", "What a capacity-scheduler.xml or a fair allocation file means on a cluster");
  command
      ->add_option("file", flags->file,
                   "capacity-scheduler.xml, or an allocation file, of YARN or of Hadoop 1")
      ->required();
  command
      ->add_option("--scheduler", flags->scheduler,
                   "Whose file it is; told from its content unless given")
      ->check(CLI::IsMember(std::vector<std::string>(explainable.begin(), explainable.end())));
  command->add_option("--generation", flags->generation,
                      "Of a file of Hadoop 1's: 0.20 or 1.x (Fair), 0.20.0, 0.20.2 or 1.x "
                      "(Capacity); told from its content where that is possible, else 1.x");
  for (const auto& [name, count] :
       {std::pair("--map-slots", &flags->map_slots), {"--reduce-slots", &flags->reduce_slots}}) {
    command
        ->add_option(name, *count,
                     "Of each machine, Hadoop 1 only; 0: of as many slots as it has vcores, three "
                     "quarters for maps")
        ->check(CLI::Range(std::int64_t{0}, nodes_max))
        ->capture_default_str();
  }
  command->add_option("--nodes", flags->nodes, "Machines of the cluster")
      ->check(CLI::Range(std::int64_t{1}, nodes_max))
      ->capture_default_str();
  command->add_option("--vcores", flags->vcores, "Of each machine")
      ->check(CLI::Range(std::int64_t{1}, nodes_max))
      ->capture_default_str();
  command->add_option("--memory", flags->memory, "Of each machine")->capture_default_str();
  command->add_option("--resource", flags->resources,
                      "NAME=AMOUNT, of each machine: a further resource; repeatable");
  command
      ->add_option("--minimum-allocation", flags->minimum_allocation,
                   "yarn.scheduler.minimum-allocation-mb; Capacity only")
      ->capture_default_str();
  command->add_option("--semantics", flags->semantics, "Whose formulas; Capacity only")
      ->check(CLI::IsMember({"hadoop-2.0", "hadoop-3"}))
      ->capture_default_str();
  command->add_flag("--json", flags->json, "Print as JSON");
  command->callback([flags] {
    const Explained explained = explain_file(*flags);
    if (flags->json) {
      print_as_json(explained);
    } else {
      print_text(explained);
    }
  });
}

}  // namespace tracebed
