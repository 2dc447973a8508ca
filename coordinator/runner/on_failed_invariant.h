// Records in a run's folder that an invariant failed. The program exits at once then
// (core/check.h), so the owner of a record that would remain incomplete registers here in the
// meantime.
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
  // `note` receives a sentence and returns what to add on standard error, or nothing. Its
  // exceptions are ignored; an invariant that fails within it ends it. The latest registered is
  // called first.
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
