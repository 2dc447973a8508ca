// `tracebed columns`
#include <fmt/core.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/text_output.h"
#include "report/data_dictionary.h"
#include "report/run_columns.h"

namespace tracebed {

void add_columns_command(CLI::App& program, ExitCode&) {
  const auto prints_json = std::make_shared<bool>(false);
  CLI::App* command = program.add_subcommand(
      "columns", "Describe the columns of a run's CSV files and the figures of its record");
  command->add_flag("--json", *prints_json,
                    "Print the columns as a Data Package, as in run folders");
  command->callback([prints_json] {
    if (!*prints_json) {
      print_lines(dictionary_page());
      return;
    }
    std::vector<std::string> files;
    for (const CsvTable* table : csv_tables()) files.emplace_back(table->file);
    print_json(data_package("a run's files", files, ResourceDimensions()));
  });
}

}  // namespace tracebed
