// The controller of a scheduler: detect()ed, checked and completed; and the scheduler with what its
// controller wants, which is the executor of such a loop.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "controllers/controller_entry.h"
#include "coordinator/config/experiment.h"
#include "coordinator/engine/control_loop.h"
#include "coordinator/resolving/given_settings.h"
#include "coordinator/resolving/resolved_scheduler.h"
#include "core/controller.h"
#include "core/resources.h"
#include "core/result.h"

namespace tracebed {

struct ResolvedController {
  const ControllerEntry* entry = nullptr;  // never null once resolved
  std::vector<Setting> settings;           // all that the entry describes, in its order
  ControlLoopOptions loop;
  std::int64_t share = 0;  // that the scheduler's file has for the queue when the run begins
  std::string parameter;   // as the file has it
  std::vector<std::string> remarks = {};  // what scaling changes: a sentence each
};

// Which parameter the scheduler's file has, and for which queue, follows from the scheduler (the
// paper's detect()). Throws InputError, which begins with the place of what is wrong: an unknown
// controller, a setting, a scheduler without such a parameter or without a file, a queue that is
// not there.
ResolvedController resolve_controller(const ControllerChoice& choice,
                                      const ResolvedScheduler& scheduler, const ScaleChoice& scale,
                                      const ResourceDimensions& dimensions);

std::unique_ptr<Controller> make_controller(const ResolvedController& controller);

// The scheduler with another share for this queue in its file, whose text is rewritten. Fails with
// a sentence where the file, which may have been exchanged since, does not have the queue.
Result<ResolvedScheduler> with_master_share(ResolvedScheduler scheduler, const std::string& queue,
                                            std::int64_t share,
                                            const ResourceDimensions& dimensions);

// As a run record has it, among the scheduler's settings: "controller" and those below it. The
// second removes them.
NamedTexts to_record(const ResolvedController& controller);
NamedTexts without_controller(NamedTexts recorded);

}  // namespace tracebed
