// `tracebed storage`: looks at the HDFS of a run in progress, and copies files.
#include "coordinator/cli/commands.h"
#include "coordinator/cli/storage_commands.h"

namespace tracebed {

void add_storage_command(CLI::App& program, ExitCode& result) {
  CLI::App* storage =
      program.add_subcommand("storage", "Look at the HDFS of a run in progress, and copy files");
  storage->require_subcommand(1);
  add_storage_ls_command(*storage);
  add_storage_du_command(*storage);
  add_storage_blocks_command(*storage);
  add_storage_fsck_command(*storage, result);
  add_storage_check_command(*storage, result);
  add_storage_get_command(*storage);
  add_storage_put_command(*storage);
  add_storage_report_command(*storage);
  add_storage_safemode_command(*storage);
  add_storage_order_commands(*storage);
}

}  // namespace tracebed
