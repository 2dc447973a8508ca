#include "agents/agent/flags.h"

#include <CLI/CLI.hpp>

namespace tracebed::agent {

void add_flags(CLI::App& app, Flags& flags) {
  app.name("tracebed-agent");
  app.description("One machine of a Tracebed run, or of a cluster.");
  app.set_version_flag("--version", "tracebed-agent " TRACEBED_VERSION);
  constexpr std::int64_t amount_max = std::int64_t{1} << 40;
  app.add_option("--config", flags.config,
                 "file that says what these flags say, and more, of a long-running agent: it "
                 "serves run after run of its coordinator")
      ->type_name("FILE");
  app.add_option("--run", flags.run, "name of the run")->type_name("NAME");
  app.add_option("--name", flags.name, "this machine's name in the experiment")->type_name("NAME");
  app.add_option("--address", flags.address,
                 "this agent's own address, which its connections and its tasks' come from")
      ->type_name("ADDRESS")
      ->check(CLI::ValidIPV4);
  app.add_option("--rack", flags.rack, "network location, as /rack1")
      ->type_name("RACK")
      ->capture_default_str();
  app.add_option("--label", flags.labels, "a node label; may be repeated")
      ->type_name("LABEL")
      ->expected(1)
      ->take_all();
  app.add_option("--milli-vcores", flags.milli_vcores,
                 "capacity in thousandths of a vcore (default: this machine's)")
      ->check(CLI::Range(std::int64_t{1}, amount_max));
  app.add_option("--memory-mib", flags.memory_mib,
                 "capacity in MiB (default: this machine's memory)")
      ->check(CLI::Range(std::int64_t{1}, amount_max));
  app.add_option("--resource", flags.more_resources,
                 "capacity in the next further dimension; may be repeated")
      ->expected(1)
      ->take_all()
      ->check(CLI::Range(std::int64_t{0}, amount_max));
  auto* const path = app.add_option("--launcher-socket", flags.launcher_path,
                                    "socket of a launcher that runs already (cluster mode)")
                         ->type_name("PATH");
  app.add_option("--launcher", flags.launcher_program,
                 "tracebed-launcher, to be started (local mode; default: beside this program)")
      ->type_name("FILE")
      ->excludes(path);
  app.add_option("--task", flags.task_program, "tracebed-task (default: beside this program)")
      ->type_name("FILE");
  app.add_option("--appmaster", flags.master_program,
                 "tracebed-appmaster (default: beside this program)")
      ->type_name("FILE");
  app.add_option("--isolation", flags.isolation, "handed to the launcher: auto, cgroup or none")
      ->type_name("KIND")
      ->check(CLI::IsMember({"auto", "cgroup", "none"}));
  app.add_option("--task-user", flags.task_user, "handed to the launcher: UID:GID of containers")
      ->type_name("USER");
  app.add_option("--lifeline-fd", flags.lifeline_descriptor,
                 "inherited pipe: everything ends when its other end is closed");
}

}  // namespace tracebed::agent
