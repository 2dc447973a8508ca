// Every field of every format is what traces/parts/format_fields.h says of it: changing an obeyed
// one changes the workload (an approximated one too, by a rule where that decides), and changing an
// ignored or compared one does not; `trace info` lists those ignored that have a value.
#include "traces/parts/format_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/input_error.h"
#include "traces/field_changes.h"
#include "traces/parts/ignored_fields.h"
#include "traces/trace_formats.h"
#include "traces/trace_info.h"
#include "traces/trace_texts.h"

namespace tracebed::testing {

void PrintTo(const FieldChanges& changes, std::ostream* out) {
  *out << changes.format;
}

namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// What a replay sees; or that the trace is refused.
struct Seen {
  std::vector<Job> jobs;
  std::vector<std::string> names;  // of their users and queues
  std::vector<NamedPredecessors> predecessors;
  std::string error;

  bool operator==(const Seen&) const = default;
};

class FormatFields : public ::testing::TestWithParam<FieldChanges> {
 protected:
  void SetUp() override { write(GetParam().files); }

  std::string path() const {
    const bool is_folder = GetParam().files.size() > 1;
    return is_folder ? folder_.path().string() : folder_.file(GetParam().files[0].first);
  }
  void write(const std::vector<std::pair<std::string, std::string>>& files) {
    for (const auto& [name, text] : files) folder_.write(name, text);
  }
  TraceOptions options(const FieldChange* change = nullptr) const {
    TraceOptions options = with_rule("trace.origin", "file");
    options.format = GetParam().format;
    options.dimensions = ResourceDimensions({"gpu_milli", "fpga"});
    if (change == nullptr || change->rule.empty()) return options;
    return with_rule(change->rule, change->value, options);
  }
  Seen see(const TraceOptions& options) const {
    Seen seen;
    try {
      Names names;
      const auto reader = open_trace(path(), options, names);
      for (Job job; reader->next(job);) {
        seen.names.push_back(names.users.name(job.user) + " " + names.queues.name(job.queue));
        if (const NamedPredecessors* const named = reader->predecessors()) {
          seen.predecessors.push_back(*named);
        }
        seen.jobs.push_back(std::move(job));
      }
    } catch (const InputError& error) {
      seen.error = error.what();
    }
    return seen;
  }
  Seen see_changed(const FieldChange& change) {
    auto files = GetParam().files;
    std::string& text = files.at(change.file).second;
    const std::size_t at = text.find(change.from);
    EXPECT_NE(at, std::string::npos) << change.field << ": " << change.from;
    if (at != std::string::npos) text.replace(at, change.from.size(), change.to);
    write(files);
    Seen seen = see(options(&change));
    write(GetParam().files);
    return seen;
  }

  TemporaryFolder folder_;
};

TEST_P(FormatFields, AreEachChangedByAChange) {
  for (const TraceField& field : fields_of(GetParam().format)) {
    if (field.name == "any other key") continue;
    std::size_t count = 0;
    for (const FieldChange& change : GetParam().changes) count += change.field == field.name;
    EXPECT_GE(count, 1U) << field.name;
  }
}

TEST_P(FormatFields, ChangeTheWorkloadAsTheirUseSays) {
  for (const FieldChange& change : GetParam().changes) {
    const auto fields = fields_of(GetParam().format);
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const TraceField& each) {
      return each.name == change.field;
    });
    ASSERT_NE(field, fields.end()) << change.field;
    const Seen before = see(options(&change));
    EXPECT_EQ(before.error, "");
    EXPECT_FALSE(before.jobs.empty());
    const Seen after = see_changed(change);
    const bool is_replayed = field->use == FieldUse::obeyed || field->use == FieldUse::approximated;
    EXPECT_EQ(before != after, is_replayed)
        << change.field << ": " << change.from << " → " << change.to << " " << after.error;
  }
}

TEST_P(FormatFields, ThatAreIgnoredAreListedWhereTheyHaveAValue) {
  const TraceInfo info = measure_trace(path(), options());
  std::vector<std::string> listed;
  for (const TraceCount& each : info.ignored) {
    EXPECT_GT(each.count, 0U);
    listed.push_back(each.name);
  }
  for (const FieldChange& change : GetParam().changes) {
    for (const TraceField& field : fields_of(GetParam().format)) {
      if (field.name != change.field || field.use != FieldUse::ignored) continue;
      EXPECT_THAT(listed, Contains(change.key)) << change.field;
    }
  }
  if (listed.empty()) return;
  EXPECT_THAT(to_text(info), HasSubstr("Ignored: "));
  EXPECT_THAT(to_text(info), HasSubstr(listed.front() + " ("));
  EXPECT_EQ(to_json(info)["ignored"].size(), listed.size());
}

INSTANTIATE_TEST_SUITE_P(Formats, FormatFields, ::testing::ValuesIn(field_changes()),
                         [](const auto& tested) { return tested.param.format; });

TEST(FormatFieldTable, HasFieldsOfEveryFormatOfTexts) {
  for (const TraceFormat& format : trace_formats()) {
    const bool has_fields = !fields_of(format.name).empty();
    EXPECT_EQ(has_fields, format.form != TraceFormat::Form::binary) << format.name;
    std::size_t tested = 0;
    for (const FieldChanges& each : field_changes()) tested += each.format == format.name;
    EXPECT_EQ(tested, has_fields ? 1U : 0U) << format.name;
  }
}

// Keys that no version of the format has are counted, too, up to a bound.
TEST(IgnoredKeys, AreCountedByNameUpToABound) {
  const TemporaryFolder folder;
  std::string more;
  for (int i = 0; i < 300; ++i) more += ",\"key" + std::to_string(i) + "\":1";
  const std::string path = folder.write(
      "a.json", R"({"job.start.ms":5,"job.queue.name":"q","nothing":null,"zero":0,"empty":"",)"
                R"("none":[],"unknown":-1,"no":false,"job.tasks":[{"duration.ms":9}])" +
                    more + "}");
  const TraceInfo info = measure_trace(path, {});
  ASSERT_EQ(info.ignored.size(), IgnoredFields::names_max + 1);
  EXPECT_EQ(info.ignored.back().name, "other fields");
  EXPECT_EQ(info.ignored.back().count, 100U);
  for (const TraceCount& each : info.ignored) EXPECT_THAT(each.name, HasSubstr("e"));
}

}  // namespace
}  // namespace tracebed::testing
