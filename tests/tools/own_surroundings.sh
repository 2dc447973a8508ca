# What the tests of one run start and make, told apart from all else on the machine, where other
# runs may go on. Sourced by run_all.sh.
#   enter_surroundings   gives this shell, and what it starts, a folder for temporary files and,
#                        where it may make them, cgroups of its own (version 1)
#   left_behind          prints, a line each, what they left: processes, cgroups, files, mounts
#   leave_surroundings   ends the processes and removes the rest, so that a run that is interrupted
#                        leaves nothing, either
# Agents make their cgroups below their own (agents/cgroups/open_tree.h), so all that the tests make
# is below these, and a process cannot leave them without root's help. Without them processes are
# known by the variable TRACEBED_TEST_RUN, which containers do not inherit, and cgroups that came
# meanwhile count as this run's.

surroundings_name=tracebed_test_run.$$
surroundings_cgroups=()
surroundings_before=

enter_surroundings() {
  export TRACEBED_TEST_RUN=$$
  TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/run.XXXXXX") || return
  chmod 1777 "$TMPDIR"  # as /tmp is: some tests are other users for a while
  export TMPDIR
  local controller root own parent
  for controller in cpu cpuacct memory pids freezer; do
    root=/sys/fs/cgroup/$controller
    own=$(sed -nE "s/^[0-9]+:([^:]*,)?$controller(,[^:]*)?:(.*)/\3/p" /proc/self/cgroup)
    parent=$root${own%/}
    [[ -n $own && -w $parent/cgroup.procs ]] || continue
    [[ ! -d $parent/$surroundings_name ]] || continue  # in one hierarchy with the one before
    mkdir "$parent/$surroundings_name" 2>/dev/null || continue
    # As a group it would get the share of one process beside others.
    [[ $controller != cpu ]] || echo 16384 >"$parent/$surroundings_name/cpu.shares"
    echo $$ >"$parent/$surroundings_name/cgroup.procs"
    surroundings_cgroups+=("$parent/$surroundings_name")
  done
  surroundings_before=$(cgroups_of_tracebed)
}

cgroups_of_tracebed() {
  find /sys/fs/cgroup -type d -name 'tracebed*' ! -path "*/$surroundings_name*" 2>/dev/null | sort
}

# All processes in the surroundings. Without cgroups this shell is not among them, as the variable
# was not there when it began.
processes_inside() {
  if ((${#surroundings_cgroups[@]})); then
    find "${surroundings_cgroups[@]}" -name cgroup.procs -exec cat {} + 2>/dev/null | sort -un
  else
    grep -lsz "^TRACEBED_TEST_RUN=$$\$" /proc/[0-9]*/environ | sed -E 's,/proc/([0-9]+)/.*,\1,'
  fi
}
# Those that the run started, without this shell and what prints this.
processes_left() {
  processes_inside | while read -r pid; do
    [[ ! -d /proc/$pid ]] || is_ours "$pid" || printf '%s\n' "$pid"
  done
}
# This shell, its subshells and what they run.
is_ours() {
  local pid=$1
  while ((pid > 1)); do
    ((pid != $$)) || return 0
    pid=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$pid/status" 2>/dev/null)
    pid=${pid:-0}
  done
  return 1
}

left_behind() {
  local pid
  for pid in $(processes_left); do
    printf 'process %s %s\n' "$pid" "$(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null)"
  done
  if ((${#surroundings_cgroups[@]})); then
    find "${surroundings_cgroups[@]}" -mindepth 1 -type d -printf 'cgroup %p\n'
  else
    comm -13 <(printf '%s\n' "$surroundings_before") <(cgroups_of_tracebed) | sed 's/^/cgroup /'
  fi
  find "$TMPDIR" -mindepth 1 -maxdepth 1 -printf 'file %p\n'
  awk -v temporary="$TMPDIR/" -v tree="$PWD/" \
    'index($2, temporary) == 1 || index($2, tree) == 1 { print "mount", $2 }' /proc/mounts
}

# This shell goes out of its surroundings; all that is inside then, its own children included, is
# asked to end, as daemons remove what they made. After five seconds it has no say.
end_processes() {
  local own pids try
  for own in "${surroundings_cgroups[@]}"; do echo $$ >"${own%/*}/cgroup.procs"; done
  export -n TRACEBED_TEST_RUN
  for try in {1..100}; do
    mapfile -t pids < <(processes_inside)
    ((${#pids[@]})) || return 0
    if ((try == 1)); then
      kill -TERM "${pids[@]}" 2>/dev/null
    elif ((try > 50)); then
      kill -KILL "${pids[@]}" 2>/dev/null
    fi
    sleep 0.1
  done
}

leave_surroundings() {
  local own
  end_processes
  for own in "${surroundings_cgroups[@]}"; do
    find "$own" -depth -type d -exec rmdir {} \; 2>/dev/null
  done
  rm -rf --one-file-system "$TMPDIR"
}
