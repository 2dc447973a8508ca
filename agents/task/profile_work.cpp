#include "agents/task/profile_work.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <system_error>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <vector>

#include "agents/task/touched_memory.h"
#include "core/mebibyte.h"
#include "core/shuffle_work.h"

namespace tracebed {
namespace {

constexpr std::int64_t slice_us = 10'000;
constexpr std::int64_t late_wake_up_ns_max = 200'000;

// What the program has mapped by now, heap and stack included; 0 if the kernel does not say.
std::int64_t mapped_bytes() {
  std::array<char, 64> text{};
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t count = read(file, text.data(), text.size());
  close(file);
  std::int64_t pages = 0;
  if (count > 0) std::from_chars(text.data(), text.data() + count, pages);
  return pages * sysconf(_SC_PAGESIZE);
}

std::size_t size_of(std::int64_t bytes) {
  return static_cast<std::size_t>(std::max<std::int64_t>(bytes, 0));
}

// What a task has mapped, from the begin of its work to its end.
struct Mappings {
  ReservedSpace reserved;
  TouchedMemory touched;

  // The memory's own reserve holds this much of the program, and stacks of threads to come.
  static constexpr std::int64_t program_bytes = mebibyte * 5 / 2;

  explicit Mappings(const TaskWork& work)
      : reserved(size_of((work.virtual_memory_mib - work.memory_mib) * mebibyte -
                         std::max<std::int64_t>(mapped_bytes() - program_bytes, 0))),
        // All but the reserve.
        touched(size_of(work.memory_mib * mebibyte - 3 * mebibyte -
                        work.memory_mib * mebibyte / 256 - shuffle_bytes(work))) {}

  // Stacks and buffers of the connections to shuffle servers.
  static std::int64_t shuffle_bytes(const TaskWork& work) {
    constexpr std::int64_t connection_bytes = mebibyte / 4;
    const std::int64_t keeping = kept_for_others(work) > 0 ? 1 : 0;
    const std::int64_t executors = keeps_input(work) || takes_kept_input(work) ? 2 : 0;
    const std::int64_t spilling = spilled_by(work) > 0 ? 2 : 0;
    return (fetches_at_a_time(work) + keeping + executors + spilling) * connection_bytes;
  }

