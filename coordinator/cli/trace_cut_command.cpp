// `tracebed trace cut INPUT OUTPUT`
#include <fmt/core.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/duration_flag.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/cli/trace_flags.h"
#include "traces/convert/trace_cut.h"

namespace tracebed {

void add_trace_cut_command(CLI::App& trace) {
  struct Flags {
    std::string input;
    std::string output;
    TraceFlags trace;
    CutOptions cut;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command = trace.add_subcommand(
      "cut",
      "Extract part of a trace: SWF and SWIM keep their format, others become binary traces");
  add_input_file(*command, flags->input);
  add_output_file(*command, flags->output);
  add_row_flags(*command, flags->trace);
  add_duration_flag(*command, "--from", flags->cut.from,
                    "Skip rows submitted earlier than this after the first");
  add_duration_flag(*command, "--to", flags->cut.to,
                    "Skip rows submitted at or after this time after the first");
  command->add_option("--sample", flags->cut.sample, "Keep each row with this probability")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--seed", flags->cut.seed, "Seed of the sample");
  command->add_option("--first", flags->cut.first, "Maximum number of rows");
  command->callback([flags] {
    std::FILE* const to = messages_beside(flags->output);
    const CutResult result =
        cut_trace(flags->input, flags->output, trace_options(flags->trace), flags->cut);
    print_plain(to, "{}: {}, {} of {} rows, {} bytes", flags->output, result.format,
                result.rows_written, result.rows_read, result.bytes_written);
    if (result.bad_rows > 0) print_plain(to, "; {} bad rows skipped", result.bad_rows);
    print_plain(to, "\n");
  });
}

}  // namespace tracebed
