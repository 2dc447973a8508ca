// How the engine has its scheduler take another configuration.
#include "coordinator/engine/engine.h"
#include "coordinator/engine/engine_state.h"
#include "core/check.h"

namespace tracebed {

void Engine::take_refreshes(const Round& round) {
  for (const SchedulerConfiguration& configuration : round.configurations) {
    EngineRefresh refresh{.at = now_, .refusal = {}};
    if (const Status status = reconfigure(configuration); !status) {
      refresh.refusal = status.error().message;
    } else {
      std::vector<ApplicationId> open;
      applications_.for_each([&](ApplicationId id, const ApplicationState& state) {
        if (state.answer == Answer::accepted) open.push_back(id);
      });
      for (const ApplicationId id : open) note_leaf(id);
      // So that it looks at what the change allows.
      events_.push_back(Tick{});
    }
    constexpr std::uint64_t digest_mark = 8;  // beside the marks of decisions (commit.cpp)
    digest_.add(digest_mark);
    digest_.add(now_);
    digest_.add(std::uint64_t{refresh.refusal.empty()});
    refreshes_.push_back(std::move(refresh));
  }
}

void Engine::note_leaf(ApplicationId id) {
  const std::string_view path = scheduler_->leaf_of(id);
  if (path.empty()) return;
  const std::size_t known = leaves_.size();
  const LeafId leaf = leaves_.intern(path);
  if (leaves_.size() > known) records_.leaf_named(leaf, leaves_.name(leaf));
  ledger_.model().applications[id].leaf = leaf;
}

Status Engine::reconfigure(const SchedulerConfiguration& configuration) {
  if (!read_configuration_) return Error{"this run takes no other configuration"};
  const Result<SchedulerParameters> parameters = read_configuration_(configuration);
  if (!parameters) return parameters.error();
  return scheduler_->reconfigure(*parameters, ledger_.model());
}

}  // namespace tracebed
