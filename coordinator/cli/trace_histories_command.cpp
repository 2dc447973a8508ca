// `tracebed trace histories PATH OUTPUT`
#include <cstdio>
#include <fmt/core.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/cli/trace_flags.h"
#include "core/input_error.h"
#include "system/output_file.h"
#include "traces/histories/import_histories.h"

namespace tracebed {
namespace {

void report_configurations(std::FILE* to, const HistoriesResult& result) {
  print_plain(to, "{} jobs with their configuration beside them", result.configured);
  if (!result.slow_starts.empty()) {
    print_plain(to, "; reduces begin (slow_start of the run's MapReduce masters) after");
    const char* separator = " ";
    for (const auto& [share, jobs] : result.slow_starts) {
      print_plain(to, "{}{} of the maps in {}", separator, share, jobs);
      separator = ", ";
    }
  }
  print_plain(to, "\n");
}

void report_import(const std::string& path, const std::string& output,
                   const HistoriesOptions& options) {
  std::FILE* const to =
      messages_beside(is_standard_output(options.topology) ? options.topology : output);
  const HistoriesResult result = import_histories(path, output, options);
  for (const std::string& bad : result.bad_files) print_plain(stderr, "bad: {}\n", bad);
  if (!result.is_written) {
    throw InputError(fmt::format("{}: {} of {} history files cannot be used{}; nothing was written",
                                 path, result.bad_files.size(),
                                 result.bad_files.size() + result.files,
                                 result.files > 0 ? " (--skip-bad skips them)" : ""));
  }
  print_plain(to, "{}: {} jobs with {} maps, {} reduces and {} other tasks, {} attempts\n", output,
              result.files, result.maps, result.reduces, result.other_tasks, result.attempts);
  print_plain(to, "{} hosts in {} racks", result.hosts, result.racks);
  if (result.hosts_without_rack > 0) {
    print_plain(to,
                "; {} that only hold input are in default-rack, since no attempt names their rack",
                result.hosts_without_rack);
  }
  print_plain(to, "\n");
  report_configurations(to, result);
  if (!result.bad_files.empty()) print_plain(to, "{} bad files skipped\n", result.bad_files.size());
}

}  // namespace

void add_trace_histories_command(CLI::App& trace) {
  struct Flags {
    std::string path;
    std::string output;
    HistoriesOptions options;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command = trace.add_subcommand(
      "histories", "Convert MapReduce job histories (.jhist) into a Rumen trace");
  command->add_option("path", flags->path, "History file, or folder of history files")->required();
  add_output_file(*command, flags->output);
  command->add_option("--topology", flags->options.topology,
                      "Also write the hosts and racks as a Rumen topology file");
  command->add_flag("--skip-bad", flags->options.skip_bad, "Skip files that cannot be used");
  command->callback([flags] { report_import(flags->path, flags->output, flags->options); });
}

}  // namespace tracebed
