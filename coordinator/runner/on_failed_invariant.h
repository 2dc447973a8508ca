// Says in a run's folder that an invariant failed. The program exits at once then (core/check.h),
// so whoever keeps a record that would stay incomplete registers here for as long as it is.
#pragma once

#include <functional>
#include <string>
#include <thread>

namespace tracebed {

class OnFailedInvariant {
 public:
  enum class From {
    own_thread,  // the note touches what the registering thread works on, so other threads'
                 // failures leave it out
    any_thread,
  };
  // `note` gets a sentence and returns what to add on standard error, or nothing. What it throws is
  // ignored; an invariant that fails within it ends it. The latest registered is called first.
  using Note = std::function<std::string(const std::string& failure)>;
  OnFailedInvariant(From from, Note note);
  ~OnFailedInvariant();
  OnFailedInvariant(const OnFailedInvariant&) = delete;
  OnFailedInvariant& operator=(const OnFailedInvariant&) = delete;

 private:
  friend struct FailedInvariantNotes;
  From from_;
  Note note_;
  std::thread::id thread_ = std::this_thread::get_id();
};

}  // namespace tracebed
