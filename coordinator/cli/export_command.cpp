// `tracebed export RUN`
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <system_error>
#include <vector>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/run_folders.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/recorded/replay_log.h"
#include "core/input_error.h"
#include "report/row_bytes.h"
#include "report/run_columns.h"

namespace tracebed {
namespace {

struct ExportFlags {
  std::vector<std::string> runs;
  std::string output;
  bool zstd = false;
  bool json = false;
};

// A file under another name until it is whole.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(std::filesystem::path path)
      : path_(std::move(path)), unfinished_(path_.string() + ".unfinished") {
    if (std::filesystem::exists(path_)) {
      throw EnvironmentError(fmt::format("{} exists already", path_.string()));
    }
    std::filesystem::remove(unfinished_);  // of a program that was killed
  }
  ~UnfinishedFile() {
    std::error_code ignored;
    std::filesystem::remove(unfinished_, ignored);
  }
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  std::unique_ptr<ByteOutput> create() const {
    std::unique_ptr<ByteOutput> file = create_file(unfinished_);
    return path_.extension() == compressed_suffix ? compressed(std::move(file)) : std::move(file);
  }
  void keep() const { std::filesystem::rename(unfinished_, path_); }

 private:
  std::filesystem::path path_;
  std::filesystem::path unfinished_;
};

// Why the rows are not those of the run; empty if they are. Those of a run whose program was killed
// are the rows of its log.
std::string why_not(const LogReplay& replay) {
  if (replay.difference) {
    return fmt::format("decided differently from round {} on", replay.difference->round);
  }
  if (!replay.row_differences.empty()) return replay.row_differences.front().text();
  if (!replay.has_end) return {};
  if (replay.loss) return fmt::format("the log ends early: {}", *replay.loss);
  if (replay.digest == replay.recorded_digest) return {};
  return fmt::format("decided digest {}, recorded: {}", replay.digest, replay.recorded_digest);
}

void export_rows(const ExportFlags& flags, const SchedulerRegistry& schedulers) {
  const std::vector<std::filesystem::path> runs = named_run_folders(flags.runs);
  if (!flags.output.empty() && runs.size() != 1) {
    throw InputError(fmt::format("--output: expected one run, got {}", runs.size()));
  }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const std::filesystem::path& run : runs) {
    const std::filesystem::path path =
        flags.output.empty() ? run / (flags.zstd ? compressed_tasks_file : tasks_csv_file)
                             : std::filesystem::path(flags.output);
    const UnfinishedFile file(path);
    const LogReplay replay = replay_log(run, schedulers, file.create());
    if (const std::string why = why_not(replay); !why.empty()) {
      throw InputError(fmt::format(
          "{}: the log does not decide what the run recorded, so no rows are written: {}",
          run.string(), why));
    }
    file.keep();
    if (flags.json) {
      nlohmann::ordered_json one{{"run", run.string()},
                                 {"file", path.string()},
                                 {"jobs_ended", replay.jobs_ended},
                                 {"digest", replay.digest}};
      if (replay.loss) one["loss"] = *replay.loss;
      list.push_back(std::move(one));
    } else {
      print_plain("{}: {} jobs, digest {}{}\n", path.string(), replay.jobs_ended, replay.digest,
                  replay.loss ? "; the log ends early: " + *replay.loss : "");
    }
  }
  if (flags.json) print_json(list);
}

}  // namespace

void add_export_command(CLI::App& program, const SchedulerRegistry& schedulers) {
  const auto flags = std::make_shared<ExportFlags>();
  CLI::App* command = program.add_subcommand(
      "export", "Write the rows of tasks of runs that did not keep them, from their logs");
  command->add_option("runs", flags->runs, "Run folders, or output folders of experiments")
      ->required();
  CLI::Option* output = command->add_option(
      "--output", flags->output,
      "File to write, compressed if it ends with .zst (default: tasks.csv in the run's folder)");
  command->add_flag("--zstd", flags->zstd, "Write tasks.csv.zst, compressed by Zstandard")
      ->excludes(output);
  command->add_flag("--json", flags->json, "Print results as JSON");
  command->callback([flags, &schedulers] { export_rows(*flags, schedulers); });
}

}  // namespace tracebed
