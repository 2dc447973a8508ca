// Every real trace to Tracebed's binary file and back: the same workload. Found through
// TRACEBED_TRACES.
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

#include "support/real_traces.h"
#include "support/temporary_folder.h"
#include "traces/convert/trace_convert.h"
#include "traces/workload_digest.h"

namespace tracebed {
namespace {

std::string digest_of(const std::string& path, const TraceOptions& options) {
  Names names;
  const auto reader = open_trace(path, options, names);
  WorkloadDigest digest(names);
  Job job;
  while (reader->next(job)) digest.add(job);
  return digest.to_string();
}

class RealConversion : public ::testing::TestWithParam<const char*> {};

TEST_P(RealConversion, ToBinaryAndBackIsTheSameWorkload) {
  const auto path = traces_folder() / GetParam();
  if (!std::filesystem::exists(path)) {
    GTEST_SKIP() << "no trace at " << path << "; set TRACEBED_TRACES to the folder of real traces";
  }
  const TemporaryFolder folder;
  const std::string binary = folder.file("trace.tbt");
  const ConvertResult result = convert_trace(path.string(), binary, "binary", {});
  EXPECT_GT(result.jobs_written, 0u);
  EXPECT_EQ(result.jobs_written, result.jobs_read);
  EXPECT_TRUE(result.lost.empty());
  EXPECT_EQ(digest_of(path.string(), with_own_dimensions(path.string(), {})), result.digest);
  EXPECT_EQ(digest_of(binary, with_own_dimensions(binary, {})), result.digest);
}

INSTANTIATE_TEST_SUITE_P(
    Traces, RealConversion,
    ::testing::Values(
        "swim/FB-2009_samples_24_times_1hr_0.tsv",
        "swim/FB-2010_samples_24_times_1hr_withInputPaths_0.tsv", "swf/KTH-SP2-1996-2.1-cln.swf",
        "swf/LCG.swf.gz", "swf/NASA-iPSC-1993-3.1-cln.swf.gz", "swf/alea-hpc2n.swf",
        "swf/lublin_256.swf", "hadoop_rumen/mumak/19-jobs.trace.json.gz",
        "hadoop_rumen/gridmix/trace_10m.json.gz", "hadoop_rumen/gridmix/trace_1m.json.gz",
        "hadoop_rumen/gridmix_test/wordcount.json",
        "hadoop_rumen/rumen_test/zombie/input-trace.json",
        "hadoop_sls/main/data/2jobs2min-rumen-jh.json", "hadoop_sls/test/resources/inputsls.json",
        "hadoop_sls/test/resources/sls_dag.json", "hadoop_sls/test/resources/syn.json",
        "hadoop_sls/test/resources/syn_generic.json", "hadoop_sls/test/resources/syn_stream.json",
        "google_2011", "alibaba_v2017/batch_task.csv", "alibaba_v2018_dags/csv/set0_6600.csv",
        "alibaba_v2018_dags/csv/random_50.csv", "alibaba_gpu_v2023/openb_pod_list_default.csv",
        "eagle_hawk_tr/YH1_sub.tr", "eagle_hawk_tr/YH_small.tr", "philly/philly.csv",
        "wfinstances/epigenomics-chameleon-hep-4seq-100k-001.json",
        "wfinstances/montage-chameleon-2mass-01d-001.json"));

}  // namespace
}  // namespace tracebed
