// Executes administrators' commands: to move a container, to take a node out of service and to
// return it to service. Containers are marked for preemption on the administrator's terms, which
// take precedence over the scheduler's.
#pragma once

#include "coordinator/engine/asks.h"
#include "coordinator/engine/containers.h"
#include "coordinator/engine/ledger.h"
#include "coordinator/engine/preemptions.h"
#include "coordinator/engine/step_context.h"
#include "core/fleet.h"

namespace tracebed {

class Administration {
 public:
  // All outlive this.
  Administration(Ledger& ledger, Asks& asks, Containers& containers, Preemptions& preemptions,
                 StepContext& context)
      : ledger_(ledger),
        asks_(asks),
        containers_(containers),
        preemptions_(preemptions),
        context_(context) {}

  void execute(const AdministratorCommand& command);

 private:
  void move(ContainerId id, NodeId destination, TraceTime deadline);
  void drain(NodeId node, TraceTime deadline);
  void undrain(NodeId node);

  Ledger& ledger_;
  Asks& asks_;
  Containers& containers_;
  Preemptions& preemptions_;
  StepContext& context_;
};

}  // namespace tracebed
