// The coordinator's control service: experiments in, runs out. Runs wait in one queue and are
// executed one after the other. Framed transport, binary protocol; no frame has more than 1.1 MiB,
// in either direction. So lists come in pages, each limited in entries and bytes: for the whole
// list, call again for the entries after the last, until none come.
namespace cpp tracebed.control
namespace py tracebed.control

enum RunState {
  WAITING = 1,
  RUNNING = 2,
  FINISHED = 3,   // every replay of the experiment ended; its results are in the folder
  FAILED = 4,     // message says why
  CANCELLED = 5,  // what ran until then is in the folder
}

// A reason as in run records ("user_limit"), and a sentence with its figures.
struct WaitingReason {
  1: string reason
  2: string text
}

// A job that waits for its first container, and why; the first reason that applies comes first.
struct WaitingJob {
  1: i64 job
  2: string user
  3: string queue
  4: i64 since_microseconds       // trace time
  5: list<WaitingReason> reasons
}

// Progress of the replay that is running, the first of them if there are several. An experiment
// makes schedulers × repetitions of them, and perhaps as many more of its baseline, to measure
// noise.
struct ReplayProgress {
  1: string scheduler
  2: i32 replay         // from 1
  3: i32 replays
  4: i64 jobs
  5: i64 jobs_submitted
  6: i64 jobs_ended
  7: i64 containers     // allocated now
  8: i64 trace_microseconds
  9: list<WaitingJob> waiting  // those that wait longest, longest first; a second old at most
  10: i32 repetition    // of the scheduler's, from 1
  11: i32 repetitions
  12: bool is_noise     // the baseline once more, under another seed
  13: double done       // of all replays, the completed part: from 0 to 1
}

// The outcome of a change of the scheduler's settings or of an administrator's command: a sentence.
struct ChangeOutcome {
  1: bool was_taken
  2: string text
  3: i64 number               // from 1, in order of arrival
  4: i64 at                   // seconds since 1970, UTC
  5: i64 trace_microseconds   // how far the replay was
}

struct RunStatus {
  1: i64 run
  2: string name                  // as submitted
  3: RunState state
  4: string message               // why it failed or stalled; else empty
  5: string folder                // on the coordinator's machine
  6: i64 submitted_at             // seconds since 1970, UTC; as are the next two
  7: i64 started_at               // 0: not yet
  8: i64 ended_at                 // 0: not yet
  9: optional ReplayProgress progress  // of a running one
  10: list<ChangeOutcome> changes      // the latest hundred, oldest first; not in lists of runs
  11: list<string> warnings            // the first hundred, each once; not in lists of runs
  12: i32 ahead                        // runs before a waiting one, including the running one
  13: string waits_for                 // why a waiting one could not begin now; empty if it could
  14: i32 exit_code                    // of `tracebed run`, had it run there; 0 unless it failed
}

// A setting that replaces the experiment's, as `tracebed run --set KEY=VALUE` does.
struct Override {
  1: string key
  2: string value
}

// An XML file that settings of schedulers name, by the name they use for it.
struct NamedFile {
  1: string name
  2: string content
}

// An experiment (TOML, as in files). All texts together have at most 1 MiB. Traces are not sent:
// they are named as ${TRACEBED_TRACES}/… and must lie below the coordinator's trace folder.
struct Submission {
  1: string experiment
  2: string name                // replaces its own: up to 80 letters, digits and - _ .; or empty
  3: list<Override> overrides
  4: list<string> schedulers    // only these: labels of its own, or names of others; empty: all
  5: list<NamedFile> files
  6: string file                // the experiment's name in messages, up to 256 bytes; or empty
}

// A file of a run's folder, by its path in it: plain words separated by slashes.
struct RunFile {
  1: string path
  2: i64 bytes
}

enum AdministratorCommandKind {
  MOVE = 1,     // a container is marked for preemption, and its task is placed anew
  DRAIN = 2,    // a node takes no new containers, and its own are marked for preemption
  UNDRAIN = 3,  // it is back in service
}

struct AdministratorCommand {
  1: AdministratorCommandKind kind
  2: string node              // of a drain and its end; of a move, the target (empty: elsewhere)
  3: i64 container            // of a move
  4: i64 grace_microseconds   // trace time until force is used; of a move and a drain
}

// The text is no experiment that this coordinator can run; the message names line and key.
exception BadExperiment {
  1: string message
}
exception UnknownRun {
  1: i64 run
}
exception RunHasEnded {
  1: i64 run
  2: RunState state
}
exception RunIsNotRunning {
  1: i64 run
  2: RunState state
}
exception RunHasNotEnded {
  1: i64 run
  2: RunState state
}
// The folder has no such readable file, or no such place in it.
exception NoSuchFile {
  1: string message
}
// This coordinator requires its token on every connection first.
exception NotAuthorised {
  1: string message
}
exception QueueIsFull {
  1: i32 limit
}

// An agent that has registered with this coordinator.
// The HDFS datanode of an agent's machine.
struct DatanodeStatus {
  1: string address
  2: i32 transfer_port
  3: i32 http_port                // of WebHDFS
  4: string software              // its version of Tracebed
  5: bool is_alive                // not lost
  6: bool is_in_run               // of the current run, which has storage
}

