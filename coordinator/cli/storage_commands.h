// The subcommands of `storage`.
#pragma once

#include <CLI/CLI.hpp>

#include "core/exit_codes.h"

namespace tracebed {

void add_storage_ls_command(CLI::App& storage);
void add_storage_du_command(CLI::App& storage);
void add_storage_blocks_command(CLI::App& storage);
void add_storage_fsck_command(CLI::App& storage, ExitCode& result);
void add_storage_check_command(CLI::App& storage, ExitCode& result);
void add_storage_get_command(CLI::App& storage);
void add_storage_put_command(CLI::App& storage);
void add_storage_report_command(CLI::App& storage);
void add_storage_safemode_command(CLI::App& storage);
// Those that use the administrators' service.
void add_storage_order_commands(CLI::App& storage);

}  // namespace tracebed
