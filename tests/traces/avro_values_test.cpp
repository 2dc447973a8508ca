#include "traces/histories/avro_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "traces/histories/job_history.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;
using namespace std::string_literals;

// All values that the bytes hold, or what is wrong with them.
std::vector<std::string> decoded(std::string_view schema, const std::string& bytes,
                                 std::size_t value_bytes_max = 1000) {
  Result<AvroSchema> parsed = parse_avro_schema(schema);
  if (!parsed) return {"schema: " + parsed.error().message};
  AvroValues values(std::move(*parsed), bytes_in_memory(bytes), value_bytes_max);
  std::vector<std::string> all;
  for (std::string value;;) {
    switch (values.next(value)) {
      case AvroValues::Outcome::value:
        all.push_back(value);
        continue;
      case AvroValues::Outcome::defect:
        all.push_back("defect: " + values.defect());
        [[fallthrough]];
      case AvroValues::Outcome::end:
        return all;
    }
  }
}

using List = std::vector<std::string>;

struct Case {
  const char* what;
  const char* schema;
  std::string bytes;
  std::string json;
};

// The bytes are the specification's own examples where it has one.
TEST(AvroValues, AreReadAsTheSpecificationWritesThem) {
  const std::vector<Case> cases = {
      {"null", R"("null")", "", ""},
      {"zero", R"("long")", "\x00"s, "0"},
      {"minus one", R"("int")", "\x01", "-1"},
      {"one", R"("int")", "\x02", "1"},
      {"minus 64", R"("long")", "\x7f", "-64"},
      {"64", R"("long")", "\x80\x01", "64"},
      {"the least long", R"("long")", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
       "-9223372036854775808"},
      {"text", R"("string")", "\x06"s + "foo", R"("foo")"},
      {"text with quotes and a tab", R"("string")", "\x08"s + "a\"\t\\", R"("a\"\u0009\\")"},
      {"true", R"("boolean")", "\x01", "true"},
      {"a half", R"("double")", "\x00\x00\x00\x00\x00\x00\xe0\x3f"s, "0.5"},
      {"a half in four bytes", R"("float")", "\x00\x00\x00\x3f"s, "0.5"},
      {"no number", R"("float")", "\x00\x00\xc0\x7f"s, "null"},
      {"fixed", R"({"type":"fixed","name":"f","size":2})", "ab", R"("ab")"},
      {"an enum", R"({"type":"enum","name":"e","symbols":["A","B"]})", "\x02", R"("B")"},
      {"a record",
       R"({"type":"record","name":"test","fields":[{"name":"a","type":"long"},
           {"name":"b","type":"string"}]})",
       "\x36\x06"s + "foo", R"({"a":27,"b":"foo"})"},
      {"an array", R"({"type":"array","items":"long"})", "\x04\x06\x36\x00"s, "[3,27]"},
      {"an array in two blocks, one of which says its size", R"({"type":"array","items":"long"})",
       "\x03\x04\x06\x36\x02\x01\x00"s, "[3,27,-1]"},
      {"a map", R"({"type":"map","values":"int"})", "\x02\x02x\x0a\x00"s, R"({"x":5})"},
      {"a union's null", R"(["null","string"])", "\x00"s, "null"},
      {"a union's text", R"(["null","string"])", "\x02\x02"s + "a", R"({"string":"a"})"},
      {"a string of the writer's language", R"({"type":"string","avro.java.string":"String"})",
       "\x02"s + "x", R"("x")"},
      {"a record in a union, named again by its short name",
       R"({"type":"record","name":"r","namespace":"n.s","fields":[
           {"name":"a","type":{"type":"record","name":"i","fields":[]}},
           {"name":"b","type":["null","i"]}]})",
       "\x02", R"({"a":{},"b":{"n.s.i":{}}})"},
  };
  for (const Case& each : cases) {
    const List expected = each.bytes.empty() ? List{} : List{each.json};
    EXPECT_EQ(decoded(each.schema, each.bytes), expected) << each.what;
  }
}

TEST(AvroValues, FollowEachOtherUntilTheBytesEnd) {
  EXPECT_EQ(decoded(R"("long")", "\x02\x04\x06"), (List{"1", "2", "3"}));
}

