#include "coordinator/storage/namenode_state.h"

namespace tracebed {

NamenodeState::NamenodeState(const NamenodeOptions& given, TraceTime now)
    : options(given),
      tree(owners.intern(given.superuser), groups.intern(given.supergroup), now),
      datanodes(given.intervals, now),
      placement(make_replica_placement(given.placement_policy).value()),
      manager(blocks, datanodes, topology, *placement, given.placement, given.redundancy,
              given.seed),
      constructions(datanodes),
      leases(given.leases),
      safe_mode(given.safe_mode),
      retries(given.limits.retries_max, given.retry_expiry),
      placement_random(Random::stream(given.seed, "block placement")) {
  manager.set_reviewing(!safe_mode.is_at_startup(), now);
}

SafeMode::Progress NamenodeState::safe_progress() const {
  return {safe_blocks, live_blocks, datanodes.live()};
}

}  // namespace tracebed
