// What a hostile process in a container tries; tests/agents/programs/hostile.cpp does it, and is
// told which as the CPU time of its work, since a launcher passes nothing else on.
#pragma once

#include <array>

namespace tracebed {

enum class Attack {
  none,  // waits to be killed: the victim
  end_at_once,
  // On what its launcher gave it; these go on until they are killed.
  shut_streams_down,
  change_stream_flags,
  flood,
  send_huge_packets,
  pass_descriptors,
  close_all,
  fork_bomb,
  orphans,  // processes that die at once, one after the other, and leave their end to the launcher
  // On others; these end with 0 if all of it was refused, and with what they could do if not.
  kill_all,
  kill_each,
  trace,
  read_memory,
  change_priorities,
  become_another,
  leave_cgroup,
  leave_objects,
  make_namespaces,
  use_rare_calls,
  open_rare_sockets,
  // Progress that is not its own to tell, when it is asked for that; these end with 3.
  tell_unasked,
  tell_of_another,
  tell_that_all_is_done,
  tell_something_else,
  tell_twice,
  tell_at_length,
};
inline constexpr int attacks = static_cast<int>(Attack::tell_at_length) + 1;

inline constexpr bool should_continue(Attack attack) {
  return attack >= Attack::shut_streams_down && attack <= Attack::orphans;
}
inline constexpr bool is_on_others(Attack attack) {
  return attack >= Attack::kill_all && attack <= Attack::open_rare_sockets;
}
inline constexpr bool is_lie(Attack attack) {
  return attack >= Attack::tell_unasked;
}

inline constexpr std::array<const char*, attacks> attack_names = {"none",
                                                                  "end_at_once",
                                                                  "shut_streams_down",
                                                                  "change_stream_flags",
                                                                  "flood",
                                                                  "send_huge_packets",
                                                                  "pass_descriptors",
                                                                  "close_all",
                                                                  "fork_bomb",
                                                                  "orphans",
                                                                  "kill_all",
                                                                  "kill_each",
                                                                  "trace",
                                                                  "read_memory",
                                                                  "change_priorities",
                                                                  "become_another",
                                                                  "leave_cgroup",
                                                                  "leave_objects",
                                                                  "make_namespaces",
                                                                  "use_rare_calls",
                                                                  "open_rare_sockets",
                                                                  "tell_unasked",
                                                                  "tell_of_another",
                                                                  "tell_that_all_is_done",
                                                                  "tell_something_else",
                                                                  "tell_twice",
                                                                  "tell_at_length"};

}  // namespace tracebed
