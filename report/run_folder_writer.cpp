#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/input_error.h"
#include "report/data_dictionary.h"
#include "report/run_folder.h"
#include "report/run_json.h"

namespace tracebed {
namespace {

std::filesystem::path prepared(std::filesystem::path folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw EnvironmentError(
        fmt::format("cannot create the run folder {}: {}", folder.string(), error.message()));
  }
  if (std::filesystem::exists(folder / run_json_file)) {
    throw EnvironmentError(fmt::format("{} already holds a run", folder.string()));
  }
  return folder;
}

}  // namespace

RunFolderWriter::Files::Files(std::filesystem::path folder) : folder_(std::move(folder)) {}

std::unique_ptr<ByteOutput> RunFolderWriter::Files::create(const std::string& name) {
  return create_file(folder_ / name, [this, name](const FileChecksum& checksum) {
    vouch({name, checksum});
  });
}

void RunFolderWriter::Files::vouch(ListedFile file) {
  const auto at =
      std::lower_bound(list_.begin(), list_.end(), file,
                       [](const ListedFile& a, const ListedFile& b) { return a.file < b.file; });
  // A file is kept twice where two settings name the same.
  if (at != list_.end() && at->file == file.file) {
    *at = std::move(file);
  } else {
    list_.insert(at, std::move(file));
  }
}

RunFolderWriter::RunFolderWriter(std::filesystem::path folder, RunDescription description,
                                 const Names& names, RunFolderOptions options)
    : folder_(prepared(std::move(folder))),
      description_(std::move(description)),
      options_(options),
      files_(folder_),
      rows_(description_, names, options, files_) {
  write_run_json(folder_ / run_json_file, {description_, options_.task_rows, {}, {}, {}, {}},
                 nullptr);
}

void RunFolderWriter::add_control(const ControlRow& row) {
  if (!control_csv_) {
    control_csv_ = std::make_unique<CsvWriter>(files_.create(control_csv_file),
                                               csv_header(control_table(), {}));
  }
  write_control_row(*control_csv_, row);
}

void RunFolderWriter::write_queues(const QueueSeries& series) {
  if (series.samples.empty()) return;
  write_queues_csv(files_.create(queues_csv_file), series,
                   ResourceDimensions(description_.extra_dimensions));
}

void RunFolderWriter::vouch(ListedFile file) {
  files_.vouch(std::move(file));
  if (is_finished_) write_record();
}

void RunFolderWriter::write_data_package() {
  std::vector<std::string> files;
  for (const ListedFile& listed : files_.list()) files.push_back(listed.file);
  const std::string title =
      fmt::format("{}: {}, {} world, seed {}", description_.experiment_name,
                  description_.scheduler_label, description_.world, description_.seed);
  const Json package =
      data_package(title, files, ResourceDimensions(description_.extra_dimensions));
  const std::unique_ptr<ByteOutput> file = files_.create(data_package_file);
  file->write(package.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  file->close();
}

void RunFolderWriter::write_record() {
  written_.files = files_.list();
  record_ = write_run_json(folder_ / run_json_file, written_, &metrics_);
}

RunMetrics RunFolderWriter::finish(RunEnd end) {
  RunFigures figures = rows_.finish();
  if (control_csv_) control_csv_->close();
  write_data_package();
  metrics_ = std::move(figures.metrics);
  metrics_.starvation = end.starvation;
  end.rejections = rejections_.reasons();
  end.failures = failures_.reasons();
  written_ = {description_,     options_.task_rows,  std::move(end),
              figures.attempts, figures.utilisation, {}};
  write_record();
  is_finished_ = true;
  return metrics_;
}

}  // namespace tracebed
