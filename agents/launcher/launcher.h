// tracebed-launcher: the parent of every container of one agent. Small and, where cgroups require
// it, privileged; one thread, one loop. It communicates with its agent only, and starts two
// programs only.
//
// Each turn of the loop handles a bounded part of every input: a flood of packets, orders or dead
// children delays no order and no signal. While containers run, it reads nothing from them but a
// number of each (agents/task/stated_progress.h).
//
// It outlives its agent: exits are kept until an agent acknowledges them, and a new agent is sent
// the running containers. Without an agent for `orphan_grace` it ends the containers. It ends
// itself, leaving no process and no cgroup, on SIGTERM or SIGINT, on the agent's `shutdown`, when
// the lifeline's other end is closed (its owner died, for whatever reason), and, if the agent's
// connection was inherited and so cannot be made again, when that agent is gone.
//
// If it is killed itself, the kernel kills the containers' first processes (PR_SET_PDEATHSIG);
// their cgroups, and what those processes may have started, are removed by the next launcher of the
// same agent or by sweep_run() (agents/cgroups/sweep.h).
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <sys/types.h>

#include "agents/launcher/containers.h"
#include "agents/launcher/enclosure.h"
#include "agents/launcher/packet_channel.h"
#include "system/file_descriptor.h"
#include "system/service_notice.h"

namespace tracebed::launcher {

struct LauncherOptions {
  // One of these two: a connection to the agent, or a listening socket to which agents with the
  // given user id (or root) may connect, one at a time.
  FileDescriptor agent;
  FileDescriptor listener;
  uid_t agent_user = 0;

  FileDescriptor lifeline;  // optional: read end of a pipe
  std::chrono::microseconds orphan_grace = std::chrono::seconds(60);
  ContainerOptions containers;
};

class Launcher {
 public:
  // Makes this process a subreaper and takes SIGCHLD, SIGTERM and SIGINT. Throws EnvironmentError
  // if the kernel refuses one of these.
  Launcher(std::unique_ptr<Enclosure> enclosure, LauncherOptions options);

  // Serves until it is ordered to end, then ends all containers and removes the cgroups. False if
  // something could not be removed in time (it is logged).
  bool run();

 private:
  // epoll's user data
  enum class Source : std::uint32_t { signals, agent, listener, lifeline };

  void watch(int number, Source source, std::uint32_t events);
  void handle(Source source, std::uint32_t events);
  void handle_signals();
  void accept_agent();
  void listen_again();
  void receive_from_agent();
  void handle_packet(const Packet& packet);
  std::deque<LaunchRecord>::iterator find_waiting(std::uint32_t container);
  void release(std::uint32_t container);
  void kill(std::uint32_t container);
  void checkpoint(std::uint32_t container);
  void answer_hello();
  void answer_usage();
  void lose_agent(const char* why);
  void refuse_packet(const std::string& error);
  void launch_some();
  void send_news();
  void watch_agent_writes();
  int wait_milliseconds() const;
  void end_all();

  std::unique_ptr<Enclosure> enclosure_;
  LauncherOptions options_;
  Containers containers_;
  FileDescriptor epoll_;
  FileDescriptor signals_;
  PacketChannel agent_;
  bool agent_knows_state_ = false;  // hello was answered; from then on events are sent to it
  bool watches_writes_ = false;
  std::deque<LaunchRecord> launches_;  // accepted from the agent, not started yet
  std::optional<SteadyTime> orphaned_at_;
  ServiceNotice notice_;
  std::array<char, 128> run_ = {};  // the run of its containers, as the agent stated it
  std::uint64_t malformed_ = 0;
  bool has_dead_ = false;                       // children that were not waited for
  std::optional<SteadyTime> listens_again_at_;  // after a connection that could not be taken
  bool ends_ = false;
};

}  // namespace tracebed::launcher
