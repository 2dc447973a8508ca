# The HDFS of a run on a deployed cluster (cluster_bed.sh), with the clients that people have on its
# hosts: Debian's `hdfs` and curl. To be sourced after that.
#
#   storage_open RATE        submits an experiment without jobs, and returns when it has all
#                            datanodes, which send so many bytes a second
#   hdfs_on N ARGUMENTS      runs hdfs on nodeN
#   hosts_share_files        what one host writes others read
#   storage_close            cancels it, and sees that no host keeps a replica, nor outputs of tasks
readonly storage_namenode=10.77.0.11:8020
readonly storage_web=http://10.77.0.11:9870/webhdfs/v1

storage_open() {
  on_coordinator 'cat >/run/storage.toml' <<EXPERIMENT
name = "storage"
world = "cluster"
[storage]
replication = 2
shuffle = true
block_size = "1 MiB"
network_rate = "$1"
[storage.namenode]
safemode = false
[agents]
count = 3
EXPERIMENT
  run=$(on_coordinator tracebed submit --json /run/storage.toml | field run)
  await 60 "the datanodes of run $run" has_datanodes node2 node3 node4
}
has_datanodes() {
  on_coordinator tracebed storage report --json --namenode "$storage_namenode" 2>/dev/null |
    python3 -c '
import json, sys
report = json.loads(sys.stdin.read() or "{\"datanodes\": []}")
names = {datanode["host"] for datanode in report["datanodes"] if datanode["is_live"]}
sys.exit(0 if names == set(sys.argv[1:]) else 1)' "$@"
}

# It waits for ever for a datanode that hangs.
hdfs_on() {
  local node=$1
  shift
  bed_on "$node" "HADOOP_NAMENODE=$storage_namenode HADOOP_USER_NAME=ann timeout 60 hdfs $*"
}

# same WHAT EXPECTED ACTUAL
same() { [[ -n $2 && $2 == "$3" ]] || failed "$1: expected $2, got $3"; }

# A file of five blocks, the last of which ends in the middle of a chunk.
hosts_share_files() {
  local written checksum web
  bed_on 2 'head -c 4500123 /dev/urandom >/var/tmp/part'
  written=$(bed_on 2 sha256sum /var/tmp/part | cut -d' ' -f1)
  hdfs_on 2 put /var/tmp/part /part
  same "node3 reads what node2 wrote" "$written" \
    "$(hdfs_on 3 cat /part | sha256sum | cut -d' ' -f1)"
  checksum=$(hdfs_on 2 checksum /part)
  same "its checksum on node4" "$checksum" "$(hdfs_on 4 checksum /part)"
  web=$(bed_on 4 "curl -fsSL '$storage_web/part?op=OPEN'" | sha256sum | cut -d' ' -f1)
  same "node4 reads it over WebHDFS" "$written" "$web"
  # Its bytes are those of a chunk, of chunks in a block, and the digest.
  web=$(bed_on 4 "curl -fsSL '$storage_web/part?op=GETFILECHECKSUM'" | field FileChecksum bytes)
  same "its checksum over WebHDFS" "${checksum%%[[:space:]]*}" "${web:24:32}"

  bed_on 4 'head -c 1500077 /dev/urandom >/var/tmp/other'
  written=$(bed_on 4 sha256sum /var/tmp/other | cut -d' ' -f1)
  bed_on 4 "curl -fsSL -T /var/tmp/other '$storage_web/other?op=CREATE&user.name=ann'" >/dev/null
  same "node2 reads what node4 wrote over WebHDFS" "$written" \
    "$(hdfs_on 2 cat /other | sha256sum | cut -d' ' -f1)"
  bed_on 2 rm /var/tmp/part
  bed_on 4 rm /var/tmp/other
}

storage_close() {
  local node
  on_coordinator tracebed cancel "$run" >/dev/null
  await 60 "the end of run $run" has_ended
  same "the state of run $run" cancelled "$(status_of "$run" | field state)"
  for node in 2 3 4; do
    await 15 "node$node to keep nothing of the run" bed_on "$node" 'cd /var/lib
      [ -z "$(ls -d tracebed-datanode/BP-* tracebed-shuffle/run-* 2>/dev/null)" ]'
  done
}
