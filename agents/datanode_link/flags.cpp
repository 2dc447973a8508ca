#include "agents/datanode_link/flags.h"

#include <CLI/CLI.hpp>

namespace tracebed {

void add_flags(CLI::App& app, DatanodeFlags& flags) {
  app.name("tracebed-datanode");
  app.description("Serve as the HDFS datanode of one machine of a Tracebed run or cluster.");
  app.set_version_flag("--version", "tracebed-datanode " TRACEBED_VERSION);
  constexpr std::uint64_t bytes_max = std::uint64_t{1} << 53;
  app.add_option("--config", flags.config,
                 "Configuration file of a long-running datanode, which serves one run of its "
                 "coordinator after another")
      ->type_name("FILE");
  app.add_option("--run", flags.run, "Name of the run")->type_name("NAME");
  app.add_option("--name", flags.name, "Name of this machine in the experiment")->type_name("NAME");
  app.add_option("--address", flags.address,
                 "Where it listens, and source address of its connections")
      ->type_name("ADDRESS")
      ->check(CLI::ValidIPV4);
  app.add_option("--folder", flags.folder, "Folder of its replicas, for it alone")
      ->type_name("FOLDER");
  app.add_option("--store", flags.store,
                 "Where replicas are that clients did not write: generated or disk")
      ->type_name("KIND")
      ->check(CLI::IsMember({"generated", "disk"}));
  app.add_option("--capacity", flags.capacity, "Bytes of all replicas")
      ->check(CLI::Range(std::uint64_t{1}, bytes_max));
  app.add_option("--socket-timeout-ms", flags.socket_timeout_ms,
                 "Timeout for what its peers are to send")
      ->type_name("MILLISECONDS")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{datanode_socket_timeout_max.count()}));
  app.add_option("--isolation", flags.isolation,
                 "Whether it has a cgroup of its own: auto, cgroup or none")
      ->type_name("KIND")
      ->check(CLI::IsMember({"auto", "cgroup", "none"}));
  app.add_option("--links", flags.links,
                 "Rates of network interfaces and uplinks, which the run's datanodes on this "
                 "machine share")
      ->type_name("FILE");
  app.add_option("--lifeline-fd", flags.lifeline_descriptor,
                 "Inherited pipe; the datanode ends when its other end is closed");
}

}  // namespace tracebed