TEST(AvroValues, OfBytesThatCannotBeSayWhatIsWrong) {
  const std::vector<Case> cases = {
      {"a cut number", R"("long")", "\x80", "cut short"},
      {"a number of 71 bits", R"("long")", std::string(11, '\xff'), "more than 64 bits"},
      {"a cut text", R"("string")", "\x06"s + "fo", "cut short"},
      {"a text of a length below zero", R"("string")", "\x01", "no length"},
      {"a text that claims 2^62 bytes", R"("string")", "\xfe\xff\xff\xff\xff\xff\xff\xff\x7f",
       "longer than"},
      {"the third of two symbols", R"({"type":"enum","name":"e","symbols":["A","B"]})", "\x04",
       "symbol"},
      {"the third of two branches", R"(["null","string"])", "\x04", "branch"},
      {"a boolean of 2", R"("boolean")", "\x02", "neither 0 nor 1"},
      {"2^62 nothings in an array", R"({"type":"array","items":"null"})",
       "\xfe\xff\xff\xff\xff\xff\xff\xff\x7f", "longer than 1000"},
      {"a record that holds itself for ever",
       R"({"type":"record","name":"r","fields":[{"name":"a","type":"r"}]})", "\x00"s, "64 deep"},
  };
  for (const Case& each : cases) {
    const List got = decoded(each.schema, each.bytes);
    ASSERT_EQ(got.size(), 1u) << each.what;
    EXPECT_THAT(got.front(), HasSubstr("defect: ")) << each.what;
    EXPECT_THAT(got.front(), HasSubstr(each.json)) << each.what;
  }
}

TEST(AvroSchema, ThatIsNoneIsRefused) {
  for (const char* schema :
       {"{", R"("n.unknown")", R"({"name":"x"})", R"({"type":"array"})", R"({"type":"enum"})",
        R"({"type":"record","name":"r"})", R"({"type":"fixed","name":"f","size":-1})", "7"}) {
    EXPECT_FALSE(parse_avro_schema(schema)) << schema;
  }
}

// A long as Avro writes it, for values from 0 to 2^62.
std::string whole(std::uint64_t value) {
  std::string bytes;
  for (value *= 2; value >= 0x80; value >>= 7) bytes += static_cast<char>(0x80 | (value & 0x7f));
  return bytes + static_cast<char>(value);
}
std::string text(std::string_view value) {
  return whole(value.size()) + std::string(value);
}

constexpr std::string_view schema =
    R"({"type":"record","name":"Event",)"
    R"("namespace":"org.apache.hadoop.mapreduce.jobhistory","fields":[)"
    R"({"name":"type","type":{"type":"enum","name":"EventType","symbols":)"
    R"(["JOB_SUBMITTED","JOB_FINISHED"]}},{"name":"event","type":[)"
    R"({"type":"record","name":"JobSubmitted","fields":[{"name":"jobid","type":"string"},)"
    R"({"name":"userName","type":["null","string"]},{"name":"submitTime","type":"long"}]},)"
    R"({"type":"record","name":"JobFinished","fields":[{"name":"jobid","type":"string"},)"
    R"({"name":"finishTime","type":"long"}]}]}]})";

std::string binary_history() {
  return "Avro-Binary\n" + std::string(schema) + "\n" + whole(0) + whole(0) + text("job_1") +
         whole(1) + text("ann") + whole(1'600'000'000'000) + whole(1) + whole(1) + text("job_1") +
         whole(1'600'000'005'000);
}

TEST(JobHistory, InAvrosBinaryEncodingIsReadAsTheOther) {
  const std::string bytes = binary_history();
  const auto history = read_job_history("x.jhist", bytes_in_memory(bytes));
  ASSERT_TRUE(history) << history.error().message;
  EXPECT_EQ(history->id, "job_1");
  EXPECT_EQ(history->user, "ann");
  EXPECT_EQ(history->submit, 1'600'000'000'000);
  EXPECT_EQ(history->finish, 1'600'000'005'000);
  EXPECT_EQ(history->outcome, "SUCCESS");
}

TEST(JobHistory, ThatIsCutInABinaryEventNamesTheEvent) {
  const std::string bytes = binary_history();
  const auto history = read_job_history(
      "x.jhist", bytes_in_memory(std::string_view(bytes).substr(0, bytes.size() - 2)));
  ASSERT_FALSE(history);
  EXPECT_THAT(history.error().message, HasSubstr("event 2: expected events in Avro's binary"));
}

TEST(JobHistory, OfASchemaThatIsNoneIsRefused) {
  const std::string bytes = "Avro-Binary\n{\"name\":\"Event\",\"type\":\"nothing\"}\n";
  const auto history = read_job_history("x.jhist", bytes_in_memory(bytes));
  ASSERT_FALSE(history);
  EXPECT_THAT(history.error().message, HasSubstr("expected an Avro schema, got the unknown type"));
}

}  // namespace
}  // namespace tracebed
