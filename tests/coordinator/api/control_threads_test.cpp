// Calls of the control service beside each other.
#include <atomic>
#include <chrono>
#include <future>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/TSocket.h>
#include <vector>

#include "coordinator/api/control_client.h"
#include "coordinator/api/control_server.h"
#include "coordinator/api/control_service.h"
#include "coordinator/api/held_execution.h"
#include "support/eventually.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

control::Submission small_submission() {
  control::Submission submission;
  submission.experiment =
      "name = 'checked'\nworld = 'virtual'\nschedulers = ['fifo']\ntrace.file = "
      "'${TRACEBED_TRACES}/jobs.tsv'\n"
      "cluster = { nodes = 2, vcores = 2, memory = '1 GiB' }\n";
  return submission;
}

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
    ControlClient client("127.0.0.1", server.port());
    EXPECT_EQ(client.submit(small_submission()), 1);
  });
  entered.get_future().wait();
  EXPECT_TRUE(others.list_runs(10).empty());
  answered.set_value();
  submitter.join();
}

// As many submissions are checked as there are threads, and another waits, whose client goes.
TEST(ControlThreads, ASubmissionIsNotCheckedWhoseClientHasGone) {
  constexpr std::size_t threads = 4;
  TemporaryFolder folder;
  folder.write("traces/jobs.tsv", "");
  std::atomic<std::size_t> checked{0};
  std::promise<void> go;
  const std::shared_future<void> going = go.get_future().share();
  const SubmissionReader reader({folder.path() / "traces", false,
                                 [&](const Experiment&) {
                                   ++checked;
                                   going.wait();
                                 }},
                                test::schedulers());
  HeldExecution execution;
  RunQueue queue(folder.path() / "state", HeldExecution::read(), execution.execute());
  ControlService service(queue, reader);
  const ControlServer server(service, ControlServerOptions{});
  std::vector<std::thread> submitters;
  for (std::size_t i = 0; i < threads; ++i) {
    submitters.emplace_back([&] {
      EXPECT_GT(ControlClient("127.0.0.1", server.port()).submit(small_submission()), 0);
    });
  }
  EXPECT_TRUE(eventually([&] { return checked == threads; }));
  {
    const auto socket =
        std::make_shared<apache::thrift::transport::TSocket>("127.0.0.1", server.port());
    socket->open();
    control::ControlClient client(std::make_shared<apache::thrift::protocol::TBinaryProtocol>(
        std::make_shared<apache::thrift::transport::TFramedTransport>(socket)));
    client.send_submit(small_submission());
    EXPECT_TRUE(eventually([&] { return server.connections().connections == threads + 1; }));
  }
  go.set_value();
  for (std::thread& submitter : submitters) submitter.join();
  EXPECT_TRUE(eventually([&] { return server.connections().connections == 0; }));
  EXPECT_EQ(checked, threads);
  EXPECT_EQ(queue.list(10, 0, 0).size(), threads);
}

}  // namespace
}  // namespace tracebed
