#!/usr/bin/env bash
# absences.sh KIND IMAGE PACKAGE RESULTS [THING…]: docs/operating.md taken at its word. On a bed of
# four hosts (cluster_bed.sh) each thing that runs need is taken away for 2, 30 and 90 s, once while
# one run is in progress and another waits, and once while none is; each time something is submitted
# while it is away, and once more when it is back. Each line of output is a submission, with what
# became of it and why; it fails where that is not what the page promises, where a finished run does
# not account for every task, and where a host still holds something of a run.
set -euo pipefail
readonly bed_kind=$1 bed_image=$2 package=$3 results=$4
readonly cluster_vcores=4
shift 4
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/beds/cluster_bed.sh
. tests/beds/cluster_bed.sh
# shellcheck source=tests/beds/fault_run.sh
. tests/beds/fault_run.sh

readonly all_things=(redis coordinator_disk agents coordinator)
things=("$@")
((${#things[@]})) || things=("${all_things[@]}")
readonly durations=(2 30 90)

# ---- what is taken away, and given back ----

remove_redis() { on_coordinator systemctl stop redis-server; }
restore_redis() { on_coordinator systemctl start redis-server; }

remove_coordinator_disk() {
  on_coordinator 'dd if=/dev/zero of=/fill bs=1M status=none 2>/dev/null || true'
}
restore_coordinator_disk() { on_coordinator rm /fill; }

# Killed, so that nothing is said; stopped, so that systemd does not start it at once.
kill_and_stop() { echo "systemctl kill --signal=KILL $1; systemctl stop $1"; }
remove_agents() {
  local node
  for node in 2 3 4; do bed_on "$node" "$(kill_and_stop tracebed-agent)"; done
}
restore_agents() {
  local node
  for node in 2 3 4; do bed_on "$node" systemctl start tracebed-agent; done
}

remove_coordinator() { on_coordinator "$(kill_and_stop tracebed-coordinator)"; }
restore_coordinator() { on_coordinator systemctl start tracebed-coordinator; }

# ---- submissions ----

# Of those of this absence: where each was made, and its number or what the refusal says.
declare -A number_of=() refusal_of=()

# submit WHEN JOBS SECONDS: `number_of` or `refusal_of` has what was answered.
submit() {
  local when=$1 answer
  if answer=$(make_experiment 3 | sed "s/fault\.tr/$2x$3.tr/" |
    on_coordinator "cat >/run/$2x$3.toml; tracebed submit --json /run/$2x$3.toml" 2>&1); then
    number_of[$when]=$(field run <<<"$answer")
  else
    refusal_of[$when]=$answer
  fi
}

# expected THING SECONDS WHEN: what docs/operating.md says becomes of it, as STATE[/WORDS of its
# message]. A submission that is not acknowledged is `refused`.
expected() {
  case $1/$3/$2 in
    # A run waits up to a minute for its Redis, and the queue as long as it takes.
    redis/running/90) echo "failed/Redis" ;;
    # The current run fails; the next wait until there is space; what comes is refused.
    coordinator_disk/running/*) echo "failed/No space left" ;;
    coordinator_disk/while_away*) echo "refused/disk" ;;
    # It is given its time-out to find its agents, of a minute.
    agents/while_away_idle/90) echo "failed/node2" ;;
    coordinator/running/*) echo "failed/its coordinator ended while it ran" ;;
    coordinator/while_away*) echo "refused/coordinator" ;;
    *) echo "finished" ;;
  esac
}

have_all_ended() {
  local run
  for run in "${number_of[@]}"; do has_ended || return 1; done
}

wrong=0
# account THING SECONDS WHEN JOBS: the line of one submission.
account() {
  local thing=$1 seconds=$2 when=$3 job_count=$4
  local state message verdict=ok expectation words run folder
  folder=$results/$thing-$seconds-$when
  mkdir -p "$folder"
  if [[ -n ${number_of[$when]:-} ]]; then
    run=${number_of[$when]}
    status_of "$run" >"$folder/status.json"
    state=$(field state <"$folder/status.json")
    message=$(field message <"$folder/status.json")
  else
    run=- state=refused message=${refusal_of[$when]}
  fi
  expectation=$(expected "$thing" "$seconds" "$when")
  words=${expectation#"${expectation%%/*}"}
  [[ $state == "${expectation%%/*}" && $message == *"${words#/}"* ]] ||
    verdict="WRONG: expected $expectation"
  if [[ $state == finished ]]; then
    on_coordinator "tar -C /var/lib/tracebed/runs/$run -c ." | tar -C "$folder" -x
    accounts 'node_lost?' >"$folder/accounts.txt"
  fi
  [[ $verdict == ok ]] || wrong=$((wrong + 1))
  printf '  %-16s %2d s  %-16s run %-4s %-9s %s  [%s]\n' "$thing" "$seconds" "$when" "$run" \
    "$state" "${message%%$'\n'*}" "$verdict"
}

# absence THING SECONDS: both of them.
absence() {
  local thing=$1 seconds=$2 when
  number_of=() refusal_of=()
  submit running 6 4
  run=${number_of[running]:?"the run is taken"}
  submit waiting 2 2
  await 60 "containers in run $run" has_containers 18
  "remove_$thing"
  submit while_away 2 2
  sleep "$seconds"
  "restore_$thing"
  await 60 "the coordinator's answer" coordinator_answers
  submit afterwards 2 2
  await 300 "the end of all that were taken" have_all_ended
  await_agents node2 node3 node4
  "remove_$thing"
  submit while_away_idle 2 2
  sleep "$seconds"
  "restore_$thing"
  await 60 "the coordinator's answer" coordinator_answers
  submit afterwards_idle 2 2
  await 300 "the end of all that were taken" have_all_ended
  await_agents node2 node3 node4
  account "$thing" "$seconds" running 6
  for when in waiting while_away afterwards while_away_idle afterwards_idle; do
    account "$thing" "$seconds" "$when" 2
  done
  for run in "${number_of[@]}"; do
    on_coordinator tracebed list | grep -qE "^ *$run " || failed "run $run is in the list"
  done
  are_hosts_empty
}

cluster_open
readonly begun_at=$SECONDS
playbook site
passed "four hosts are up and deployed"
agents_up=(2 3 4)
await_agents node2 node3 node4
for shape in "6 4" "2 2"; do
  job_count=${shape% *}
  make_trace "${shape#* }" |
    on_coordinator "cat >/var/lib/tracebed/traces/${shape% *}x${shape#* }.tr"
done
for thing in "${things[@]}"; do
  for seconds in "${durations[@]}"; do
    absence "$thing" "$seconds"
    passed "${thing//_/ } away for $seconds s"
  done
done
((wrong == 0)) || failed "$wrong submissions did not end as docs/operating.md says"
passed "all absences: $((SECONDS - begun_at)) s"
