// `tracebed storage report` and `safemode`
#include <fmt/core.h>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "coordinator/cli/json_output.h"
#include "coordinator/cli/storage_client.h"
#include "coordinator/cli/storage_commands.h"
#include "coordinator/cli/text_output.h"
#include "hdfs_client/datanode_connection.h"

namespace tracebed {
namespace {

using hdfs::pb::DatanodeInfo;

struct ReportFlags : StorageFlags {
  std::string action = "get";
};

std::string_view admin_state(const DatanodeInfo& datanode) {
  switch (datanode.admin_state()) {
    case DatanodeInfo::DECOMMISSION_INPROGRESS:
      return "decommission in progress";
    case DatanodeInfo::DECOMMISSIONED:
      return "decommissioned";
    case DatanodeInfo::NORMAL:
    case DatanodeInfo::ENTERING_MAINTENANCE:
    case DatanodeInfo::IN_MAINTENANCE:
      break;
  }
  return "normal";
}

hdfs::pb::GetDatanodeReportResponse datanode_report(hdfs::NamenodeClient& namenode,
                                                    hdfs::pb::DatanodeReportType type) {
  hdfs::pb::GetDatanodeReportRequest request;
  request.set_type(type);
  return expected(namenode.call(request));
}

void print_report(const ReportFlags& flags) {
  hdfs::NamenodeClient namenode = connect_to(flags);
  const auto stats = expected(namenode.call(hdfs::pb::GetFsStatsRequest()));
  const auto all = datanode_report(namenode, hdfs::pb::REPORT_ALL);
  std::set<std::string> live;
  const auto alive = datanode_report(namenode, hdfs::pb::REPORT_LIVE);
  for (const DatanodeInfo& datanode : alive.di()) {
    live.insert(datanode.id().datanode_uuid());
  }
  if (flags.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const DatanodeInfo& datanode : all.di()) {
      list.push_back({{"host", datanode.id().host_name()},
                      {"address", hdfs::transfer_address(datanode.id())},
                      {"rack", datanode.location()},
                      {"is_live", live.contains(datanode.id().datanode_uuid())},
                      {"state", admin_state(datanode)},
                      {"capacity", datanode.capacity()},
                      {"used", datanode.dfs_used()},
                      {"remaining", datanode.remaining()},
                      {"transfers", datanode.xceiver_count()}});
    }
    return print_json({{"capacity", stats.capacity()},
                       {"used", stats.used()},
                       {"remaining", stats.remaining()},
                       {"under_replicated", stats.under_replicated()},
                       {"missing", stats.missing_blocks()},
                       {"datanodes", std::move(list)}});
  }
  print_plain("{} of {} B used, {} B left; {} blocks under-replicated, {} missing\n", stats.used(),
              stats.capacity(), stats.remaining(), stats.under_replicated(),
              stats.missing_blocks());
  for (const DatanodeInfo& datanode : all.di()) {
    const bool is_live = live.contains(datanode.id().datanode_uuid());
    print_plain("{}/{} ({}): {}, {}; {} of {} B used, {} transfers\n", datanode.location(),
                datanode.id().host_name(), hdfs::transfer_address(datanode.id()),
                is_live ? "live" : "dead", admin_state(datanode), datanode.dfs_used(),
                datanode.capacity(), datanode.xceiver_count());
  }
}

void change_safe_mode(const ReportFlags& flags) {
  hdfs::NamenodeClient namenode = connect_to(flags);
  hdfs::pb::SetSafeModeRequest request;
  request.set_action(flags.action == "enter"   ? hdfs::pb::SAFEMODE_ENTER
                     : flags.action == "leave" ? hdfs::pb::SAFEMODE_LEAVE
                                               : hdfs::pb::SAFEMODE_GET);
  const bool is_on = expected(namenode.call(request)).result();
  if (flags.json) {
    print_json({{"is_on", is_on}});
  } else {
    print_plain("safe mode is {}\n", is_on ? "on" : "off");
  }
}

}  // namespace

void add_storage_report_command(CLI::App& storage) {
  const auto flags = std::make_shared<ReportFlags>();
  CLI::App* command =
      storage.add_subcommand("report", "Show how full the storage is, and its datanodes");
  add_storage_flags(*command, *flags);
  add_storage_json_flag(*command, *flags);
  command->callback([flags] { print_report(*flags); });
}

void add_storage_safemode_command(CLI::App& storage) {
  const auto flags = std::make_shared<ReportFlags>();
  CLI::App* command =
      storage.add_subcommand("safemode", "Show whether safe mode is on, enter it or leave it");
  command->add_option("action", flags->action, "enter, leave or get")
      ->check(CLI::IsMember({"enter", "leave", "get"}))
      ->capture_default_str();
  add_storage_flags(*command, *flags);
  add_storage_json_flag(*command, *flags);
  command->callback([flags] { change_safe_mode(*flags); });
}

}  // namespace tracebed
