// The dictionary says what the files have: of every column and every figure, and of no others.
#include "report/data_dictionary.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "report/json_metrics.h"
#include "report/run_columns.h"
#include "report/run_folder.h"
#include "report/sample_runs.h"
#include "support/csv_rows.h"
#include "support/files.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using testing::ElementsAre;

const ResourceDimensions with_gpus({"gpu"});

std::vector<std::string> all_csv_files() {
  std::vector<std::string> files;
  for (const CsvTable* table : csv_tables()) files.emplace_back(table->file);
  return files;
}

TEST(DataPackage, NamesTheColumnsOfEachFileInTheirOrder) {
  const Json package = data_package("a run", all_csv_files(), with_gpus);
  ASSERT_EQ(package.at("resources").size(), csv_tables().size());
  for (std::size_t i = 0; i < csv_tables().size(); ++i) {
    const Json& resource = package.at("resources")[i];
    std::string header;
    for (const Json& field : resource.at("schema").at("fields")) {
      header += (header.empty() ? "" : ",") + field.at("name").get<std::string>();
    }
    EXPECT_EQ(resource.at("path"), csv_tables()[i]->file);
    EXPECT_EQ(header, csv_header(*csv_tables()[i], with_gpus));
  }
}

TEST(DataPackage, NamesTypesAsItsStandardDoes) {
  const Json package = data_package("a run", all_csv_files(), with_gpus);
  const auto type_of = [&](const std::string& file, const std::string& name) -> std::string {
    for (const Json& resource : package.at("resources")) {
      if (resource.at("path") != file) continue;
      for (const Json& field : resource.at("schema").at("fields")) {
        if (field.at("name") == name) return field.at("type");
      }
    }
    return "not there";
  };
  EXPECT_EQ(type_of("samples.csv", "start_us"), "integer");
  EXPECT_EQ(type_of("samples.csv", "containers"), "number");
  EXPECT_EQ(type_of("tasks.csv", "launched"), "boolean");
  EXPECT_EQ(type_of("jobs.csv", "name"), "string");
}

TEST(DataPackage, KeysAreColumns) {
  for (const CsvTable* table : csv_tables()) {
    const std::vector<NamedColumn> columns = columns_of(*table, with_gpus);
    for (const std::string_view key : table->key) {
      EXPECT_TRUE(std::any_of(columns.begin(), columns.end(),
                              [&](const NamedColumn& column) { return column.name == key; }))
          << table->file << ": " << key;
    }
  }
}

TEST(DataPackage, EachResourceHasItsColumnsAndUnit) {
  std::vector<std::string> names;
  std::vector<std::string> units;
  for (const NamedColumn& column : columns_of(queues_table(), with_gpus)) {
    if (!column.name.starts_with("reserved_")) continue;
    names.push_back(column.name);
    units.push_back(column.unit);
  }
  EXPECT_THAT(names, ElementsAre("reserved_milli_vcores", "reserved_memory_mib", "reserved_gpu"));
  EXPECT_THAT(units, ElementsAre("1/1000 vcore", "MiB", "as in the experiment"));
}

