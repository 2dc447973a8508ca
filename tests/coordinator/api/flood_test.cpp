// Every call of the control service, made over and over: what is kept has a bound, what is answered
// fits into a frame, and the service goes on.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include "coordinator/api/control_client.h"
#include "coordinator/api/control_server.h"
#include "coordinator/api/control_service.h"
#include "coordinator/api/held_execution.h"
#include "coordinator/api/submitted_text.h"
#include "coordinator/real/agent_roster.h"
#include "coordinator/real/log_book.h"
#include "core/input_error.h"
#include "support/eventually.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

// How long an answer is on the wire.
template <class T>
std::size_t bytes_of(const T& answer) {
  const auto buffer = std::make_shared<apache::thrift::transport::TMemoryBuffer>();
  apache::thrift::protocol::TBinaryProtocol protocol(buffer);
  answer.write(&protocol);
  return buffer->getBufferAsString().size();
}
template <class T>
std::size_t bytes_of(const std::vector<T>& answers) {
  std::size_t bytes = 0;
  for (const T& answer : answers) bytes += bytes_of(answer);
  return bytes;
}

// That this process has in memory.
std::size_t memory_pages() {
  std::size_t whole = 0;
  std::size_t resident = 0;
  std::ifstream("/proc/self/statm") >> whole >> resident;
  return resident;
}

// Set before the queue's thread begins, which looks at it.
struct FloodedExecution : HeldExecution {
  FloodedExecution() {
    nodes = {"node1"};
    warnings = 300;
    takes_changes = true;
  }
};

