// What a task may do wrong, one per mode, for tests: faults MODE [NUMBER…]
//   exit CODE          ends at once
//   signal NUMBER      sends itself a signal
//   sleep SECONDS
//   memory MIB [ms]    touches so much, then sleeps for so long
//   burn SECONDS       one busy thread, for so much wall time
//   threads COUNT      starts so many; exit code 3 when the kernel refuses one, else 0
//   fork_chain COUNT   so many processes that fork and die, for ever: the children go on
//   fork_tree COUNT    starts so many sleeping grandchildren in sessions of their own, then sleeps
//   leave COUNT        the same, but exits with 0 and leaves them behind
//   write BYTES        writes a file in /var/tmp, which is on a disk, and removes it after a sync
// None of them ends later than after 60 s.
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <string_view>
#include <sys/mman.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr int life_max_seconds = 60;

int memory(long mib, long then_milliseconds) {
  const std::size_t bytes = static_cast<std::size_t>(mib) << 20;
  void* const start =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return 4;
  char* const block = static_cast<char*>(start);
  for (std::size_t i = 0; i < bytes; i += 4096) block[i] = 1;
  usleep(static_cast<useconds_t>(then_milliseconds * 1'000));
  return block[bytes / 2] == 1 || bytes > 0 ? 0 : 5;
}

int burn(long seconds) {
  const time_t until = time(nullptr) + seconds;
  volatile unsigned long work = 0;
  while (time(nullptr) < until) {
    for (int i = 0; i < 100'000; ++i) work = work + 1;
  }
  return 0;
}

int start_threads(long count) {
  std::vector<std::thread> threads;
  std::mutex all_are_started;
  all_are_started.lock();
  int code = 0;
  for (long i = 0; i < count && code == 0; ++i) {
    try {
      threads.emplace_back([&] { const std::lock_guard wait(all_are_started); });
    } catch (const std::system_error&) {
      code = 3;
    }
  }
  all_are_started.unlock();
  for (std::thread& thread : threads) thread.join();
  return code;
}

[[noreturn]] void fork_chains(long count) {
  for (long i = 1; i < count; ++i) {
    if (fork() == 0) break;
  }
  const time_t until = time(nullptr) + life_max_seconds;
  while (time(nullptr) < until) {
    if (fork() > 0) _exit(0);
    setsid();
  }
  _exit(0);
}

void fork_tree(long count) {
  for (long i = 0; i < count; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      setsid();
      if (fork() == 0) {
        setsid();
        sleep(life_max_seconds);
      }
      _exit(0);
    }
    waitpid(child, nullptr, 0);
  }
}

int write_file(long bytes) {
  char path[] = "/var/tmp/tracebed-faults-XXXXXX";
  const int file = mkostemp(path, O_CLOEXEC);
  if (file < 0) return 6;
  unlink(path);
  std::array<char, 4096> block;
  block.fill(7);
  for (long i = 0; i < bytes; i += static_cast<long>(block.size())) {
    if (write(file, block.data(), block.size()) != static_cast<ssize_t>(block.size())) return 7;
  }
  fsync(file);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
#ifdef FAULT_MODE
  char program[] = "faults";
  char fixed_mode[] = FAULT_MODE;
  char fixed_number[] = FAULT_NUMBER;
  char* fixed[] = {program, fixed_mode, fixed_number, nullptr};
  count = 3;
  arguments = fixed;
#endif
  const std::string_view mode = count > 1 ? arguments[1] : "";
  const auto number = [&](int index) { return count > index ? std::atol(arguments[index]) : 0; };
  if (mode == "exit") return static_cast<int>(number(2));
  if (mode == "signal") {
    raise(static_cast<int>(number(2)));
    return 0;
  }
  if (mode == "sleep") {
    sleep(static_cast<unsigned>(number(2)));
    return 0;
  }
  if (mode == "memory") return memory(number(2), number(3));
  if (mode == "burn") return burn(number(2));
  if (mode == "threads") return start_threads(number(2));
  if (mode == "fork_chain") fork_chains(number(2));
  if (mode == "fork_tree" || mode == "leave") {
    fork_tree(number(2));
    if (mode == "fork_tree") sleep(life_max_seconds);
    return 0;
  }
  if (mode == "write") return write_file(number(2));
  std::fprintf(stderr, "faults: unknown mode\n");
  return 2;
}
