#include "agents/launcher/flags.h"

#include <CLI/CLI.hpp>

namespace tracebed::launcher {

void add_flags(CLI::App& app, Flags& flags) {
  app.name("tracebed-launcher");
  app.description("Starts and ends the containers of one Tracebed agent.");
  app.add_option("--run", flags.name.run, "name of the run")->type_name("NAME");
  app.add_option("--agent", flags.name.agent, "name of the agent")->type_name("NAME");
  app.add_option("--task", flags.task_program, "path of tracebed-task")->type_name("FILE");
  app.add_option("--appmaster", flags.master_program,
                 "path of tracebed-appmaster (default: masters are not launched)")
      ->type_name("FILE");
  auto* const descriptor =
      app.add_option("--agent-fd", flags.agent_descriptor, "inherited connection to the agent");
  app.add_option("--listen", flags.listen_path, "path of a socket where the agent may connect")
      ->type_name("PATH")
      ->excludes(descriptor);
  app.add_option("--agent-user", flags.agent_user,
                 "user that may connect, name or id (default: own)")
      ->type_name("USER");
  app.add_option("--lifeline-fd", flags.lifeline_descriptor,
                 "inherited pipe: everything ends when its other end is closed");
  auto* const user =
      app.add_option("--task-user", flags.task_user,
                     "one user for all containers, which can then signal each other: UID:GID, or a "
                     "name (default: see --task-users)")
          ->type_name("USER");
  app.add_option("--task-users", flags.task_users,
                 "user ids of nobody else on this machine, FIRST-LAST: each container's processes "
                 "are another's, of which it has as many as kernel.pid_max (default: for root "
                 "2100000000-2104194303, else the launcher's own user)")
      ->type_name("FIRST-LAST")
      ->excludes(user);
  app.add_option("--orphan-grace", flags.orphan_grace_seconds,
                 "seconds that containers live on without an agent")
      ->check(CLI::Range(0.0, 2'592'000.0));
  app.add_option("--isolation", flags.isolation,
                 "auto: cgroups, or none with a warning; cgroup: cgroups or fail; none")
      ->type_name("KIND")
      ->check(CLI::IsMember({"auto", "cgroup", "none"}));
  app.add_option("--sweep", flags.sweep_run,
                 "instead of serving: end and remove all cgroups of this run")
      ->type_name("NAME");
}

}  // namespace tracebed::launcher
