#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>

#include "determinism/run_digests.h"

namespace tracebed::test {
namespace {

TEST(Determinism, TheSameTraceConfigurationAndSeedGiveTheSameDecisions) {
  EXPECT_EQ(run_digests(), run_digests());
}

TEST(Determinism, EveryJobOfTheseRunsEnds) {
  for (const RunDigest& run : run_digests()) EXPECT_TRUE(run.is_complete) << run.name;
}

// Otherwise equal digests would mean nothing.
TEST(Determinism, DigestsDifferBetweenSchedulersAndSeeds) {
  std::map<std::string, std::string> digests;
  for (const RunDigest& run : run_digests(1)) digests[run.name] = run.digest;
  std::set<std::string> distinct;
  for (const auto& [name, digest] : digests) distinct.insert(digest);
  EXPECT_EQ(distinct.size(), digests.size());
  for (const RunDigest& run : run_digests(2)) {
    if (run.name.starts_with("map-reduce")) {
      EXPECT_NE(run.digest, digests[run.name]) << run.name;
    }
  }
}

}  // namespace
}  // namespace tracebed::test