template <class Number>
bool is_number(const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool fits(const Json& field, const std::string& value) {
  const std::string type = field.at("type");
  if (value.empty() && type != "string") return !field.contains("constraints");
  if (field.contains("constraints") && field.at("constraints").contains("enum")) {
    const Json& words = field.at("constraints").at("enum");
    if (std::find(words.begin(), words.end(), Json(value)) == words.end()) return false;
  }
  if (type == "integer") return is_number<std::int64_t>(value);
  if (type == "number") return is_number<double>(value);
  return type == "string" || value == "0" || value == "1";
}

// A container that was given back before anything was launched in it has empty fields, and so has a
// job that was never given one.
TEST(DataPackage, OfAFolderListsItsFilesAndFitsTheirRows) {
  const TemporaryFolder scratch;
  const std::filesystem::path folder = scratch.path() / "run";
  Names names;
  names.users.intern("ann");
  names.queues.intern("batch");
  RunFolderWriter writer(folder, sample_description({}), names, {});
  AttemptRecord attempt;
  attempt.application = ApplicationId(0u);
  attempt.job = JobId(0u);
  attempt.user = UserId(0u);
  attempt.queue = QueueId(0u);
  attempt.container = ContainerId(0u);
  attempt.node = NodeId(0u);
  attempt.end = ContainerEnd::released;
  writer.attempt_ended(attempt);
  JobRecord job;
  job.application = ApplicationId(0u);
  job.job = JobId(0u);
  job.user = UserId(0u);
  job.queue = QueueId(0u);
  job.outcome = JobOutcome::killed;
  writer.job_ended(job);
  writer.finish({});
  const Json package = Json::parse(contents(folder / data_package_file));
  std::vector<std::string> files;
  for (const Json& resource : package.at("resources")) {
    const std::string file = resource.at("path");
    files.push_back(file);
    for (const CsvRow& row : csv_rows(folder / file)) {
      for (const Json& field : resource.at("schema").at("fields")) {
        EXPECT_TRUE(fits(field, row.at(field.at("name")))) << file << ": " << field;
      }
    }
  }
  EXPECT_THAT(files, ElementsAre("jobs.csv", "tasks.csv", "samples.csv"));
  const RunRecord record = read_run_json(folder / run_json_file);
  EXPECT_TRUE(std::any_of(record.files.begin(), record.files.end(), [](const ListedFile& listed) {
    return listed.file == data_package_file;
  }));
}

// "a" for what is a figure, "a.b" for those of an object.
void list_keys(const Json& object, const std::string& prefix, std::set<std::string>& keys) {
  const std::set<std::string> opened{"jobs", "attempts", "deadlines"};
  for (const auto& [key, value] : object.items()) {
    if (opened.contains(key) && value.is_object()) {
      list_keys(value, key + ".", keys);
    } else {
      keys.insert(prefix + key);
    }
  }
}

TEST(FigureDefinitions, AreOfTheFiguresThatAreWritten) {
  RunMetrics metrics;
  metrics.utilisation.resize(2);
  metrics.attempts.masters = 1;
  metrics.attempts.input.node_local = 1;
  metrics.attempts.output = 1;
  metrics.attempts.shuffled = {1, 2, 3};
  metrics.attempts.spilled = 1;
  metrics.attempts.preemption.all.asked = 1;
  metrics.attempts.devices = {{.device = "gpu:0", .nodes = 1, .containers = 1, .held_seconds = 1}};
  metrics.starvation.queues.emplace_back();
  metrics.deadlines.jobs = 1;
  Json written;
  JsonOutput fields(written);
  write_metrics(fields, metrics, ResourceDimensions());
  std::set<std::string> keys;
  list_keys(written, "", keys);
  std::set<std::string> defined;
  for (const FigureDefinition& figure : figure_definitions()) {
    EXPECT_TRUE(defined.emplace(figure.key).second) << figure.key;
    const std::string key(figure.key);
    const Json& at = key.starts_with("attempts.")
                         ? written.at("attempts").at(key.substr(std::string("attempts.").size()))
                     : key.starts_with("jobs.")      ? written.at("jobs").at(key.substr(5))
                     : key.starts_with("deadlines.") ? written.at("deadlines").at(key.substr(10))
                                                     : written.at(key);
    EXPECT_EQ(figure.is_spread, at.is_object() && at.contains("p95")) << key;
  }
  EXPECT_EQ(defined, keys);
}

// With TRACEBED_UPDATE_GOLDEN set the page is written anew.
TEST(DictionaryPage, IsThatOfTheProject) {
  if (std::getenv("TRACEBED_UPDATE_GOLDEN") != nullptr) write_file(COLUMNS_PAGE, dictionary_page());
  EXPECT_EQ(contents(COLUMNS_PAGE), dictionary_page()) << "TRACEBED_UPDATE_GOLDEN=1 writes it anew";
}

}  // namespace
}  // namespace tracebed
