// write_manual FOLDER DATE: writes the manual pages of all programs, of their own commands and
// flags, into FOLDER/man1 and FOLDER/man8. A part of the build, not of the package.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>

#include "agents/agent/flags.h"
#include "agents/appmaster/flags.h"
#include "agents/datanode_link/flags.h"
#include "agents/launcher/flags.h"
#include "agents/shuffle_link/flags.h"
#include "command_line/manual_page.h"
#include "coordinator/api/daemon_flags.h"
#include "coordinator/cli/commands.h"
#include "schedulers/entries/builtin_schedulers.h"
#include "system/replace_file.h"

namespace tracebed {
namespace {

std::string code_text(ExitCode code) {
  return std::to_string(to_int(code));
}

ManualSection exit_status_of_daemons() {
  return {"exit status",
          "",
          {{code_text(ExitCode::success), "The daemon ended on request."},
           {code_text(ExitCode::usage), "A flag is unknown, or its value is."},
           {code_text(ExitCode::input), "A configuration file or a value is malformed."},
           {code_text(ExitCode::environment), "A port, permission, program or service is missing."},
           {code_text(ExitCode::failed_invariant), "A defect of Tracebed itself."}}};
}

ManualSection exit_status_of_commands() {
  return {"exit status",
          "",
          {{code_text(ExitCode::success), "Success."},
           {code_text(ExitCode::run_failed), "The run, or the comparison, did not succeed."},
           {code_text(ExitCode::usage), "A command, flag or argument is unknown."},
           {code_text(ExitCode::input), "A trace, experiment or run folder is malformed."},
           {code_text(ExitCode::environment), "A port, permission, program or service is missing."},
           {code_text(ExitCode::unexpected), "An expectation of a scenario does not hold."},
           {code_text(ExitCode::none_succeeded), "The run ended, but none of its jobs succeeded."},
           {code_text(ExitCode::stalled),
            "A run was given up: its jobs could make no progress. It says why."},
           {code_text(ExitCode::failed_invariant),
            "A defect of Tracebed itself; ignore what is printed after it."},
           {code_text(ExitCode::interrupted), "Ctrl-C: the partial run is kept."}}};
}

ManualSection files_of(const std::string& unit, const std::string& configuration) {
  ManualSection files{"files", "", {}};
  if (!configuration.empty()) {
    files.items.emplace_back(configuration, "What the unit passes as --config.");
  }
  files.items.emplace_back("/lib/systemd/system/" + unit, "The service's unit.");
  files.items.emplace_back("/usr/share/doc/tracebed/docs/operating.md",
                           "Deployment, configuration, security and troubleshooting.");
  return files;
}

void write(const std::filesystem::path& folder, const CLI::App& app, const ManualOptions& options) {
  const std::filesystem::path place = folder / ("man" + std::to_string(options.number));
  std::filesystem::create_directories(place);
  for (const ManualPage& page : manual_pages(describe(app), options)) {
    replace_file(place / page.file, page.text);
  }
}

void write_commands(const std::filesystem::path& folder, ManualOptions options) {
  CLI::App app;
  ExitCode result = ExitCode::success;
  const SchedulerRegistry schedulers = builtin_schedulers();
  add_commands(app, schedulers, result);
  options.sections = {
      {"environment",
       "",
       {{"TRACEBED_TRACES",
         "The folder of real traces: what ${TRACEBED_TRACES}/ stands for in an experiment."},
        {"TRACEBED_TOKEN_FILE", "The token file of commands without --token-file."}}},
      {"files",
       "",
       {{"/usr/share/tracebed/experiments",
         "Sample experiments and traces; reference.toml has every key."},
        {"/usr/share/doc/tracebed/docs", "The documentation."}}},
      exit_status_of_commands()};
  write(folder, app, options);
}

void write_daemons(const std::filesystem::path& folder, ManualOptions options) {
  options.number = 8;
  const ManualSection codes = exit_status_of_daemons();
  {
    CLI::App app;
    std::string config;
    CoordinatorFile file;
    add_daemon_flags(app, config, file);
    options.sections = {files_of("tracebed-coordinator.service", "/etc/tracebed/coordinator.toml"),
                        codes};
    write(folder, app, options);
  }
  {
    CLI::App app;
    agent::Flags flags;
    agent::add_flags(app, flags);
    options.sections = {files_of("tracebed-agent.service", "/etc/tracebed/agent.toml"), codes};
    write(folder, app, options);
  }
  {
    CLI::App app;
    DatanodeFlags flags;
    add_flags(app, flags);
    options.sections = {files_of("tracebed-datanode.service", "/etc/tracebed/datanode.toml"),
                        codes};
    write(folder, app, options);
  }
  {
    CLI::App app;
    launcher::Flags flags;
    launcher::add_flags(app, flags);
    options.sections = {files_of("tracebed-launcher.service", ""), codes};
    write(folder, app, options);
  }
  {
    CLI::App app;
    appmaster::Flags flags;
    appmaster::add_flags(app, flags);
    options.sections = {codes};
    write(folder, app, options);
  }
  {
    CLI::App app;
    shuffle_link::add_flags(app);
    options.sections = {codes};
    write(folder, app, options);
  }
}

}  // namespace
}  // namespace tracebed

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: write_manual FOLDER DATE\n", stderr);
    return to_int(tracebed::ExitCode::usage);
  }
  tracebed::ManualOptions options;
  options.date = argv[2];
  options.version = TRACEBED_VERSION;
  options.see_also = {"tracebed(1)",           "tracebed-agent(8)",
                      "tracebed-appmaster(8)", "tracebed-coordinator(8)",
                      "tracebed-datanode(8)",  "tracebed-launcher(8)",
                      "tracebed-shuffle(8)"};
  try {
    tracebed::write_commands(argv[1], options);
    tracebed::write_daemons(argv[1], options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "write_manual: %s\n", error.what());
    return to_int(tracebed::ExitCode::environment);
  }
  return 0;
}
