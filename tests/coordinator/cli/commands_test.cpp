#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "coordinator/cli/program.h"
#include "schedulers/registry.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

TEST(SchedulersCommand, ListsEverySchedulerWithItsSettings) {
  const ProgramEnd text = tracebed_program({"schedulers"});
  EXPECT_EQ(text.exit_code, 0);
  const nlohmann::json json = nlohmann::json::parse(tracebed_program({"schedulers", "--json"}).out);
  ASSERT_EQ(json.at("schedulers").size(), builtin_schedulers().size());
  for (std::size_t i = 0; i < builtin_schedulers().size(); ++i) {
    const SchedulerEntry& entry = builtin_schedulers()[i];
    const nlohmann::json& listed = json.at("schedulers")[i];
    EXPECT_EQ(listed.at("name"), entry.name);
    EXPECT_EQ(listed.at("settings").size(), entry.settings.size());
    EXPECT_THAT(text.out, HasSubstr(std::string(entry.name) + "\n    "));
    for (const SettingDescription& setting : entry.settings) {
      EXPECT_THAT(text.out, HasSubstr(std::string(setting.name) + " = "));
    }
  }
  EXPECT_FALSE(json.at("masters").empty());
}

}  // namespace
}  // namespace tracebed
