// What an administrator or a test asks of the mock HDFS of the run in progress. Clients that read
// and write use HDFS's own protocols; this one shows where replicas are, whatever their state, and
// gives orders to datanodes. Names are those of Hadoop's hadoopfs.thrift and of its LocatedBlock
// and DatanodeInfo. Framed transport, binary protocol; no frame has more than 1.1 MiB, in either
// direction.
namespace cpp tracebed.storage
namespace py tracebed.storage

enum AdminState {
  NORMAL = 1,
  DECOMMISSION_IN_PROGRESS = 2,
  DECOMMISSIONED = 3,
}

// By the last heartbeat.
enum Liveness {
  LIVE = 1,
  STALE = 2,
  DEAD = 3,
}

struct DatanodeInfo {
  1: string name                 // ADDRESS:PORT of data transfers, which other calls take
  2: string host_name
  3: i32 info_port               // WebHDFS
  4: string network_location     // its rack: "/default-rack"
  5: AdminState admin_state
  6: Liveness liveness
  7: i64 capacity                // bytes, as are the next two
  8: i64 dfs_used
  9: i64 remaining
  10: i32 xceiver_count          // transfers at its last heartbeat
  11: i64 blocks                 // of which it has a good or corrupt replica
  12: i64 last_update            // milliseconds since 1970: its last heartbeat
}

struct Block {
  1: i64 block_id
  2: i64 generation_stamp
  3: i64 num_bytes
}

enum ReplicaState {
  FINALIZED = 1,
  CORRUPT = 2,
  BEING_WRITTEN = 3,
  WAITING_TO_BE_RECOVERED = 4,
}

struct Replica {
  1: string name                 // of its datanode
  2: string network_location
  3: ReplicaState state
}

struct LocatedBlock {
  1: Block block
  2: i64 offset                  // of its first byte in the file
  3: bool is_complete
  4: list<Replica> replicas
}

struct DatanodeRates {
  1: optional i64 disk_bytes_per_second     // absent: unlimited
  2: optional i64 network_bytes_per_second  // absent: unlimited
  3: i64 seek_microseconds                  // for each open and each jump
}

enum SafeModeAction {
  LEAVE = 1,
  ENTER = 2,
  GET = 3,
}

// As Hadoop's clients know it: "java.io.FileNotFoundException". RetriableException: no run with
// storage is in progress, or it ended meanwhile.
exception StorageException {
  1: string exception_class
  2: string message
}
// This coordinator requires its token on every connection first.
exception NotAuthorised {
  1: string message
}

service Storage {
  // If the coordinator has a token, the first call of every connection; all others are refused
  // until then. If it has none, any token is accepted.
  void authenticate(1: string token) throws (1: NotAuthorised refused)

  // The blocks of a file from the first that has a byte at or after `offset`, at most 1000, and
  // fewer if they have many replicas: for more, call again with the end of the last.
  list<LocatedBlock> list_blocks(1: string path, 2: i64 offset) throws (1: StorageException failure)
  // Those that registered, at most 1000, after the one of that name.
  list<DatanodeInfo> list_datanodes(1: string after) throws (1: StorageException failure)

  // Datanodes are named as in DatanodeInfo; where only one has that address, its port may be left
  // out. These return when the datanode has executed the order.
  void set_rates(1: string datanode, 2: DatanodeRates rates)
      throws (1: StorageException failure)
  // Inverts stored bytes of a finalized replica, and leaves their checksums as they are; called
  // twice, the replica is good again. The namenode learns of it when somebody reads the replica.
  void corrupt_replica(1: string datanode, 2: i64 block_id, 3: i64 offset, 4: i64 bytes)
      throws (1: StorageException failure)
  // Its process ends, and is not started again in this run.
  void stop_datanode(1: string datanode) throws (1: StorageException failure)

  // It gets no further replicas, and those that it has are copied; then it is decommissioned.
  void decommission(1: string datanode) throws (1: StorageException failure)
  void recommission(1: string datanode) throws (1: StorageException failure)
  // Whether safe mode is on after it.
  bool set_safe_mode(1: SafeModeAction action) throws (1: StorageException failure)
}
