// `tracebed storage replicas|rates|corrupt|stop|decommission|recommission`: what an administrator
// sees of replicas, and orders to datanodes.
#include <fmt/core.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/cli/json_output.h"
#include "coordinator/cli/storage_administrator.h"
#include "coordinator/cli/storage_commands.h"
#include "coordinator/cli/text_output.h"
#include "core/input_error.h"
#include "system/quantities.h"

namespace tracebed {
namespace {

struct OrderFlags : AdministratorFlags {
  std::string path;
  std::string datanode;
  std::string disk = "unlimited";
  std::string network = "unlimited";
  std::string seek = "0us";
  std::int64_t block = 0;
  std::int64_t offset = 0;
  std::int64_t bytes = 1;
};

std::string_view state_name(storage::ReplicaState::type state) {
  switch (state) {
    case storage::ReplicaState::FINALIZED:
      return "finalized";
    case storage::ReplicaState::CORRUPT:
      return "corrupt";
    case storage::ReplicaState::BEING_WRITTEN:
      return "being written";
    case storage::ReplicaState::WAITING_TO_BE_RECOVERED:
      return "waiting to be recovered";
  }
  return "unknown";
}

// All blocks of the file: an answer has a part of them.
std::vector<storage::LocatedBlock> located_blocks(StorageAdministrator& administrator,
                                                  const std::string& path) {
  std::vector<storage::LocatedBlock> all;
  for (std::int64_t offset = 0;;) {
    std::vector<storage::LocatedBlock> some;
    administrator.ask([&](auto& client) { client.list_blocks(some, path, offset); });
    for (storage::LocatedBlock& block : some) {
      if (block.offset >= offset) all.push_back(std::move(block));
    }
    if (all.empty()) return all;
    const std::int64_t next = all.back().offset + all.back().block.num_bytes;
    if (some.empty() || next <= offset) return all;
    offset = next;
  }
}

nlohmann::ordered_json to_json(const storage::LocatedBlock& block) {
  nlohmann::ordered_json replicas = nlohmann::ordered_json::array();
  for (const storage::Replica& replica : block.replicas) {
    replicas.push_back({{"datanode", replica.name},
                        {"rack", replica.network_location},
                        {"state", state_name(replica.state)}});
  }
  return {{"block_id", block.block.block_id}, {"generation_stamp", block.block.generation_stamp},
          {"offset", block.offset},           {"length", block.block.num_bytes},
          {"is_complete", block.is_complete}, {"replicas", std::move(replicas)}};
}

void print_replicas(const OrderFlags& flags) {
  StorageAdministrator administrator(flags);
  const std::vector<storage::LocatedBlock> blocks = located_blocks(administrator, flags.path);
  if (flags.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const storage::LocatedBlock& block : blocks) list.push_back(to_json(block));
    return print_json({{"path", flags.path}, {"blocks", std::move(list)}});
  }
  for (const storage::LocatedBlock& block : blocks) {
    print_plain("blk_{}_{} at {}, {} B{}\n", block.block.block_id, block.block.generation_stamp,
                block.offset, block.block.num_bytes, block.is_complete ? "" : ", being written");
    for (const storage::Replica& replica : block.replicas) {
      print_plain("    {}/{}: {}\n", replica.network_location, replica.name,
                  state_name(replica.state));
    }
  }
}

// Bytes per second; none is unlimited.
std::optional<std::int64_t> rate_of_flag(const char* flag, const std::string& text) {
  constexpr std::string_view per_second = "/s";
  if (text == "unlimited") return std::nullopt;
  if (text.ends_with(per_second)) {
    const auto size = parse_size(std::string_view(text).substr(0, text.size() - per_second.size()));
    if (size && *size > 0) return *size;
  }
  throw InputError(fmt::format(
      "{}: expected a rate like \"100 MiB/s\" or \"unlimited\", got \"{}\"", flag, text));
}

void set_rates(const OrderFlags& flags) {
  storage::DatanodeRates rates;
  if (const auto disk = rate_of_flag("--disk", flags.disk))
    rates.__set_disk_bytes_per_second(*disk);
  if (const auto network = rate_of_flag("--network", flags.network)) {
    rates.__set_network_bytes_per_second(*network);
  }
  const auto seek = parse_duration(flags.seek);
  if (!seek) {
    throw InputError(fmt::format("--seek: expected {}, got \"{}\"", duration_form, flags.seek));
  }
  rates.seek_microseconds = seek->count();
  StorageAdministrator(flags).ask([&](auto& client) { client.set_rates(flags.datanode, rates); });
}

void print_done(const OrderFlags& flags, const std::string& text) {
  if (flags.json) {
    print_json({{"datanode", flags.datanode}, {"text", text}});
  } else {
    print_plain("{}\n", text);
  }
}

CLI::App* add_datanode_command(CLI::App& storage, const std::shared_ptr<OrderFlags>& flags,
                               const char* name_of_command, const char* meaning) {
  CLI::App* command = storage.add_subcommand(name_of_command, meaning);
  command
      ->add_option("datanode", flags->datanode,
                   "Its address, with its port where several have the same address")
      ->required();
  add_administrator_flags(*command, *flags);
  return command;
}

// `order` is a function of the service that takes a datanode.
template <class Order>
void add_order(CLI::App& storage, const char* name_of_command, const char* meaning,
               const char* outcome, Order order) {
  const auto flags = std::make_shared<OrderFlags>();
  add_datanode_command(storage, flags, name_of_command, meaning)->callback([flags, outcome, order] {
    StorageAdministrator(*flags).ask([&](auto& client) { order(client, flags->datanode); });
    print_done(*flags, flags->datanode + " " + outcome);
  });
}

}  // namespace

