#include "core/output_files.h"

#include <gtest/gtest.h>

#include "core/preemption.h"

namespace tracebed {
namespace {

TaskWork written_part() {
  TaskWork work;
  work.output_replication = 2;
  work.output_job = 12;
  work.output_part = output_part_of({1, 34});
  work.output_length = 1'000;
  return work;
}

TEST(OutputFiles, AreNamedAfterStageAndTask) {
  EXPECT_EQ(output_path_of(written_part()), "/tracebed/12/output/part-00001-00034");
  EXPECT_EQ(attempt_output_path(written_part(), ContainerId(7u)),
            "/tracebed/12/output/_temporary/container-7-part-00001-00034");
}

TEST(OutputFiles, OfKeptProgressAreNamedAfterTheirFirstByte) {
  const TaskWork rest = rest_of(written_part(), whole_work / 4);
  EXPECT_EQ(output_path_of(rest), "/tracebed/12/output/part-00001-00034-from-250");
  EXPECT_EQ(rest.output_length, 750);
  EXPECT_EQ(output_content_id(rest), output_content_id(written_part()));
}

TEST(OutputFiles, OfThePartsOfAJobDifferInContent) {
  TaskWork other = written_part();
  other.output_part = output_part_of({0, 34});
  EXPECT_NE(output_content_id(other), output_content_id(written_part()));
  other = written_part();
  other.output_job = 13;
  EXPECT_NE(output_content_id(other), output_content_id(written_part()));
}

TEST(OutputFiles, AreThoseOfTasksThatWriteSomething) {
  EXPECT_TRUE(writes_output(written_part()));
  TaskWork work = written_part();
  work.output_length = 0;
  EXPECT_FALSE(writes_output(work));
  EXPECT_FALSE(writes_output(TaskWork()));
}

TEST(OutputFiles, HaveNumbersForEveryTask) {
  const TaskWork work = {.output_part = output_part_of({65'535, 4'294'967'295U})};
  EXPECT_EQ(work.output_part, output_part_max);
  EXPECT_EQ(output_path_of(work), "/tracebed/0/output/part-65535-4294967295");
}

}  // namespace
}  // namespace tracebed
