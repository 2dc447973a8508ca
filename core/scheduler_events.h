// The events that a scheduler is notified of: the six of the YARN analysis (section 3) and those
// that other families need. An event names what changed; the details are in the ClusterModel passed
// with it.
#pragma once

#include <cstdint>
#include <variant>

#include "core/ids.h"
#include "core/outcomes.h"
#include "core/resources.h"
#include "core/time.h"

namespace tracebed {

// A node that was being drained may come back with containers on it.
struct NodeAdded {
  NodeId node;
};
// The node takes no new containers. If its machine left, its containers were reported finished just
// before; if it is being drained (Node::is_present), those that it has run on until they end.
struct NodeRemoved {
  NodeId node;
};
struct NodeUpdated {
  NodeId node;
};  // a heartbeat; where YARN's schedulers allocate

// To be answered with Accept or Reject, at once or later.
struct ApplicationAdded {
  ApplicationId application;
};
// The application and its asks are already removed from the model. Its containers that are being
// killed stay, and occupy the node, until their end is reported.
struct ApplicationRemoved {
  ApplicationId application;
};

// The ask is new, or its counts changed other than by an allocation of this scheduler.
struct AskChanged {
  AskId ask;
};
struct AskRemoved {
  AskId ask;
  ApplicationId application;
};

struct ContainerFinished {
  ContainerId container;
  ApplicationId application;
  AskId ask;  // may be closed
  NodeId node;
  Resources resources;
  ContainerEnd end;
};

// A container that the scheduler did not allocate, but has to count as if it had: it was running
// before the run began (YARN: recovered). The model has it; its ask's pending units do not include
// it.
struct ContainerRecovered {
  ContainerId container;
  ApplicationId application;
  AskId ask;
  NodeId node;
  Resources resources;
};

// A container that the scheduler had marked for preemption is no longer marked, since the master
// released as much elsewhere.
struct PreemptionSettled {
  ContainerId container;
  ApplicationId application;
};
// A container that the scheduler marked for preemption has reached its deadline. It is killed after
// this call unless the scheduler withdraws the request, which it should decide by the cluster as it
// is now.
struct PreemptionDue {
  ContainerId container;
  ApplicationId application;
};

struct Tick {};  // a wake-up that the scheduler asked for (WakeAt)

// What the scheduler left to a thread (DecisionThreads::begin) is decided. Also an arrival of the
// fleet; one that nobody waits for is ignored.
struct DecisionMade {
  std::uint32_t scheduler = 0;
  std::uint64_t decision = 0;
};

// A decision of the previous call did not commit; nothing of it took effect.
struct Refused {
  RefusalReason reason;
  AskId ask;                  // of an allocation
  ApplicationId application;  // of an acceptance or rejection
  ContainerId container;      // of a kill, a preemption or its withdrawal
  NodeId node;                // the intended one; of a gang, that of the piece that failed
};

using SchedulerEvent =
    std::variant<NodeAdded, NodeRemoved, NodeUpdated, ApplicationAdded, ApplicationRemoved,
                 AskChanged, AskRemoved, ContainerFinished, ContainerRecovered, PreemptionSettled,
                 PreemptionDue, Tick, DecisionMade, Refused>;

}  // namespace tracebed