struct AgentStatus {
  1: string name
  2: string rack
  3: list<string> labels
  4: string address
  5: i64 milli_vcores
  6: i64 memory_mib
  7: string isolation             // "cgroup-v2", "cgroup-v1" or "none"
  8: string software              // its version of Tracebed
  9: i64 clock_ahead_nanoseconds  // of the coordinator's clock; as accurate as messages allow
  10: bool is_alive               // not lost
  11: i32 containers              // of the current run
  12: bool has_launcher           // without one it can run nothing
  13: bool is_drained             // runs that begin later leave it out
  14: bool is_waiting             // the run in progress does not use it; the next one will
  15: i64 silent_nanoseconds      // since its last message
  16: optional DatanodeStatus datanode  // if one has registered
  17: bool keeps_outputs          // without it, runs with a shuffle leave it out
}

struct ClusterStatus {
  1: bool has_agents              // whether this coordinator listens for agents
  2: string endpoint
  3: string software              // the coordinator's own version
  4: bool is_in_run               // a run has the agents
  5: list<AgentStatus> agents     // by name
  6: i64 agents_refused           // registrations that were refused
  7: i64 keys_refused             // connections with an unknown key
  8: optional RunStatus running   // what runs, on the agents or on modelled machines
  9: i32 waiting                  // runs that wait after it
  10: string redis                // address of the one that runs use; empty: each has its own
  11: bool is_redis_up            // at the latest check, at most some seconds ago
  12: string redis_trouble        // why it is not
  13: string paused_for           // why waiting runs do not begin now; empty if they do
  14: i64 redis_runs              // replays whose state Redis holds, of all who share it
  15: i64 redis_keys              // their keys, of those that have ended
  16: i64 redis_log_bytes         // the memory that their logs take in Redis
  20: bool has_more               // agents: call again for those after the last of these
}

// A line that a daemon has logged. Its text is that daemon's own, and may contain anything.
struct LogLine {
  1: i64 number                   // ascending in order of arrival
  2: string daemon                // "coordinator", or an agent's name
  3: i64 at_nanoseconds           // since 1970, UTC, by the clock of its machine
  4: i32 severity                 // 0 information, 1 warning, 2 error
  5: string text
}

service Control {
  // If the coordinator has a token, the first call of every connection; all others are refused
  // until then. If it has none, any token is accepted.
  void authenticate(1: string token) throws (1: NotAuthorised refused)
  // Queues an experiment and returns the run's number.
  i64 submit(1: Submission submission) throws (1: BadExperiment bad, 2: QueueIsFull full)
  // The latest runs, newest first, at most `limit` (1 to 1000; other values are clamped), and fewer
  // if their texts are long. With `before`, of those submitted before that run; the first `skip` of
  // them are left out.
  list<RunStatus> list_runs(1: i32 limit, 2: i64 before, 3: i64 skip)
  RunStatus status(1: i64 run) throws (1: UnknownRun unknown)
  // The files of a run that has ended, ascending by path; at most 2000, all after `after`.
  list<RunFile> list_files(1: i64 run, 2: string after)
      throws (1: UnknownRun unknown, 2: RunHasNotEnded early, 3: NoSuchFile missing)
  // At most 512 KiB of one of them, starting at `offset`; empty at its end.
  binary read_file(1: i64 run, 2: string path, 3: i64 offset)
      throws (1: UnknownRun unknown, 2: RunHasNotEnded early, 3: NoSuchFile missing)
  // Changes a setting of the scheduler in the replay that is running; for one that names an XML
  // file, `value` is the XML (at most 1 MiB), and `file` its name in messages (up to 256 bytes).
  // The outcome is reported by status. Refused if too many changes wait for the run already, or it
  // has taken too many.
  void refresh(1: i64 run, 2: string setting, 3: string value, 4: string file)
      throws (1: UnknownRun unknown, 2: RunIsNotRunning idle, 3: BadExperiment bad)
  // Changes one parameter of the scheduler in the replay that is running: a setting that names no
  // file, or in its file the share of application masters, "QUEUE.maximum-am-resource-percent" or
  // "QUEUE.maxAMShare" (up to 256 bytes each). The scheduler takes the new configuration as a
  // whole, or refuses it. The outcome is reported by status, as of refresh.
  void tune(1: i64 run, 2: string parameter, 3: string value)
      throws (1: UnknownRun unknown, 2: RunIsNotRunning idle, 3: BadExperiment bad)
  // The agents after that name.
  ClusterStatus cluster(1: string after)
  // Whether runs leave the agent out from now on, until this is called with the opposite; kept over
  // restarts. The replay that is running, if it uses these agents, receives the command to drain
  // the node, with the grace in trace time, or to undrain it.
  void set_drained(1: string agent, 2: bool is_drained, 3: i64 grace_microseconds)
      throws (1: BadExperiment bad)
  // The last lines that daemons have logged, at most `limit` (1 to 1000; other values are clamped),
  // of one daemon or, if the name is empty, of all, after the line of that number.
  list<LogLine> log_lines(1: string daemon, 2: i64 after, 3: i32 limit)
  // Has the replay that is running execute a command. Its outcome is reported by status. Refused at
  // once if the run has no such node, too many changes wait for it already, or it has taken too
  // many.
  void execute(1: i64 run, 2: AdministratorCommand command)
      throws (1: UnknownRun unknown, 2: RunIsNotRunning idle, 3: BadExperiment bad)
  // A waiting run never starts; a running one ends soon, its folder a valid partial run.
  void cancel(1: i64 run) throws (1: UnknownRun unknown, 2: RunHasEnded ended)
  // Forgets a run that has ended, and deletes its folder.
  void delete_run(1: i64 run) throws (1: UnknownRun unknown, 2: RunHasNotEnded early)
}
