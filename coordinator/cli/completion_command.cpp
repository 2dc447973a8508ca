// `tracebed completion SHELL`
#include <fmt/core.h>
#include <memory>

#include "command_line/bash_completion.h"
#include "command_line/zsh_completion.h"
#include "coordinator/cli/commands.h"
#include "coordinator/cli/value_names.h"

namespace tracebed {

void add_completion_command(CLI::App& program, const SchedulerRegistry& schedulers) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand(
      "completion", "Print the completion script of a shell: source <(tracebed completion bash)");
  command->add_option("shell", *shell, "The shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}));
  command->callback([shell, &program, &schedulers] {
    const CommandDescription tree = describe(program);
    const ValueCompletions completions = value_completions(schedulers);
    fmt::print("{}", *shell == "bash" ? bash_completion(tree, completions)
                                      : zsh_completion(tree, completions));
  });
}

}  // namespace tracebed
