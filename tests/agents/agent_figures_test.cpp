#include "agents/agent/agent_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tracebed::agent {
namespace {

TEST(AgentHealth, IsGoodOnlyWhileItCanRunContainers) {
  AgentFigures figures;
  const auto said = [&](const char* key) -> std::string {
    return nlohmann::json::parse(health(figures).body).at(key);
  };
  EXPECT_EQ(health(figures).status, 503);
  EXPECT_EQ(said("coordinator"), "does not answer");
  figures.refusal = "its key is \xff no longer known";
  EXPECT_THAT(said("coordinator"), testing::StartsWith("refuses: its key is"));
  figures.refusal.clear();
  figures.session.is_welcome = true;
  EXPECT_EQ(health(figures).status, 503);
  EXPECT_EQ(said("launcher"), "does not answer");
  EXPECT_EQ(said("status"), "degraded");
  figures.has_launcher = true;
  EXPECT_EQ(health(figures).status, 200);
  EXPECT_EQ(said("coordinator"), "registered");
  EXPECT_EQ(said("launcher"), "ok");
  EXPECT_EQ(said("status"), "ok");
}

}  // namespace
}  // namespace tracebed::agent
