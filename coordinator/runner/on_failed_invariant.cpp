#include "coordinator/runner/on_failed_invariant.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "core/invariant_handler.h"

namespace tracebed {

// The registered ones. Of the whole process, as its exit is.
struct FailedInvariantNotes {
  std::mutex mutex;
  std::vector<OnFailedInvariant*> all;

  static FailedInvariantNotes& get() {
    static FailedInvariantNotes notes;
    return notes;
  }

  static void call_all(std::string_view failure) noexcept {
    static thread_local bool is_inside = false;
    if (std::exchange(is_inside, true)) return;
    FailedInvariantNotes& notes = get();
    // Held until the exit: another thread that fails meanwhile waits for it here.
    const std::lock_guard lock(notes.mutex);
    const std::string text(failure);
    for (auto one = notes.all.rbegin(); one != notes.all.rend(); ++one) notes.call(**one, text);
  }

  void call(OnFailedInvariant& one, const std::string& failure) noexcept {
    const bool is_own = one.thread_ == std::this_thread::get_id();
    if (one.from_ == OnFailedInvariant::From::own_thread && !is_own) return;
    try {
      const std::string more = one.note_(failure);
      if (!more.empty()) std::fprintf(stderr, "%s\n", more.c_str());
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
  }
};

OnFailedInvariant::OnFailedInvariant(From from, Note note) : from_(from), note_(std::move(note)) {
  FailedInvariantNotes& notes = FailedInvariantNotes::get();
  const std::lock_guard lock(notes.mutex);
  notes.all.push_back(this);
  set_invariant_handler(&FailedInvariantNotes::call_all);
}

OnFailedInvariant::~OnFailedInvariant() {
  FailedInvariantNotes& notes = FailedInvariantNotes::get();
  const std::lock_guard lock(notes.mutex);
  std::erase(notes.all, this);
}

}  // namespace tracebed
