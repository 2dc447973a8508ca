// The figures of production traces, as `trace info` tells them, against those measured
// independently of this code (SOURCE.md beside each trace). Found through TRACEBED_TRACES.
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>

#include "support/real_traces.h"
#include "traces/trace_info.h"

namespace tracebed {
namespace {

struct Column {
  const char* name;
  std::map<unsigned, double> percentiles;  // 100: the largest
};

struct Figures {
  const char* name;
  const char* file;
  const char* format;
  std::uint64_t rows;
  std::uint64_t jobs, tasks;         // 0: not published
  double first_submit, last_submit;  // s; looked at if the last is above 0
  std::vector<Column> columns;
  std::map<std::string, std::uint64_t> counts;
  std::map<std::string, std::uint64_t> distinct;
};

void PrintTo(const Figures& figures, std::ostream* out) {
  *out << figures.file;
}

std::map<std::string, std::uint64_t> as_map(const std::vector<TraceCount>& counts) {
  std::map<std::string, std::uint64_t> map;
  for (const TraceCount& each : counts) map[each.name] = each.count;
  return map;
}

class ProductionTrace : public ::testing::TestWithParam<Figures> {};

TEST_P(ProductionTrace, MeasuresAsItsSourceSays) {
  const Figures& expected = GetParam();
  const auto path = traces_folder() / expected.file;
  if (!std::filesystem::exists(path)) {
    GTEST_SKIP() << "no trace at " << path << "; set TRACEBED_TRACES to the folder of real traces";
  }
  const TraceInfo info = measure_trace(path.string(), {}, {.exact_max = SIZE_MAX});
  EXPECT_EQ(info.format, expected.format);
  EXPECT_TRUE(info.bad_rows.empty());
  EXPECT_EQ(info.rows, expected.rows);
  if (expected.jobs > 0) {
    EXPECT_EQ(info.jobs, expected.jobs);
  }
  if (expected.tasks > 0) {
    EXPECT_EQ(info.tasks, expected.tasks);
  }
  if (expected.last_submit > 0) {
    EXPECT_NEAR(info.first_submit_seconds, expected.first_submit, 1);
    EXPECT_NEAR(info.last_submit_seconds, expected.last_submit, 1);
  }
  for (const Column& column : expected.columns) {
    bool exists = false;
    for (const DistributionSummary& each : info.columns) {
      if (each.name != column.name) continue;
      exists = true;
      EXPECT_TRUE(each.exact);
      for (const auto& [percent, value] : column.percentiles) {
        const double measured = percent == 100 ? each.maximum : each.percentile(percent);
        // Published with three digits or more, or whole.
        EXPECT_NEAR(measured, value, std::max(0.5e-3 * value, value < 1 ? 5e-6 : 0.5))
            << column.name << " p" << percent;
      }
    }
    EXPECT_TRUE(exists) << column.name;
  }
  std::map<std::string, std::uint64_t> counts = as_map(info.counts);
  for (const auto& [name, count] : as_map(info.notes)) counts[name] = count;
  for (const auto& [name, count] : expected.counts) EXPECT_EQ(counts[name], count) << name;
  std::map<std::string, std::uint64_t> distinct = as_map(info.distinct);
  for (const auto& [name, count] : expected.distinct) EXPECT_EQ(distinct[name], count) << name;
}

INSTANTIATE_TEST_SUITE_P(
    Sources, ProductionTrace,
    ::testing::Values(
        Figures{"Yahoo",
                "eagle_hawk_tr/YH1_sub.tr",
                "hawk",
                2910,
                2910,
                122'878,
                128'248,
                154'053,
                {{"tasks", {{50, 15}, {99, 758}, {100, 3035}}},
                 {"task duration", {{50, 94}, {90, 1532}, {100, 17'937}}}},
                {},
                {}},
        Figures{"YahooSmall",
                "eagle_hawk_tr/YH_small.tr",
                "hawk",
                10,
                10,
                183,
                7.5,
                74.6,
                {{"tasks", {{50, 15}, {100, 51}}}, {"task duration", {{50, 15}, {90, 36}}}},
                {},
                {}},
        Figures{"Philly",
                "philly/philly.csv",
                "philly",
                82'247,
                82'247,
                107'235,
                1'504'521'041,
                1'513'929'731,
                {{"duration", {{50, 1144}, {90, 11'264}, {99, 254'884}, {100, 4'628'226}}},
                 {"GPUs", {{90, 1}, {99, 8}, {100, 128}}}},
                {},
                {{"virtual clusters", 15}}},
        Figures{"Pods",
                "alibaba_gpu_v2023/openb_pod_list_default.csv",
                "alibaba_gpu",
                8152,
                7255,
                7255,
                0,
                12'901'761,
                {{"vcores", {{50, 11.3}, {99, 32}, {100, 120.2}}},
                 {"memory", {{50, 41'560}, {100, 737'280}}},
                 {"share of a GPU", {{25, 470}, {50, 810}}},
                 {"duration",
                  {{1, 23},
                   {25, 175},
                   {50, 616},
                   {75, 2246},
                   {90, 7764},
                   {99, 114'035},  // its source names the one above, 114,715
                   {100, 12'537'496}}}},
                {{"quality LS", 4647},
                 {"quality BE", 3398},
                 {"quality Burstable", 100},
                 {"quality Guaranteed", 7},
                 {"phase Running", 5193},
                 {"phase Failed", 1870},
                 {"phase Pending", 897},
                 {"phase Succeeded", 192},
                 {"a share of a GPU", 3078},
                 {"no time of scheduling", 897}},
                {}},
        Figures{"Alibaba2017",
                "alibaba_v2017/batch_task.csv",
                "alibaba2017",
                80'553,
                0,
                0,
                -1078,
                60'181,
                {{"task duration",
                  {{25, 9}, {50, 20}, {75, 121}, {90, 376}, {99, 2267}, {100, 35'863}}},
                 {"instances of a task", {{50, 2}, {90, 375}, {99, 1660}, {100, 64'486}}},
                 {"tasks of a job", {{50, 5}, {99, 28}, {100, 156}}},
                 {"memory", {{50, 0.0054}, {99, 0.016338}, {100, 0.127332}}}},
                {{"status Terminated", 67'013},
                 {"status Waiting", 8847},
                 {"status Running", 3567},
                 {"status Failed", 1126},
                 {"no vcores", 9017},
                 {"an end before the start", 209},
                 {"a duration of 0", 64},
                 {"instances, in all", 11'909'321},
                 {"50 hundredths of a vcore", 52'901},
                 {"100 hundredths of a vcore", 17'584},
                 {"40 hundredths of a vcore", 372}},
                {{"jobs", 12'951}}},
        Figures{
            "Alibaba2018",
            "alibaba_v2018_dags/csv/set0_6600.csv",
            "alibaba2018",
            25'196,
            0,
            0,
            0,
            691'143,
            {{"task duration", {{25, 2}, {50, 7}, {75, 33}, {90, 146}, {99, 1062}, {100, 59'708}}},
             {"instances of a task", {{50, 1}, {90, 123}, {99, 1514}, {100, 97'890}}},
             {"tasks of a job", {{50, 2}, {90, 8}, {100, 72}}},
             {"depth of a job", {{50, 2}, {99, 9}, {100, 22}}}},
            {{"status Terminated", 24'939},
             {"status Running", 191},
             {"status Failed", 52},
             {"status Waiting", 14},
             {"a duration of 0", 1610},
             {"an end before the start", 23},
             {"no number of instances", 14},
             {"no vcores", 37},
             {"instances, in all", 3'293'051},
             {"needs of other tasks, in all", 19'842},
             {"100 hundredths of a vcore", 14'392},
             {"50 hundredths of a vcore", 10'762}},
            {{"jobs", 6600}}},
        Figures{"Alibaba2018Random",
                "alibaba_v2018_dags/csv/random_50.csv",
                "alibaba2018",
                197,
                0,
                0,
                88'231,
                0,
                {{"tasks of a job", {{50, 2}, {90, 7}, {100, 26}}},
                 {"depth of a job", {{50, 2}, {99, 10}, {100, 10}}}},
                {{"instances, in all", 31'236}, {"needs of other tasks, in all", 155}},
                {{"jobs", 50}}},
        Figures{"Google",
                "google_2011",
                "google2011",
                450'146,
                0,
                0,
                600.03,
                5611.09,
                {{"CPU requests after the start", {{50, 0.02499}, {99, 0.09998}, {100, 0.4062}}},
                 {"memory requests after it", {{50, 0.02545}, {99, 0.07959}, {100, 0.3501}}},
                 {"disk requests after it", {{50, 0.000386}}},
                 {"attempts", {{50, 406}, {90, 2238}, {100, 5611}}}},
                {{"event SUBMIT", 201'491},
                 {"event SCHEDULE", 189'994},
                 {"event FINISH", 43'237},
                 {"event KILL", 10'505},
                 {"event EVICT", 4338},
                 {"event FAIL", 581},
                 {"time 0, before the trace", 277'321},
                 {"missing info", 291},
                 {"no machine", 119'565},
                 {"different machines wanted", 186'769},
                 {"a CPU request of 0", 1533},
                 {"a memory request of 0", 57},
                 {"priority 0", 119'711},
                 {"priority 9", 99'178},
                 {"priority 11", 13'087},
                 {"scheduling class 0", 237'969},
                 {"scheduling class 3", 56'586},
                 {"event EVICT at priority 0", 4208},
                 {"event EVICT at priority 9", 22},
                 {"rows of job_events", 10'704},
                 {"submissions of the task that came most often", 184}},
                {{"jobs", 4895}, {"tasks", 190'926}, {"users", 519}, {"machines", 12'492}}},
        Figures{"Mumak",
                "hadoop_rumen/mumak/19-jobs.trace.json.gz",
                "rumen",
                19,
                0,
                0,
                1'240'335'963,
                1'240'337'638,
                {{"attempts",
                  {{1, 5}, {25, 93}, {50, 109}, {75, 1263}, {90, 1353}, {99, 1501}, {100, 5997}}}},
                {{"maps", 8573},
                 {"reduces", 3256},
                 {"other tasks", 40},
                 {"outcome SUCCESS", 14},
                 {"another outcome", 5},
                 {"attempts SUCCESS", 8404},
                 {"attempts FAILED", 3496},
                 {"attempts KILLED", 1096},
                 {"tasks without an attempt", 155},
                 {"tasks without a status", 3420},
                 {"maps with places of input", 7067},
                 {"maps without places of input", 1506},
                 {"attempts that end before they start", 3},
                 {"successful maps on a node with their input", 3034},
                 {"successful maps in a rack with their input", 1409},
                 {"successful maps elsewhere", 201}},
                {{"users", 5}, {"hosts of attempts", 1536}}},
        Figures{"Gridmix",
                "hadoop_rumen/gridmix/trace_10m.json.gz",
                "rumen",
                29,
                29,
                0,
                0,
                0,
                {},
                {{"maps", 77}, {"reduces", 184}},
                {{"users", 1}}},
        Figures{"Zombie",
                "hadoop_rumen/rumen_test/zombie/input-trace.json",
                "rumen",
                4,
                0,
                0,
                0,
                0,
                {},
                {{"maps", 154}, {"reduces", 49}, {"tasks without an attempt", 19}},
                {{"users", 4}}},
        Figures{"SlsRumen",
                "hadoop_sls/main/data/2jobs2min-rumen-jh.json",
                "rumen",
                2,
                2,
                192,
                0,
                0,
                {{"attempts", {{50, 19.7}, {100, 47}}}},
                {{"maps", 192}, {"reduces", 0}},
                {{"users", 1}}},
        Figures{"SlsJson",
                "hadoop_sls/test/resources/inputsls.json",
                "sls",
                2,
                2,
                5,
                0,
                105,
                {{"task duration", {{100, 22.2}}}},
                {{"maps", 5}},
                {{"queues", 2}}},
        Figures{
            "SlsDag", "hadoop_sls/test/resources/sls_dag.json", "sls", 2, 2, 5, 0, 105, {}, {}, {}},
        Figures{
            "Synth", "hadoop_sls/test/resources/syn.json", "synth", 10, 10, 0, 0, 0, {}, {}, {}},
        Figures{"SynthGeneric",
                "hadoop_sls/test/resources/syn_generic.json",
                "synth",
                10,
                10,
                0,
                0,
                0,
                {},
                {},
                {}},
        Figures{"SynthStream",
                "hadoop_sls/test/resources/syn_stream.json",
                "synth",
                5,
                5,
                10,
                0,
                0,
                {},
                {},
                {}},
        Figures{"Montage",
                "wfinstances/montage-chameleon-2mass-01d-001.json",
                "wfcommons",
                1,
                1,
                103,
                0,
                0,
                {{"makespan", {{100, 1362}}}},
                {{"tasks", 103}, {"needs of other tasks", 231}},
                {}},
        Figures{"Epigenomics",
                "wfinstances/epigenomics-chameleon-hep-4seq-100k-001.json",
                "wfcommons",
                1,
                1,
                347,
                0,
                0,
                {{"makespan", {{100, 924}}}},
                {{"tasks", 347}, {"needs of other tasks", 426}},
                {}}),
    [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace tracebed