void add_storage_order_commands(CLI::App& storage) {
  const auto replicas = std::make_shared<OrderFlags>();
  CLI::App* list = storage.add_subcommand(
      "replicas", "List the replicas of a file's blocks, whatever their state");
  list->add_option("path", replicas->path, "File in HDFS")->required();
  add_administrator_flags(*list, *replicas);
  list->callback([replicas] { print_replicas(*replicas); });

  const auto rates = std::make_shared<OrderFlags>();
  CLI::App* change = add_datanode_command(storage, rates, "rates", "Set the rates of a datanode");
  change->add_option("--disk", rates->disk, "Of its disk: \"100 MiB/s\" or unlimited")
      ->capture_default_str();
  change->add_option("--network", rates->network, "Of its network")->capture_default_str();
  change->add_option("--seek", rates->seek, "Before the first byte of a replica")
      ->capture_default_str();
  change->callback([rates] {
    set_rates(*rates);
    print_done(*rates, rates->datanode + " has its new rates");
  });

  const auto corrupt = std::make_shared<OrderFlags>();
  CLI::App* damage =
      add_datanode_command(storage, corrupt, "corrupt",
                           "Invert stored bytes of a replica; done twice, it is good again");
  damage->add_option("block", corrupt->block, "Id of the block")->required();
  damage->add_option("--offset", corrupt->offset, "Of the first byte in the block")
      ->capture_default_str();
  damage->add_option("--bytes", corrupt->bytes, "How many bytes")->capture_default_str();
  damage->callback([corrupt] {
    StorageAdministrator(*corrupt).ask([&](auto& client) {
      client.corrupt_replica(corrupt->datanode, corrupt->block, corrupt->offset, corrupt->bytes);
    });
    print_done(*corrupt,
               fmt::format("{} has damaged its replica of {}", corrupt->datanode, corrupt->block));
  });

  add_order(storage, "stop", "End the process of a datanode", "has ended",
            [](auto& client, const std::string& node) { client.stop_datanode(node); });
  add_order(storage, "decommission", "Copy the blocks of a datanode elsewhere, and retire it",
            "gets no further replicas, and is decommissioned when its blocks are elsewhere",
            [](auto& client, const std::string& node) { client.decommission(node); });
  add_order(storage, "recommission", "Take a datanode back into service", "is in service",
            [](auto& client, const std::string& node) { client.recommission(node); });
}

}  // namespace tracebed
