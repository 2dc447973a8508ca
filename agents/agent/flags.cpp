#include "agents/agent/flags.h"

#include <CLI/CLI.hpp>

namespace tracebed::agent {
namespace {

void add_shuffle_flags(CLI::App& app, Flags& flags) {
  app.add_option("--shuffle", flags.shuffle_program,
                 "Path of tracebed-shuffle (default: beside this program)")
      ->type_name("FILE");
  auto* const outputs =
      app.add_option("--map-outputs", flags.map_outputs,
                     "Folder in which its shuffle server keeps what tasks fetch from each other")
          ->type_name("FOLDER");
  app.add_option("--shuffle-port", flags.shuffle_port,
                 "Port of its shuffle server (default: a free one)")
      ->type_name("PORT")
      ->check(CLI::Range(1, 65'535));
  app.add_option("--shuffle-connections", flags.shuffle_connections,
                 "Connections that its shuffle server serves at a time")
      ->type_name("COUNT")
      ->check(CLI::Range(std::int64_t{1}, shuffle_connections_max));
  app.add_option("--links", flags.links,
                 "File of the rates of disks and links that the machines of a local run share")
      ->type_name("FILE")
      ->needs(outputs);
}

}  // namespace

void add_flags(CLI::App& app, Flags& flags) {
  app.name("tracebed-agent");
  app.description("Serve as one machine of a Tracebed run or cluster.");
  app.set_version_flag("--version", "tracebed-agent " TRACEBED_VERSION);
  constexpr std::int64_t amount_max = std::int64_t{1} << 40;
  app.add_option("--config", flags.config,
                 "Configuration file of a long-running agent, which serves one run of its "
                 "coordinator after another")
      ->type_name("FILE");
  app.add_option("--run", flags.run, "Name of the run")->type_name("NAME");
  app.add_option("--name", flags.name, "Name of this machine in the experiment")->type_name("NAME");
  app.add_option("--address", flags.address,
                 "Source address of connections of this agent and its tasks")
      ->type_name("ADDRESS")
      ->check(CLI::ValidIPV4);
  app.add_option("--rack", flags.rack, "Network location, for example /rack1")
      ->type_name("RACK")
      ->capture_default_str();
  app.add_option("--label", flags.labels, "Node label; repeatable")
      ->type_name("LABEL")
      ->expected(1)
      ->take_all();
  app.add_option("--milli-vcores", flags.milli_vcores,
                 "Capacity in thousandths of a vcore (default: this machine's)")
      ->check(CLI::Range(std::int64_t{1}, amount_max));
  app.add_option("--first-cpu", flags.first_cpu, "Passed to tracebed-launcher")->type_name("N");
  app.add_option("--memory-mib", flags.memory_mib,
                 "Capacity in MiB (default: this machine's memory)")
      ->check(CLI::Range(std::int64_t{1}, amount_max));
  app.add_option("--resource", flags.more_resources,
                 "Capacity in the next further dimension; repeatable")
      ->expected(1)
      ->take_all()
      ->check(CLI::Range(std::int64_t{0}, amount_max));
  auto* const path = app.add_option("--launcher-socket", flags.launcher_path,
                                    "Socket of a running launcher (cluster mode)")
                         ->type_name("PATH");
  app.add_option(
         "--launcher", flags.launcher_program,
         "Path of tracebed-launcher, to be started (local mode; default: beside this program)")
      ->type_name("FILE")
      ->excludes(path);
  app.add_option("--task", flags.task_program,
                 "Path of tracebed-task (default: beside this program)")
      ->type_name("FILE");
  app.add_option("--appmaster", flags.master_program,
                 "Path of tracebed-appmaster (default: beside this program)")
      ->type_name("FILE");
  add_shuffle_flags(app, flags);
  app.add_option("--isolation", flags.isolation,
                 "Isolation, passed to the launcher: auto, cgroup or none")
      ->type_name("KIND")
      ->check(CLI::IsMember({"auto", "cgroup", "none"}));
  app.add_option("--task-user", flags.task_user, "UID:GID of containers, passed to the launcher")
      ->type_name("USER");
  app.add_option("--lifeline-fd", flags.lifeline_descriptor,
                 "Inherited pipe; the agent and its containers end when its other end is closed");
}

}  // namespace tracebed::agent
