#include "agents/launcher/flags.h"

#include <CLI/CLI.hpp>

namespace tracebed::launcher {

void add_flags(CLI::App& app, Flags& flags) {
  app.name("tracebed-launcher");
  app.description("Start and stop the containers of one Tracebed agent.");
  app.add_option("--run", flags.name.run, "Name of the run")->type_name("NAME");
  app.add_option("--agent", flags.name.agent, "Name of the agent")->type_name("NAME");
  app.add_option("--task", flags.task_program, "Path of tracebed-task")->type_name("FILE");
  app.add_option("--appmaster", flags.master_program,
                 "Path of tracebed-appmaster (default: masters are not launched)")
      ->type_name("FILE");
  auto* const descriptor =
      app.add_option("--agent-fd", flags.agent_descriptor, "Inherited connection to the agent");
  app.add_option("--listen", flags.listen_path, "Path of the socket that the agent connects to")
      ->type_name("PATH")
      ->excludes(descriptor);
  app.add_option("--agent-user", flags.agent_user,
                 "User that may connect, name or id (default: own)")
      ->type_name("USER");
  app.add_option(
      "--lifeline-fd", flags.lifeline_descriptor,
      "Inherited pipe; the launcher and its containers end when its other end is closed");
  auto* const user =
      app.add_option("--task-user", flags.task_user,
                     "One user for all containers, which can then signal each other: UID:GID or a "
                     "name (default: see --task-users)")
          ->type_name("USER");
  app.add_option(
         "--task-users", flags.task_users,
         "FIRST-LAST: unused user ids of this machine, one for each container; their number "
         "must be at least kernel.pid_max (default: 2100000000-2104194303 for root, "
         "otherwise the launcher's own user)")
      ->type_name("FIRST-LAST")
      ->excludes(user);
  app.add_option("--orphan-grace", flags.orphan_grace_seconds,
                 "Seconds for which containers survive without an agent")
      ->check(CLI::Range(0.0, 2'592'000.0));
  app.add_option("--isolation", flags.isolation,
                 "auto: cgroups, or none with a warning; cgroup: cgroups or fail; none")
      ->type_name("KIND")
      ->check(CLI::IsMember({"auto", "cgroup", "none"}));
  app.add_option(
         "--first-cpu", flags.first_cpu,
         "First of the CPUs that containers are bound to where they share vcores by weight; "
         "they are bound to as many as these vcores")
      ->type_name("N");
  app.add_option(
         "--sweep", flags.sweep_run,
         "Kill and remove all cgroups of this run, or with --agent those of this agent, then "
         "exit")
      ->type_name("NAME");
}

}  // namespace tracebed::launcher