  Status status(const TaskWork& work) const {
    if (reserved.error() != 0) {
      return Error{"virtual memory of " + std::to_string(work.virtual_memory_mib) +
                   " MiB cannot be allocated: " + std::strerror(reserved.error())};
    }
    if (touched.error() == 0) return success();
    return Error{"memory of " + std::to_string(work.memory_mib) +
                 " MiB cannot be allocated: " + std::strerror(touched.error())};
  }
};

// Some 10 us of arithmetic that the compiler cannot foresee.
std::uint64_t compute(std::uint64_t value) {
  for (int i = 0; i < 4'000; ++i) {
    value ^= value << 13;
    value ^= value >> 7;
    value ^= value << 17;
  }
  return value;
}

__extension__ using Wide = __int128;

std::uint32_t part_done(std::int64_t done, std::int64_t total) {
  if (done >= total) return whole_work;
  if (done < 0) return 0;
  return static_cast<std::uint32_t>(Wide{done} * whole_work / total);
}

// What each thread is to do.
struct Share {
  std::int64_t cpu_ns = 0;      // where its CPU clock is to stand
  std::int64_t wait_ns = 0;     // in all
  bool touches_memory = false;  // before all else
  TaskFiles files;              // that it reads and writes
};

// The time that this takes beyond its CPU time. Below 0 where the kernel counts CPU time in large
// steps: sums are right, single figures need not be.
template <class Function>
std::int64_t waits_of(Function&& function) {
  const std::int64_t wall_ns = now_ns(CLOCK_MONOTONIC);
  const std::int64_t cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
  function();
  const std::int64_t busy_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
  return now_ns(CLOCK_MONOTONIC) - wall_ns - busy_ns;
}

// Does a share, and returns how much of it is done in millionths. `note` is given that meanwhile.
template <class Note>
std::uint32_t do_share(const Share& share, const TouchedMemory& memory, const StopOrder& stop,
                       const Note& note) {
  const std::int64_t slices =
      std::max<std::int64_t>((share.cpu_ns + share.wait_ns) / (slice_us * 1'000), 1);
  const auto part = [&](std::int64_t total, std::int64_t k) {
    return static_cast<std::int64_t>(Wide{total} * k / slices);
  };
  const auto [input, output, fetch, map_output, spill] = share.files;
  // Of this thread, and of those that fetch for it.
  const auto cpu_time_ns = [fetch = fetch] {
    return now_ns(CLOCK_THREAD_CPUTIME_ID) + (fetch != nullptr ? fetch->cpu_ns() : 0);
  };
  std::int64_t waited_ns = 0;
  if (share.touches_memory) waited_ns += waits_of([&] { memory.touch(stop); });
  std::uint64_t step = 0;
  volatile std::uint64_t result = 88172645463325252U;
  for (std::int64_t k = 1; k <= slices && !stop.has_come(); ++k) {
    note(part_done(k - 1, slices));
    const auto transfer = [&](auto* file, const auto& move) {
      if (file == nullptr) return true;
      bool is_well = true;
      waited_ns += waits_of([&] { is_well = move(*file, part(file->length(), k)); });
      return is_well;
    };
    const auto write_to = [&](auto& file, std::int64_t bytes) {
      return file.write_to(bytes) && (k < slices || file.close());
    };
    if (!transfer(input, [](TaskInput& file, std::int64_t to) { return file.read_to(to); }) ||
        !transfer(fetch, [](TaskFetch& file, std::int64_t to) { return file.wait_for(to); })) {
      break;
    }
    while (cpu_time_ns() < part(share.cpu_ns, k) && !stop.has_come()) {
      result = compute(result + memory.visit(step++));
    }
    const bool is_well =
        stop.has_come() ||
        (transfer(spill, [](TaskSpill& file, std::int64_t to) { return file.move_to(to); }) &&
         transfer(output, write_to) && transfer(map_output, write_to));
    if (!is_well) break;
    // Going to sleep and waking up take CPU time, which is no wait. What that leaves owed is added
    // to the next slice's; after the last it is waited for.
    do {
      const std::int64_t owed_ns = part(share.wait_ns, k) - waited_ns;
      if (owed_ns <= 0) break;
      const std::int64_t wait_ns = waits_of([&] { stop.sleep_ns(owed_ns); });
      waited_ns += std::min(wait_ns, owed_ns + late_wake_up_ns_max);
    } while (k == slices && !stop.has_come());
  }
  std::uint32_t done =
      std::min(part_done(cpu_time_ns(), share.cpu_ns), part_done(waited_ns, share.wait_ns));
  if (input != nullptr) done = std::min(done, part_done(input->position(), input->length()));
  if (fetch != nullptr) {
    fetch->end();
    done = std::min(done, part_done(fetch->position(), fetch->length()));
  }
  if (map_output != nullptr) {
    done = std::min(done, part_done(map_output->position(), map_output->length()));
    // Nobody can fetch what is not committed.
    if (!map_output->is_closed()) done = std::min(done, whole_work - 1);
  }
  if (spill != nullptr) done = std::min(done, part_done(spill->position(), spill->length()));
  if (output != nullptr) {
    done = std::min(done, part_done(output->position(), output->length()));
    if (stop.has_come()) static_cast<void>(output->close());
  }
  return done;
}

}  // namespace

std::optional<Error> TaskFiles::failure() const {
  if (input != nullptr && input->failure()) return input->failure();
  if (output != nullptr && output->failure()) return output->failure();
  if (fetch != nullptr && fetch->failure()) return fetch->failure();
  if (map_output != nullptr && map_output->failure()) return map_output->failure();
  if (spill != nullptr && spill->failure()) return spill->failure();
  return std::nullopt;
}

Result<std::uint32_t> do_profile_work(const WorkSpec& spec, const StopOrder& stop,
                                      const TaskFiles& files) {
  const Mappings mappings(spec.work);
  const TouchedMemory& memory = mappings.touched;
  if (const Status mapped = mappings.status(spec.work); !mapped) return mapped.error();
  Share share;
  share.cpu_ns = spec.work.cpu_time.count() * 1'000 / spec.threads;
  share.wait_ns = std::max<std::int64_t>(spec.work.duration.count() * 1'000 - share.cpu_ns, 0);
  std::vector<std::uint32_t> done(static_cast<std::size_t>(spec.threads), 0);
  StatedProgress stated(done.size());
  const auto note_of = [&](std::size_t thread) {
    return [&stated, thread](std::uint32_t part) { stated.note(thread, part); };
  };
  std::vector<std::thread> others;
  Status status = success();
  try {
    for (std::size_t i = 1; i < done.size(); ++i) {
      others.emplace_back([&, i] { done[i] = do_share(share, memory, stop, note_of(i)); });
    }
    Share first = share;
    first.files = files;
    first.touches_memory = true;
    done[0] = do_share(first, memory, stop, note_of(0));
  } catch (const std::system_error& error) {
    status = Error{"thread " + std::to_string(others.size() + 1) + " of " +
                   std::to_string(spec.threads) + " cannot be created: " + error.what()};
  }
  for (std::thread& other : others) other.join();
  if (!status) return status.error();
  if (const auto failure = files.failure()) return *failure;
  return *std::min_element(done.begin(), done.end());
}

Status fill_heap(const TaskWork& work, const StopOrder& stop) {
  const Mappings mappings(work);
  const Status mapped = mappings.status(work);
  if (mapped) mappings.touched.touch(stop);
  return mapped;
}

}  // namespace tracebed
