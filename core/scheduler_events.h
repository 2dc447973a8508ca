// What a scheduler is told: the six events of the YARN analysis (section 3) and those that other
// families need. An event names what changed; the details stand in the ClusterModel that comes with
// it.
#pragma once

#include <cstdint>
#include <variant>

#include "core/ids.h"
#include "core/outcomes.h"
#include "core/resources.h"
#include "core/time.h"

namespace tracebed {

// One that was being drained may come back with containers on it.
struct NodeAdded {
  NodeId node;
};
// The node takes no new containers. If its machine left, its containers were reported finished
// just before; if it is being drained (Node::is_present), those that it has go on until their end.
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
// The application is out of the model already, as are its asks. Containers of it that are being
// killed stay, and keep their room on the node, until their end is reported.
struct ApplicationRemoved {
  ApplicationId application;
};

// The ask is new, or its counts changed for another reason than an allocation of this scheduler.
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
  AskId ask;  // may be gone
  NodeId node;
  Resources resources;
  ContainerEnd end;
};

// A container that the scheduler did not allocate, but has to count as if it had: it was running
// when the run began to be told (YARN: recovered). The model has it; its ask wants no less for it.
struct ContainerRecovered {
  ContainerId container;
  ApplicationId application;
  AskId ask;
  NodeId node;
  Resources resources;
};

// A container that the scheduler wants back is not marked for preemption any more, since as much
// was given back in its stead.
struct PreemptionSettled {
  ContainerId container;
  ApplicationId application;
};
// The deadline of a container that the scheduler wants back has come. It is killed after this call
// unless the scheduler withdraws, for which it should look at the cluster as it is now.
struct PreemptionDue {
  ContainerId container;
  ApplicationId application;
};

struct Tick {};  // a wake-up that the scheduler asked for (WakeAt)

// A decision of the previous call did not commit; nothing of it took effect.
struct Refused {
  RefusalReason reason;
  AskId ask;                  // of an allocation
  ApplicationId application;  // of an acceptance or rejection
  ContainerId container;      // of a kill, a preemption or its withdrawal
  NodeId node;                // where it was to be; of a gang, the piece that failed
};

using SchedulerEvent =
    std::variant<NodeAdded, NodeRemoved, NodeUpdated, ApplicationAdded, ApplicationRemoved,
                 AskChanged, AskRemoved, ContainerFinished, ContainerRecovered, PreemptionSettled,
                 PreemptionDue, Tick, Refused>;

}  // namespace tracebed
