#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <sys/socket.h>
#include <unistd.h>

#include "core/input_error.h"
#include "daemon/exposition.h"
#include "daemon/metrics_server.h"
#include "daemon/metrics_text.h"
#include "daemon/process_figures.h"
#include "system/file_descriptor.h"

namespace tracebed::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

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

std::string ask(std::uint16_t port, const std::string& request) {
  const FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(
      ::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_EQ(::send(socket.number(), request.data(), request.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(request.size()));
  std::string answer;
  char piece[4096];
  for (ssize_t got = 1; got > 0;) {
    got = ::recv(socket.number(), piece, sizeof(piece), 0);
    if (got > 0) answer.append(piece, static_cast<std::size_t>(got));
  }
  return answer;
}

std::string get(std::uint16_t port, const std::string& path, const std::string& headers = {}) {
  return ask(port,
             "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + headers + "\r\n");
}

TEST(MetricsServer, AnswersOnePathAndNothingElse) {
  const MetricsServer server({}, [] { return "# HELP a A.\n"; });
  const std::string answer = get(server.port(), "/metrics");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(answer, HasSubstr("Content-Type: text/plain; version=0.0.4"));
  EXPECT_THAT(answer, ::testing::EndsWith("\r\n\r\n# HELP a A.\n"));
  EXPECT_THAT(get(server.port(), "/etc/passwd"), StartsWith("HTTP/1.1 404"));
  EXPECT_THAT(get(server.port(), "/metrics/.."), StartsWith("HTTP/1.1 404"));
  EXPECT_THAT(ask(server.port(),
                  "POST /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                  "Content-Length: 0\r\n\r\n"),
              Not(HasSubstr("# HELP")));
  EXPECT_THAT(ask(server.port(), "no HTTP at all\r\n\r\n"), Not(HasSubstr("# HELP")));
  EXPECT_THAT(get(server.port(), "/metrics", "X: " + std::string(20'000, 'x') + "\r\n"),
              Not(HasSubstr("# HELP")));
  EXPECT_THAT(get(server.port(), "/metrics"), StartsWith("HTTP/1.1 200"));
}

TEST(MetricsServer, AnswersWhoHasTheToken) {
  const std::string token(40, 't');
  const MetricsServer server({"127.0.0.1", 0, token}, [] { return "secret\n"; });
  EXPECT_THAT(get(server.port(), "/metrics"), StartsWith("HTTP/1.1 401"));
  for (const std::string& wrong :
       {std::string("Bearer "), std::string("Bearer x"), "Basic " + token, token}) {
    const std::string answer = get(server.port(), "/metrics", "Authorization: " + wrong + "\r\n");
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 401")) << wrong;
    EXPECT_THAT(answer, Not(HasSubstr("secret")));
  }
  EXPECT_THAT(get(server.port(), "/metrics", "Authorization: Bearer " + token + "\r\n"),
              StartsWith("HTTP/1.1 200"));
}

TEST(MetricsServer, SaysWhichPortIsTaken) {
  const MetricsServer first({}, [] { return ""; });
  EXPECT_THAT(([&] {
                MetricsServer({"127.0.0.1", first.port(), ""}, [] { return ""; });
              }),
              ::testing::ThrowsMessage<EnvironmentError>(
                  HasSubstr(fmt::format("cannot listen on 127.0.0.1:{}", first.port()))));
}

}  // namespace
}  // namespace tracebed::test
