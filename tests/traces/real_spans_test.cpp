// Real traces, each replayed on an unlimited, ideal cluster beside what it recorded: no job takes
// longer than recorded by more than its clock's resolution for each task on its longest path. The
// traces are found through TRACEBED_TRACES and are not part of the project.
#include <cctype>
#include <filesystem>
#include <gtest/gtest.h>
#include <iostream>

#include "support/real_traces.h"
#include "traces/trace_info.h"

namespace tracebed {
namespace {

struct RealTrace {
  const char* file;
  bool has_spans;
};

void PrintTo(const RealTrace& trace, std::ostream* out) {
  *out << trace.file;
}

class RealSpans : public ::testing::TestWithParam<RealTrace> {};

TEST_P(RealSpans, AreNotExceededByAnIdealReplay) {
  const std::filesystem::path path = traces_folder() / GetParam().file;
  if (!std::filesystem::exists(path)) {
    GTEST_SKIP() << "no trace at " << path << "; set TRACEBED_TRACES to the folder of real traces";
  }
  const TraceInfo info = measure_trace(path.string(), {});
  std::cout << GetParam().file << "\n" << to_text(info.spans, info.span_text);
  ASSERT_EQ(info.spans.has_value(), GetParam().has_spans);
  if (!info.spans) return;
  EXPECT_GT(info.spans->jobs, 0u);
  EXPECT_EQ(info.spans->longer, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    All, RealSpans,
    ::testing::Values(RealTrace{"alibaba_gpu_v2023/openb_pod_list_default.csv", true},
                      RealTrace{"alibaba_v2017/batch_task.csv", true},
                      RealTrace{"alibaba_v2018_dags/csv/random_50.csv", true},
                      RealTrace{"alibaba_v2018_dags/csv/set0_6600.csv", true},
                      RealTrace{"eagle_hawk_tr/YH1_sub.tr", false}, RealTrace{"google_2011", true},
                      RealTrace{"hadoop_rumen/mumak/19-jobs.trace.json.gz", true},
                      RealTrace{"hadoop_sls/main/data/2jobs2min-rumen-jh.json", true},
                      RealTrace{"hadoop_sls/test/resources/inputsls.json", true},
                      RealTrace{"hadoop_sls/test/resources/syn.json", false},
                      RealTrace{"philly/philly.csv", true},
                      RealTrace{"swf/KTH-SP2-1996-2.1-cln.swf", true},
                      RealTrace{"swf/LCG.swf.gz", true},
                      RealTrace{"swf/NASA-iPSC-1993-3.1-cln.swf.gz", true},
                      RealTrace{"swf/alea-hpc2n.swf", true}, RealTrace{"swf/lublin_256.swf", true},
                      RealTrace{"swim/FB-2009_samples_24_times_1hr_0.tsv", false},
                      RealTrace{"wfinstances/epigenomics-chameleon-hep-4seq-100k-001.json", true},
                      RealTrace{"wfinstances/montage-chameleon-2mass-01d-001.json", true}),
    [](const auto& tested) {
      std::string name;
      for (const char letter : std::string(tested.param.file)) {
        name += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
      }
      return name;
    });

}  // namespace
}  // namespace tracebed
