// Calls of the control service beside each other.
#include <chrono>
#include <future>
#include <gtest/gtest.h>
#include <thread>

#include "coordinator/api/control_client.h"
#include "coordinator/api/control_server.h"
#include "coordinator/api/control_service.h"
#include "coordinator/api/held_execution.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

TEST(ControlThreads, OthersAreAnsweredWhileASubmissionIsChecked) {
  TemporaryFolder folder;
  folder.write("traces/jobs.tsv", "");
  std::promise<void> entered;
  std::promise<void> answered;
  const SubmissionReader reader({folder.path() / "traces", false,
                                 [&](const Experiment&) {
                                   entered.set_value();
                                   // Ends by itself, too, where nobody else is answered.
                                   const auto outcome =
                                       answered.get_future().wait_for(std::chrono::seconds(60));
                                   EXPECT_EQ(outcome, std::future_status::ready);
                                 }},
                                test::schedulers());
  HeldExecution execution;
  RunQueue queue(folder.path() / "state", HeldExecution::read(), execution.execute());
  ControlService service(queue, reader);
  const ControlServer server(service, ControlServerOptions{});
  ControlClient others("127.0.0.1", server.port());
  std::thread submitter([&] {
    control::Submission submission;
    submission.experiment =
        "name = 'checked'\nworld = 'virtual'\nschedulers = ['fifo']\ntrace.file = "
        "'${TRACEBED_TRACES}/jobs.tsv'\n"
        "cluster = { nodes = 2, vcores = 2, memory = '1 GiB' }\n";
    ControlClient client("127.0.0.1", server.port());
    EXPECT_EQ(client.submit(submission), 1);
  });
  entered.get_future().wait();
  EXPECT_TRUE(others.list_runs(10).empty());
  answered.set_value();
  submitter.join();
}

}  // namespace
}  // namespace tracebed
