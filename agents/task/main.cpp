// tracebed-task: the one program that runs in containers. Started by tracebed-launcher only; the
// words are described in agents/task/work_spec.h.
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <malloc.h>
#include <optional>
#include <pthread.h>
#include <signal.h>
#include <span>
#include <string>
#include <sys/prctl.h>
#include <unistd.h>

#include "agents/task/kernel_run.h"
#include "agents/task/profile_work.h"
#include "agents/task/progress_report.h"
#include "agents/task/task_input.h"
#include "agents/task/task_output.h"
#include "core/exit_codes.h"
#include "core/kernel_work.h"
#include "core/shuffle_work.h"

namespace tracebed {
namespace {

StopOrder stop;  // here, since a signal handler reaches nothing else

sigset_t set_of(std::initializer_list<int> signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals) sigaddset(&set, signal);
  return set;
}

// Waits until the work is to begin, or false: it never is.
bool may_begin(bool obeys_checkpoints) {
  const sigset_t awaited =
      obeys_checkpoints ? set_of({begin_signal, checkpoint_signal}) : set_of({begin_signal});
  int order = 0;
  do {
    order = sigwaitinfo(&awaited, nullptr);
  } while (order < 0 && errno == EINTR);
  return order != checkpoint_signal;
}

void stop_on_checkpoint_signal() {
  struct sigaction action = {};
  action.sa_handler = [](int) { stop.give(); };
  sigaction(checkpoint_signal, &action, nullptr);
  const sigset_t awaited = set_of({checkpoint_signal});
  sigprocmask(SIG_UNBLOCK, &awaited, nullptr);
}

// By default each thread would take 8 MiB of address space for a stack and 64 for a heap of its
// own, and a task keeps little in either.
void keep_address_space_small() {
  mallopt(M_ARENA_MAX, 1);
  constexpr std::size_t stack_bytes = std::size_t{64} << 10;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

struct Failure {
  int exit_code = to_int(ExitCode::environment);
  std::string message;
};

Status report(const WorkSpec& spec, std::uint32_t progress, const TaskFiles& files = {}) {
  return tell(
      {.container = static_cast<std::uint32_t>(spec.container),
       .progress = progress,
       .account = {.input = files.input != nullptr ? files.input->read() : ReadBytes(),
                   .output = files.output != nullptr ? files.output->position() : 0,
                   .shuffled = files.fetch != nullptr ? files.fetch->fetched() : ReadBytes(),
                   .spilled = files.spill != nullptr ? files.spill->bytes() : 0}});
}

int exit_code_of_failure(const TaskFiles& files) {
  if (files.input != nullptr && files.input->failure()) return input_failed_exit;
  if (files.output != nullptr && files.output->failure()) return output_failed_exit;
  if (files.failure()) return shuffle_failed_exit;
  return to_int(ExitCode::environment);
}

// From its standard input, where the launcher has put it.
Result<shuffle::JobToken> read_token() {
  std::array<std::byte, shuffle::JobToken::size + 1> bytes;
  std::size_t count = 0;
  for (;;) {
    const ssize_t got = read(STDIN_FILENO, bytes.data() + count, bytes.size() - count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    count += static_cast<std::size_t>(got);
  }
  if (count != shuffle::JobToken::size) {
    return Error{"expected the token of its job as its standard input"};
  }
  return shuffle::JobToken(std::span(bytes).first<shuffle::JobToken::size>());
}

// What it has to do with shuffle servers.
struct Shuffle {
  explicit Shuffle(const shuffle::JobToken& job_token) : token(job_token) {}

  shuffle::JobToken token;
  std::optional<TaskFetch> fetch;
  std::optional<TaskMapOutput> map_output;
  std::optional<TaskSpill> spill;
};

// The exit code of a task that has not failed.
Result<int, Failure> work(const WorkSpec& spec, Shuffle* shuffle) {
  std::optional<TaskInput> input;
  if (TaskInput::is_moved_by(spec.work)) {
    input.emplace(spec, shuffle != nullptr ? &shuffle->token : nullptr, stop);
  }
  std::optional<TaskOutput> output;
  if (writes_output(spec.work)) {
    output.emplace(spec.input, spec.work, static_cast<std::uint32_t>(spec.container), stop);
  }
  TaskFiles files{input ? &*input : nullptr, output ? &*output : nullptr};
  if (shuffle != nullptr) {
    if (shuffle->fetch) files.fetch = &*shuffle->fetch;
    if (shuffle->map_output) files.map_output = &*shuffle->map_output;
    if (shuffle->spill) files.spill = &*shuffle->spill;
  }
  const Result<std::uint32_t> progress = do_profile_work(spec, stop, files);
  const bool is_whole = progress && *progress == whole_work;
  const bool has_account = input || output || files.fetch != nullptr || files.spill != nullptr;
  if (is_whole && !has_account) return to_int(ExitCode::success);
  // What a task has read and written that fails is counted, too, but its failure is what matters.
  const Status reported = report(spec, progress ? *progress : 0, files);
  if (!progress) return Failure{exit_code_of_failure(files), progress.error().message};
  if (!reported) return Failure{.message = reported.error().message};
  return to_int(ExitCode::success);
}

Result<int, Failure> work_on_kernel(const WorkSpec& spec) {
  const Result<shuffle::JobToken> token = read_token();
  if (!token) return Failure{.message = token.error().message};
  KernelRun task(spec, *token, stop);
  const Status done = task.run();
  const Status reported = tell({.container = static_cast<std::uint32_t>(spec.container),
                                .progress = task.is_done() ? whole_work : 0,
                                .account = task.account()});
  if (!done) return Failure{task.exit_code(), done.error().message};
  if (!reported) return Failure{.message = reported.error().message};
  return to_int(ExitCode::success);
}

Result<int, Failure> exhaust_heap(const WorkSpec& spec) {
  if (const Status filled = fill_heap(spec.work, stop); !filled) {
    return Failure{.message = filled.error().message};
  }
  if (!stop.has_come()) return heap_exhausted_exit;
  const Status reported = report(spec, 0);
  if (!reported) return Failure{.message = reported.error().message};
  return to_int(ExitCode::success);
}

Result<int, Failure> run(const WorkSpec& spec) {
  // Blocked already by whoever started this; again, for a start by hand.
  const sigset_t orders = set_of({begin_signal, checkpoint_signal});
  sigprocmask(SIG_BLOCK, &orders, nullptr);
  keep_address_space_small();
  const bool obeys = obeys_checkpoint(spec.work);
  const bool has_kernel = kernel_of(spec.work).has_value() && !spec.work.exhausts_heap;
  std::optional<Shuffle> shuffle;
  if (!has_kernel && shuffles(spec.work) && !spec.work.exhausts_heap) {
    const Result<shuffle::JobToken> token = read_token();
    if (!token) return Failure{.message = token.error().message};
    shuffle.emplace(*token);
    if (fetches(spec.work)) shuffle->fetch.emplace(spec, shuffle->token, stop);
    if (kept_for_others(spec.work) > 0) shuffle->map_output.emplace(spec, shuffle->token, stop);
    if (spilled_by(spec.work) > 0) shuffle->spill.emplace(spec, shuffle->token, stop);
  }
  if (spec.held != 0 && !may_begin(obeys)) {
    TaskFiles files;
    if (shuffle && shuffle->fetch) files.fetch = &*shuffle->fetch;
    const Status reported = report(spec, 0, files);
    if (!reported) return Failure{.message = reported.error().message};
    return to_int(ExitCode::success);
  }
  if (obeys) stop_on_checkpoint_signal();
  if (has_kernel) return work_on_kernel(spec);
  return spec.work.exhausts_heap ? exhaust_heap(spec) : work(spec, shuffle ? &*shuffle : nullptr);
}

}  // namespace
}  // namespace tracebed

int main(int count, char** words) {
  using tracebed::ExitCode;
  // Started by file descriptor, it would be named after the number.
  prctl(PR_SET_NAME, "tracebed-task", 0, 0, 0);
  prctl(PR_SET_DUMPABLE, 0);  // other containers may be of the same user
  const auto spec = tracebed::parse_arguments(
      {words + (count > 0 ? 1 : 0), static_cast<std::size_t>(count > 0 ? count - 1 : 0)});
  if (!spec) {
    std::fprintf(stderr, "tracebed-task: %s\n", spec.error().message.c_str());
    return to_int(ExitCode::usage);
  }
  const auto code = tracebed::run(*spec);
  if (code) return *code;
  std::fprintf(stderr, "tracebed-task: %s\n", code.error().message.c_str());
  return code.error().exit_code;
}