class Flood : public testing::Test {
 protected:
  explicit Flood(std::int64_t changes_max = RunQueue::Limits().changes)
      : changes_max_(changes_max) {
    spdlog::set_level(spdlog::level::off);  // what is logged is a flood, too
    folder_.write("traces/jobs.tsv", "");
    submission_.experiment = submitted_text;
    wire::LogLines lines;
    for (std::size_t i = 0; i < LogBook::daemon_lines_max; ++i) {
      lines.lines.push_back({{}, wire::Severity::info, std::string(2'000, 'l')});
    }
    for (const char* agent : {"lab1", "lab2"}) book_.add(agent, lines);
  }
  ~Flood() override { spdlog::set_level(level_); }

  // Whether it was taken; why not, otherwise.
  std::string attempt(const std::function<void()>& call) {
    try {
      call();
      return "";
    } catch (const ControlRefusal& refusal) {
      return refusal.what();
    }
  }

  const std::int64_t changes_max_;
  const spdlog::level::level_enum level_ = spdlog::get_level();
  TemporaryFolder folder_;
  FloodedExecution execution_;
  SubmissionReader reader_{{folder_.path() / "traces", false, [](const Experiment&) {}},
                           test::schedulers()};
  RunQueue queue_{folder_.path() / "state",
                  [this](const std::string& kept) { return reader_.read_kept(kept); },
                  execution_.execute(),
                  {.changes = changes_max_}};
  LogBook book_;
  ControlService service_{queue_, reader_, nullptr, &book_};
  ControlServer server_{service_, ControlServerOptions{}};
  ControlClient client_{"127.0.0.1", server_.port()};
  control::Submission submission_;
};

// With fewer changes than a coordinator takes, which are sent at any speed; and with as many.
class FloodOfCalls : public Flood, public testing::WithParamInterface<std::int64_t> {
 protected:
  FloodOfCalls() : Flood(GetParam()) {}
};

TEST_P(FloodOfCalls, HaveABoundAndAWord) {
  client_.submit(submission_);
  execution_.wait_for_start(1);
  const auto order = [&](control::AdministratorCommandKind::type kind, const std::string& node) {
    return [=, this] {
      control::AdministratorCommand wanted;
      wanted.kind = kind;
      wanted.node = node;
      client_.execute(1, wanted);
    };
  };
  struct Call {
    const char* name;
    std::function<void()> call;
    int times;
    const char* word;  // of the refusal that ends it, or of each
  };
  const std::string xml(1 << 18, '<');
  const std::vector<Call> calls{
      {"submit", [&] { client_.submit(submission_); }, 200, "queue is full: 100 runs are waiting"},
      {"drain of an unknown node", order(control::AdministratorCommandKind::DRAIN, "nowhere"),
       3'000, "there is no node \"nowhere\" in the run"},
      {"undrain of an unknown node",
       order(control::AdministratorCommandKind::UNDRAIN, std::string(256, 'n')), 300,
       "there is no node"},
      {"move to an unknown node", order(control::AdministratorCommandKind::MOVE, "nowhere"), 300,
       "there is no node"},
      {"refresh", [&] { client_.refresh(1, "config", xml); }, 50, ""},
      {"drain", order(control::AdministratorCommandKind::DRAIN, "node1"),
       static_cast<int>(changes_max_ * 6 / 5), "the maximum for a run"},
      {"cancel of an unknown run", [&] { client_.cancel(77'777); }, 300, "has no run"},
      {"delete of a running run", [&] { client_.delete_run(1); }, 300, "has not ended yet"},
  };
  [[maybe_unused]] const std::size_t before = memory_pages();
  for (const Call& flood : calls) {
    for (int i = 1; i < flood.times; ++i) attempt(flood.call);
    // Changes are refused for another reason while many of them wait for a slow execution.
    std::string last;
    EXPECT_TRUE(eventually([&] {
      last = attempt(flood.call);
      return last.find(flood.word) != std::string::npos;
    })) << flood.name
        << ": " << last;
  }

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  constexpr std::size_t pages_of_64_mib = 16'384;
  EXPECT_LT(memory_pages(), before + pages_of_64_mib);
#endif

  // What all of that has left can be told in a frame each, and is.
  const control::RunStatus status = client_.status(1);
  EXPECT_LE(status.changes.size(), RunEntry::changes_max);
  EXPECT_LE(status.warnings.size(), RunEntry::warnings_max);
  constexpr auto frame = static_cast<std::size_t>(control_frame_bytes_max);
  EXPECT_LT(bytes_of(status), frame);
  EXPECT_LT(bytes_of(client_.cluster()), frame);
  std::vector<control::RunStatus> runs;
  service_.list_runs(runs, 1'000, 0, 0);
  EXPECT_LT(bytes_of(runs), frame);
  EXPECT_EQ(client_.list_runs(1'000).size(), 101u);
  std::vector<control::LogLine> lines;
  service_.log_lines(lines, "", 0, 1'000);
  EXPECT_LT(bytes_of(lines), frame);
  EXPECT_GT(lines.size(), 100u);
  EXPECT_EQ(lines.back().number, 2'000);
  for (int i = 0; i < 200; ++i) execution_.let_one_end();
  EXPECT_TRUE(eventually([&] { return client_.status(101).ended_at != 0; }));
}

INSTANTIATE_TEST_SUITE_P(Changes, FloodOfCalls, testing::Values(500, RunQueue::Limits().changes),
                         [](const auto& test) { return std::to_string(test.param); });

TEST_F(Flood, ListsOfLongTextsComeInPagesAndLoseNothing) {
  execution_.failure = std::make_exception_ptr(InputError(std::string(1 << 20, 'm')));
  constexpr int runs = 300;
  for (int i = 0; i < runs; ++i) {
    client_.submit(submission_);
    execution_.let_one_end();
    ASSERT_TRUE(eventually([&] { return client_.status(i + 1).ended_at != 0; }));
  }
  std::vector<control::RunStatus> page;
  service_.list_runs(page, 1'000, 0, 0);
  EXPECT_LT(page.size(), std::size_t{runs});
  EXPECT_LT(bytes_of(page), static_cast<std::size_t>(control_frame_bytes_max));
  const std::vector<control::RunStatus> all = client_.list_runs(1'000);
  ASSERT_EQ(all.size(), std::size_t{runs});
  for (int i = 0; i < runs; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)].run, runs - i);
  const std::vector<control::RunStatus> second = client_.list_runs(20, 40);
  EXPECT_EQ(second.front().run, runs - 40);
  EXPECT_EQ(second.size(), 20u);
}

TEST_F(Flood, LongFolderListingsComeInPages) {
  client_.submit(submission_);
  execution_.let_one_end();
  ASSERT_TRUE(eventually([&] { return client_.status(1).ended_at != 0; }));
  const std::string long_name(200, 'd');
  std::string below = "state/1";
  for (int i = 0; i < 12; ++i) below += "/" + long_name;
  constexpr int files = 400;
  for (int i = 0; i < files; ++i) folder_.write(fmt::format("{}/{:04}", below, i), "");
  std::vector<control::RunFile> page;
  service_.list_files(page, 1, "");
  EXPECT_LT(bytes_of(page), static_cast<std::size_t>(control_frame_bytes_max));
  std::size_t found = 0;
  for (std::string after; !page.empty(); service_.list_files(page, 1, after)) {
    found += page.size();
    after = page.back().path;
    page.clear();
  }
  EXPECT_EQ(found, files + 2u);
}

}  // namespace
}  // namespace tracebed
