#include "protocol/random_rounds.h"

#include <sstream>

#include "protocol/random_storage.h"
#include "support/random_work.h"

namespace tracebed::test {

namespace {

void describe(std::ostream& out, const Resources& resources) {
  for (std::size_t i = 0; i < Resources::dimensions_max; ++i) out << ' ' << resources[i];
}

void describe(std::ostream& out, const Job& job) {
  out << "job " << job.id.value() << " '" << job.name << "' at " << to_microseconds(job.submit)
      << " user " << job.user.value() << " queue " << job.queue.value() << " priority "
      << job.priority << " kind " << static_cast<int>(job.kind) << " requested "
      << job.requested_time.count() << " deadline " << job.deadline.count() << '\n';
  for (const Stage& stage : job.stages) {
    out << "  stage " << static_cast<int>(stage.kind) << " '" << stage.input_path << "' of";
    describe(out, stage.demand);
    out << " delayed " << stage.delay.count() << " needs";
    for (const std::uint16_t needed : stage.needs) out << ' ' << needed;
    for (const std::string& label : stage.node_labels) out << " label '" << label << "'";
    for (const std::string& host : stage.places.hosts) out << " host '" << host << "'";
    for (const std::uint32_t end : stage.places.ends) out << " end " << end;
    for (const std::uint32_t entry : stage.places.entries) out << " place " << entry;
    out << '\n';
    for (const TaskRun& run : stage.runs) {
      const Work& work = run.work;
      out << "    " << run.count << " x " << work.duration.count() << ' ' << work.cpu_time.count()
          << ' ' << work.memory_mib << ' ' << work.input_bytes << ' ' << work.shuffle_bytes << ' '
          << work.output_bytes << '\n';
    }
  }
}

struct ActionDescriber {
  std::ostream& out;

  void operator()(const SetAsk& ask) const {
    out << "  ask " << ask.slot << ' ' << ask.priority << ' ' << ask.pending << ' '
        << static_cast<int>(ask.kind) << ' ' << ask.relax_locality << ' ' << ask.label.value()
        << " but " << ask.avoided.value() << " of";
    describe(out, ask.demand);
    for (const auto& node : ask.nodes) out << " node " << node.place.value() << 'x' << node.count;
    for (const auto& rack : ask.racks) out << " rack " << rack.place.value() << 'x' << rack.count;
  }
  void operator()(const AdjustPlaces& places) const {
    out << "  fewer " << places.slot;
    for (const NodeId node : places.fewer_nodes) out << " node " << node.value();
    for (const RackId rack : places.fewer_racks) out << " rack " << rack.value();
  }
  void operator()(const CloseAsk& closed) const { out << "  close " << closed.slot; }
  void operator()(const LaunchTask& task) const {
    out << "  launch " << task.container.value() << ' ' << task.task.stage << '.' << task.task.index
        << ' ' << task.attempt << ' ' << name(task.locality) << ' '
        << to_microseconds(task.waiting_since) << ' ' << task.is_held << " beside "
        << task.beside.value();
    for (const std::int64_t number : to_numbers(task.work)) out << ' ' << number;
  }
  void operator()(const CheckpointTask& task) const { out << "  keep " << task.container.value(); }
  void operator()(const ContinueTask& task) const { out << "  go " << task.container.value(); }
  void operator()(const ReleaseContainer& given) const {
    out << "  give " << given.container.value();
  }
  void operator()(const KillTask& task) const { out << "  kill " << task.container.value(); }
  void operator()(const FinishApplication& end) const {
    out << "  finish " << name(end.outcome) << " '" << end.diagnostics << "'";
  }
  void operator()(const LaunchGang&) const { out << "  not said"; }
  void operator()(const HeartbeatAt&) const { out << "  not said"; }
  void operator()(const LaunchMasterProcess&) const { out << "  not said"; }
};

void describe(std::ostream& out, const MasterCall& call) {
  out << "call " << call.sequence << " of " << call.application.value() << " attempt "
      << call.attempt << " kind " << static_cast<int>(call.kind) << '\n';
  for (const MasterAction& action : call.actions) {
    std::visit(ActionDescriber{out}, action);
    out << '\n';
  }
}

struct ArrivalDescriber {
  const Round& round;
  std::ostream& out;

