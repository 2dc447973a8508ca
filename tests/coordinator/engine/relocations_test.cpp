// How the engine carries out what the relocate policy chooses.
#include <gtest/gtest.h>

#include "coordinator/engine/told_engine.h"

namespace tracebed {
namespace {

using doubles::FirstFit;
using doubles::plain_job;

// Two tasks run on a slow machine; one at a time may be relocated, and its master does not answer.
class RelocationsTest : public doubles::ToldEngine {
 protected:
  RelocationsTest() {
    build(std::make_unique<FirstFit>(), doubles::plain_master,
          RelocationOptions{.for_speed = true, .at_once = 1});
    join(0, 2, 500);
    submit(plain_job(0, now_, 2, seconds(1'000)));
  }
  void look_at(std::int64_t time) {
    now_ = TraceTime(seconds(time));
    Round round = at();
    step(round);
  }
  bool is_wanted(std::uint32_t container) const {
    return engine_->preemptions().find(ContainerId(container)) != nullptr;
  }
};

TEST_F(RelocationsTest, OneThatWasDroppedMakesRoomForAnotherAtOnce) {
  join(1, 1);
  look_at(30);
  ASSERT_TRUE(is_wanted(0));
  EXPECT_FALSE(is_wanted(1));
  submit(plain_job(1, now_, 1, seconds(1'000)));  // where it was to go
  join(2, 1);
  look_at(60);
  EXPECT_FALSE(is_wanted(0));
  EXPECT_TRUE(is_wanted(1));
}

}  // namespace
}  // namespace tracebed
