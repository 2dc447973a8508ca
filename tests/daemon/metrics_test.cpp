#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "daemon/exposition.h"
#include "daemon/metrics_text.h"
#include "daemon/process_figures.h"

namespace tracebed::test {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

TEST(MetricsText, IsAsPrometheusReadsIt) {
  MetricsText metrics;
  metrics.family("agents", MetricsText::Kind::gauge, "How many there are:\nby \\ state.");
  metrics.sample(3, {{"state", "up \"and\" \\ running\n"}, {"rack", ""}});
  metrics.sample(-0.25, {{"state", "down"}});
  metrics.counter("refused_total", "Refused.", 1e20);
  metrics.gauge("ratio", "Of nothing.", std::numeric_limits<double>::infinity());
  EXPECT_EQ(metrics.text(),
            "# HELP agents How many there are:\\nby \\\\ state.\n"
            "# TYPE agents gauge\n"
            "agents{state=\"up \\\"and\\\" \\\\ running\\n\",rack=\"\"} 3\n"
            "agents{state=\"down\"} -0.25\n"
            "# HELP refused_total Refused.\n"
            "# TYPE refused_total counter\n"
            "refused_total 1e+20\n"
            "# HELP ratio Of nothing.\n"
            "# TYPE ratio gauge\n"
            "ratio +Inf\n");
  EXPECT_THAT(read_exposition(metrics.text()).faults, IsEmpty());
}

TEST(MetricsText, IsReadStrictlyByTheseTests) {
  for (const char* text :
       {"a 1\n", "# HELP a A.\n# TYPE a gauge\na 1", "# TYPE a gauge\na 1\n",
        "# HELP a A.\n# TYPE a counter\na 1\n", "# HELP a A.\n# TYPE a gauge\na 1\na 1\n",
        "# HELP a A.\n# TYPE a gauge\na{b=\"c} 1\n", "# HELP a A.\n# TYPE a gauge\na one\n"}) {
    EXPECT_THAT(read_exposition(text).faults, Not(IsEmpty())) << text;
  }
}

TEST(ProcessFigures, AreThoseOfThisProcess) {
  MetricsText metrics;
  add_process_figures(metrics, "test", "1.2.3");
  const Exposition read = read_exposition(metrics.text());
  EXPECT_THAT(read.faults, IsEmpty());
  EXPECT_EQ(read.samples.at("tracebed_build_info{daemon=\"test\",version=\"1.2.3\"}"), 1);
  EXPECT_GT(read.samples.at("process_resident_memory_bytes"), 1 << 20);
  EXPECT_GE(read.samples.at("process_open_fds"), 3);
  EXPECT_GE(read.samples.at("process_max_fds"), read.samples.at("process_open_fds"));
}

}  // namespace
}  // namespace tracebed::test