  void operator()(const JobSubmitted& submitted) const {
    describe(out, round.jobs()[submitted.job]);
  }
  void operator()(const NodeJoined& joined) const {
    const Machine& machine = round.machines[joined.machine];
    out << "joined " << joined.node.value() << " '" << machine.name << "' '" << machine.rack << "'";
    for (const std::string& label : machine.labels) out << " '" << label << "'";
    describe(out, machine.capacity);
    out << '\n';
  }
  void operator()(const NodeLost& lost) const { out << "lost " << lost.node.value() << '\n'; }
  void operator()(const ContainerEnded& ended) const {
    out << "ended " << ended.container.value() << " on " << ended.node.value() << ' '
        << name(ended.end);
    tell(ended.account);
  }
  void operator()(const GangEnded& ended) const {
    out << "gang ended " << ended.first.value() << " and on, " << ended.containers;
    tell(ended.account);
  }
  void tell(const ContainerAccount& account) const {
    out << ' ' << to_microseconds(account.started) << ' ' << to_microseconds(account.ended) << ' '
        << account.cpu_time.count() << ' ' << account.memory_peak_mib << ' ' << account.bytes_read
        << ' ' << account.bytes_written;
    for (const std::int64_t bytes : to_numbers(account)) out << ' ' << bytes;
    out << ' ' << account.exit_code << ' ' << account.signal << ' ' << account.progress << '\n';
  }
  void operator()(const NodeHeartbeat& heartbeat) const {
    out << "heartbeat " << heartbeat.node.value();
    describe(out, heartbeat.used);
    out << '\n';
  }
  void operator()(const RunCancelled& cancelled) const {
    out << "cancelled " << static_cast<int>(cancelled.reason) << '\n';
  }
  void operator()(const SchedulerRefreshed& refreshed) const {
    const SchedulerConfiguration& given = round.configurations[refreshed.configuration];
    out << "refreshed\n";
    for (const auto& [name, value] : given.settings) out << "  " << name << " = " << value << '\n';
    for (const auto& [name, text] : given.documents) out << "  " << name << ": " << text << '\n';
  }
  void operator()(const MasterCalled& called) const {
    describe(out, round.master_calls[called.call]);
  }
  void operator()(const AdministratorCommand& order) const {
    out << "order " << static_cast<int>(order.kind) << ' ' << order.container.value() << ' '
        << order.node.value() << ' ' << order.grace.count() << '\n';
  }
  void operator()(const AttemptProgress& report) const {
    out << "progress " << report.container.value() << ' ' << report.progress << '\n';
  }
  void operator()(const DecisionMade& made) const {
    out << "decided " << made.scheduler << ' ' << made.decision << '\n';
  }
  void operator()(const StorageArrived& arrived) const {
    out << test::describe(round.storage[arrived.input]) << '\n';
  }
};

}  // namespace

std::string describe(const Round& round) {
  std::ostringstream out;
  out << "at " << to_microseconds(round.now) << '\n';
  for (const Arrival& arrival : round.arrivals) std::visit(ArrivalDescriber{round, out}, arrival);
  return out.str();
}

std::string RandomRounds::word() {
  std::string word(random_.below(20), ' ');
  for (char& letter : word) letter = static_cast<char>(random_.below(256));
  return word;
}

Resources RandomRounds::resources() {
  Resources result(random_.between(0, 1 << 20), random_.between(0, 1 << 30));
  if (random_.chance(0.3)) result[random_.below(Resources::dimensions_max)] = 7;
  return result;
}

Work RandomRounds::work() {
  Work work;
  work.duration = Duration(random_.between(0, std::int64_t{1} << 50));
  work.cpu_time = Duration(random_.between(0, std::int64_t{1} << 50));
  work.memory_mib = random_.between(0, std::int64_t{1} << 40);
  return work;
}

void RandomRounds::fill_rigid(Job& job) {
  job.kind = JobKind::rigid;
  job.stages.assign(1, Stage{});
  Stage& stage = job.stages.front();
  stage.kind = StageKind::gang;
  stage.demand = resources();
  stage.runs = {TaskRun{static_cast<std::uint32_t>(random_.between(1, 4000)), work()}};
  if (random_.chance(0.1)) stage.runs.push_back(TaskRun{1, work()});
  if (random_.chance(0.1)) stage.input_path = word();
  if (random_.chance(0.1)) stage.runs.front().work.output_bytes = 5;
}

void RandomRounds::fill_general(Job& job) {
  job.kind = random_.chance(0.5) ? JobKind::map_reduce : JobKind::dag;
  job.stages.assign(random_.below(5), Stage{});
  for (std::size_t index = 0; index < job.stages.size(); ++index) {
    Stage& stage = job.stages[index];
    stage.kind = random_.chance(0.5) ? StageKind::map : StageKind::reduce;
    stage.demand = resources();
    stage.input_path = word();
    for (std::uint64_t i = random_.below(6); i > 0; --i) {
      TaskRun run{static_cast<std::uint32_t>(random_.between(1, 1 << 30)), work()};
      run.work.input_bytes = random_.between(0, std::int64_t{1} << 45);
      run.work.shuffle_bytes = random_.between(0, std::int64_t{1} << 45);
      run.work.output_bytes = random_.between(0, std::int64_t{1} << 45);
      stage.runs.push_back(run);
    }
    if (random_.chance(0.4)) fill_details(stage, index);
  }
}

void RandomRounds::fill_details(Stage& stage, std::size_t index) {
  for (std::uint16_t i = 0; i < index; ++i) {
    if (random_.chance(0.5)) stage.needs.push_back(i);
  }
  if (random_.chance(0.5)) stage.delay = Duration(random_.between(1, 1 << 30));
  if (random_.chance(0.5)) stage.node_labels = {word(), word()};
  if (stage.runs.empty() || random_.chance(0.5)) return;
  stage.runs.resize(1);
  stage.runs[0].count = static_cast<std::uint32_t>(random_.between(1, 9));
  stage.places.hosts = {word(), word(), word()};
  for (std::uint32_t task = 0; task < stage.runs[0].count; ++task) {
    for (std::uint64_t i = random_.below(4); i > 0; --i) {
      stage.places.entries.push_back(static_cast<std::uint32_t>(random_.below(3)));
    }
    stage.places.ends.push_back(static_cast<std::uint32_t>(stage.places.entries.size()));
  }
}

Arrival RandomRounds::job(Round& round) {
  const auto index = static_cast<std::uint32_t>(round.jobs().size());
  Job& job = round.add_job();
  job.id = JobId(next_job_++);
  job.name = word();
  job.submit = now_;
  job.user = names_.users.intern("user " + std::to_string(random_.below(50)));
  job.queue = names_.queues.intern("queue " + std::to_string(random_.below(9)));
  job.priority = static_cast<std::int32_t>(random_.between(-5, 5));
  job.requested_time = Duration(random_.between(0, 1 << 30));
  if (random_.chance(0.3)) job.deadline = Duration(random_.between(1, 1 << 30));
  random_.chance(0.6) ? fill_rigid(job) : fill_general(job);
  return JobSubmitted{index};
}

Arrival RandomRounds::machine(Round& round) {
  Machine machine;
  machine.name = word();
  machine.rack = word();
  machine.capacity = resources();
  if (random_.chance(0.3)) machine.speed = 1 + number();
  for (std::uint64_t i = random_.below(4); i > 0; --i) machine.labels.push_back(word());
  names_.racks.intern(machine.rack);
  round.machines.push_back(machine);
  return NodeJoined{node(), static_cast<std::uint32_t>(round.machines.size() - 1)};
}

Arrival RandomRounds::refresh(Round& round) {
  SchedulerConfiguration configuration;
  for (std::uint64_t i = random_.below(4); i > 0; --i) configuration.settings[word()] = word();
  for (std::uint64_t i = random_.below(3); i > 0; --i) configuration.documents[word()] = word();
  round.configurations.push_back(std::move(configuration));
  return SchedulerRefreshed{static_cast<std::uint32_t>(round.configurations.size() - 1)};
}

Arrival RandomRounds::container_ended() {
  ContainerEnded ended;
  ended.container = ContainerId(static_cast<std::uint32_t>(random_.below(1u << 31)));
  ended.node = node();
  ended.account.started = now_;
  ended.account.ended = now_ + Duration(random_.between(0, 1 << 20));
  ended.account.cpu_time = Duration(random_.between(0, 1 << 20));
  ended.account.memory_peak_mib = random_.between(0, 1 << 20);
  if (random_.chance(0.5)) return ended;
  ended.end = static_cast<ContainerEnd>(random_.below(container_end_count));
  if (ended.end == ContainerEnd::checkpointed) {
    ended.account.progress = static_cast<std::uint32_t>(random_.below(whole_work + 1));
  }
  ended.account.bytes_read = random_.between(0, 1 << 20);
  ended.account.bytes_written = random_.between(0, 1 << 20);
  TaskAccountNumbers account{};
  for (std::int64_t& bytes : account) {
    if (random_.chance(0.2)) bytes = random_.between(0, 1 << 20);
  }
  static_cast<TaskAccount&>(ended.account) = to_task_account(account);
  ended.account.exit_code = static_cast<std::int32_t>(random_.between(-1, 255));
  ended.account.signal = static_cast<std::int32_t>(random_.between(0, 64));
  return ended;
}

Arrival RandomRounds::gang_ended() {
  GangEnded ended;
  ended.first = ContainerId(static_cast<std::uint32_t>(random_.below(1u << 31)));
  ended.containers = static_cast<std::uint32_t>(random_.between(1, 1 << 20));
  ended.account.started = now_;
  ended.account.ended = now_ + Duration(random_.between(0, 1 << 20));
  ended.account.cpu_time = Duration(random_.between(0, 1 << 20));
  ended.account.memory_peak_mib = random_.between(0, 1 << 20);
  if (random_.chance(0.5)) ended.account.bytes_read = random_.between(0, 1 << 20);
  if (random_.chance(0.5)) ended.account.bytes_written = random_.between(0, 1 << 20);
  return ended;
}

SetAsk RandomRounds::ask() {
  SetAsk ask;
  ask.slot = number();
  ask.priority = static_cast<std::int32_t>(random_.between(-20, 20));
  ask.pending = number();
  ask.demand = resources();
  ask.kind = static_cast<StageKind>(random_.below(3));
  ask.relax_locality = random_.chance(0.8);
  if (random_.chance(0.2)) ask.label = LabelId(number());
  if (random_.chance(0.2)) ask.avoided = node();
  for (std::uint32_t i = number(4); i > 0; --i) ask.nodes.push_back({node(), number()});
  for (std::uint32_t i = number(4); i > 0; --i) ask.racks.push_back({RackId(number()), number()});
  return ask;
}

AttemptProgress RandomRounds::progress() {
  return {ContainerId(number()), static_cast<std::uint32_t>(random_.below(whole_work + 1))};
}

LaunchTask RandomRounds::launch() {
  LaunchTask task;
  task.container = ContainerId(number());
  task.task = {static_cast<std::uint16_t>(number()), number()};
  task.attempt = 1 + number();
  task.locality = static_cast<Locality>(random_.below(4));
  task.waiting_since = now_;
  task.work = random_work(random_);
  task.is_held = random_.chance(0.5);
  if (random_.chance(0.3)) task.beside = ContainerId(number());
  return task;
}

MasterAction RandomRounds::action() {
  switch (random_.below(9)) {
    case 0:
      return ask();
    case 1: {
      AdjustPlaces places{.slot = number(), .fewer_nodes = {}, .fewer_racks = {}};
      for (std::uint32_t i = number(4); i > 0; --i) places.fewer_nodes.push_back(node());
      for (std::uint32_t i = number(4); i > 0; --i) places.fewer_racks.emplace_back(number());
      return places;
    }
    case 2:
      return CloseAsk{number()};
    case 3:
      return launch();
    case 4:
      return ContinueTask{ContainerId(number())};
    case 5:
      return ReleaseContainer{ContainerId(number())};
    case 6:
      return KillTask{ContainerId(number())};
    case 7:
      return CheckpointTask{ContainerId(number())};
    default:
      return FinishApplication{static_cast<JobOutcome>(random_.below(4)), word()};
  }
}

AdministratorCommand RandomRounds::order() {
  AdministratorCommand order;
  order.kind = static_cast<AdministratorCommandKind>(random_.below(3));
  const bool is_move = order.kind == AdministratorCommandKind::move;
  if (is_move) order.container = ContainerId(number());
  if (!is_move || random_.chance(0.5)) order.node = node();
  order.grace = Duration(random_.between(0, std::int64_t{1} << 40));
  return order;
}

void RandomRounds::fill_call(MasterCall& call) {
  call.application = ApplicationId(number());
  call.attempt = 1 + number(3);
  call.sequence = number();
  call.kind = static_cast<MasterCallKind>(random_.below(3));
  for (std::uint32_t i = number(5); i > 0; --i) call.actions.push_back(action());
}

void RandomRounds::fill(Round& round) {
  round.clear();
  now_ += Duration(random_.chance(0.3) ? 0 : random_.between(0, std::int64_t{1} << 33));
  round.now = now_;
  for (std::uint64_t i = random_.below(6); i > 0; --i) {
    switch (random_.below(14)) {
      case 0:
        round.arrivals.push_back(machine(round));
        break;
      case 1:
        round.arrivals.push_back(NodeLost{node()});
        break;
      case 2:
        round.arrivals.push_back(NodeHeartbeat{
            node(), resources(), static_cast<std::int32_t>(random_.between(-1, 1'000))});
        break;
      case 3:
        if (random_.chance(0.5)) {
          round.arrivals.push_back(refresh(round));
        } else {
          round.arrivals.push_back(RunCancelled{static_cast<CancelReason>(random_.below(3))});
        }
        break;
      case 10:
        fill_call(round.add_call());
        break;
      case 11:
        round.arrivals.push_back(random_.chance(0.5)   ? Arrival(order())
                                 : random_.chance(0.5) ? Arrival(progress())
                                                       : DecisionMade{number(), number()});
        break;
      case 12:
      case 13:
        round.add_storage(random_storage_input(random_));
        break;
      case 4:
      case 5:
      case 6:
        round.arrivals.push_back(random_.chance(0.7) ? container_ended() : gang_ended());
        break;
      default:
        round.arrivals.push_back(job(round));
    }
  }
}

void fill_with_simple_job(Round& round, std::uint32_t number, UserId user, QueueId queue) {
  round.clear();
  round.now = trace_time(std::int64_t{number} * 1'000);
  Job& job = round.add_job();
  job.id = JobId(number);
  job.name = "job-1234";
  job.submit = round.now;
  job.user = user;
  job.queue = queue;
  job.kind = JobKind::rigid;
  job.stages.resize(1);
  Stage& stage = job.stages.front();
  stage.kind = StageKind::gang;
  stage.demand = Resources(1'000, 512);
  stage.runs.resize(1);
  stage.runs.front() = TaskRun{4, Work{seconds(90), seconds(90), 512, 0, 0, 0}};
  round.submit(0);
  ContainerEnded ended{.container = ContainerId(number), .node = NodeId(number % 1'000)};
  ended.account.started = round.now;
  ended.account.ended = round.now;
  round.arrivals.push_back(ended);
  round.arrivals.push_back(NodeHeartbeat{ended.node, Resources(4'000, 2'048)});
}

}  // namespace tracebed::test
