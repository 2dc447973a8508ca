// Which files of attempts become a job's output, and which are deleted.
#include "coordinator/engine/job_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/engine/doubles.h"
#include "core/output_files.h"

namespace tracebed {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr JobId a_job(3u);
constexpr ContainerId a_container(7u);

class JobOutputsTest : public testing::Test {
 protected:
  JobOutputsTest() { context_.begin(TraceTime(), commands_); }
  static NamenodeOptions namenode_options() {
    NamenodeOptions options;
    options.safe_mode.at_start = false;
    return options;
  }
  TaskWork work(std::uint32_t task = 0) const {
    TaskWork work;
    work.output_bytes = 100;
    outputs_.add_to(work, JobKind::map_reduce, a_job, {0, task});
    return work;
  }
  // An empty file, as the attempt in the container would make it.
  void write(const TaskWork& work, ContainerId container) {
    const std::string path = attempt_output_path(work, container);
    StorageInput input = PreloadedFile{
        .path = path, .block_size = std::int64_t{1} << 20, .user = "tracebed", .nodes = {}};
    storage_.take(input);
    ASSERT_THAT(storage_.refused_files(), IsEmpty());
    ASSERT_TRUE(storage_.has(path));
  }
  bool has_job_folder() const { return storage_.has(output_directory_of(a_job)); }

  ClusterModel cluster_;
  doubles::Records records_;
  std::vector<Command> commands_;
  StepContext context_{records_};
  NamenodeService storage_{namenode_options(), cluster_, context_};
  JobOutputs outputs_{2, storage_};
};

TEST_F(JobOutputsTest, AreStatedInTheWorkOfTasksThatHaveSome) {
  const TaskWork stated = work(5);
  EXPECT_EQ(stated.output_replication, 2);
  EXPECT_EQ(stated.output_job, 3);
  EXPECT_EQ(stated.output_part, 5);
  EXPECT_EQ(stated.output_length, 100);
  for (const JobKind kind : {JobKind::rigid, JobKind::service}) {
    TaskWork of_others;
    of_others.output_bytes = 100;
    outputs_.add_to(of_others, kind, a_job, {0, 0});
    EXPECT_FALSE(writes_output(of_others));
  }
  TaskWork without;
  outputs_.add_to(without, JobKind::dag, a_job, {0, 0});
  EXPECT_EQ(without, TaskWork());
}

// A master in a container is not trusted.
TEST_F(JobOutputsTest, AreNoneThatAMasterStatesItself) {
  TaskWork forged;
  forged.output_replication = 3;
  forged.output_job = 99;
  forged.output_part = 1;
  forged.output_offset = 2;
  forged.output_length = 3;
  TaskWork work = forged;
  outputs_.add_to(work, JobKind::map_reduce, a_job, {0, 0});
  EXPECT_EQ(work, TaskWork());
  work = forged;
  JobOutputs(0, storage_).add_to(work, JobKind::map_reduce, a_job, {0, 0});
  EXPECT_EQ(work, TaskWork());
}

TEST_F(JobOutputsTest, GetTheirFinalNamesWhenAttemptsSucceedOrAreKept) {
  outputs_.launched(a_container, work(0));
  write(work(0), a_container);
  outputs_.ended(a_container, ContainerEnd::succeeded);
  EXPECT_TRUE(storage_.has(output_path_of(work(0))));
  EXPECT_FALSE(storage_.has(attempt_output_path(work(0), a_container)));
  outputs_.launched(ContainerId(8u), work(1));
  write(work(1), ContainerId(8u));
  outputs_.ended(ContainerId(8u), ContainerEnd::checkpointed);
  EXPECT_TRUE(storage_.has(output_path_of(work(1))));
}

TEST_F(JobOutputsTest, OfOtherAttemptsAreDeletedAndThoseBeforeStay) {
  outputs_.launched(a_container, work());
  write(work(), a_container);
  outputs_.ended(a_container, ContainerEnd::succeeded);
  // A map whose output on its machine was lost is done again, and no longer needed.
  outputs_.launched(ContainerId(8u), work());
  write(work(), ContainerId(8u));
  outputs_.ended(ContainerId(8u), ContainerEnd::killed);
  EXPECT_TRUE(storage_.has(output_path_of(work())));
  EXPECT_FALSE(storage_.has(attempt_output_path(work(), ContainerId(8u))));
}

TEST_F(JobOutputsTest, OfAnotherAttemptThatSucceedsReplaceThoseBefore) {
  for (const ContainerId container : {a_container, ContainerId(8u)}) {
    outputs_.launched(container, work());
    write(work(), container);
    outputs_.ended(container, ContainerEnd::succeeded);
  }
  EXPECT_TRUE(storage_.has(output_path_of(work())));
  EXPECT_EQ(context_.counters.storage_calls_refused, 0u);
}

TEST_F(JobOutputsTest, OfAJobThatSucceedsStayAndWhatItWroteBesidesGoes) {
  outputs_.launched(a_container, work(0));
  write(work(0), a_container);
  outputs_.ended(a_container, ContainerEnd::succeeded);
  outputs_.launched(ContainerId(8u), work(1));
  write(work(1), ContainerId(8u));
  outputs_.job_ended(a_job, JobOutcome::succeeded);
  EXPECT_TRUE(storage_.has(output_path_of(work(0))));
  EXPECT_FALSE(storage_.has(temporary_output_of(a_job)));
  // That one still writes.
  write(work(1), ContainerId(8u));
  outputs_.ended(ContainerId(8u), ContainerEnd::succeeded);
  EXPECT_FALSE(storage_.has(temporary_output_of(a_job)));
  EXPECT_FALSE(storage_.has(output_path_of(work(1))));
}

TEST_F(JobOutputsTest, OfAJobThatFailsAreDeletedAlsoThoseThatComeLater) {
  outputs_.launched(a_container, work(0));
  write(work(0), a_container);
  outputs_.ended(a_container, ContainerEnd::succeeded);
  outputs_.launched(ContainerId(8u), work(1));
  outputs_.job_ended(a_job, JobOutcome::failed);
  EXPECT_FALSE(has_job_folder());
  write(work(1), ContainerId(8u));
  outputs_.ended(ContainerId(8u), ContainerEnd::succeeded);
  EXPECT_FALSE(has_job_folder());
}

TEST_F(JobOutputsTest, ThatAreThereAlreadyMakeTheJobFailAndStay) {
  write(work(), a_container);
  Job job = doubles::plain_job(3, trace_time(0), 1, seconds(1));
  EXPECT_TRUE(outputs_.check(job)) << "it writes nothing";
  job.stages[0].runs[0].work.output_bytes = 1;
  const Status checked = outputs_.check(job);
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("/tracebed/3/output exists already"));
  outputs_.job_ended(a_job, JobOutcome::failed);
  EXPECT_TRUE(has_job_folder());
}

TEST_F(JobOutputsTest, ThatCannotBeNamedAreCounted) {
  outputs_.launched(a_container, work());
  write(work(), a_container);
  StorageInput safe = StorageCalled{1, {{}, SetSafeMode{SetSafeMode::Action::enter}}};
  storage_.take(safe);
  outputs_.ended(a_container, ContainerEnd::succeeded);
  EXPECT_EQ(context_.counters.storage_calls_refused, 1u);
}

}  // namespace
}  // namespace tracebed
