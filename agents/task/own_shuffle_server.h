// The shuffle server of the task's machine, for what the task keeps there. A server that ends is
// followed by another one (agents/shuffle_link/shuffle_server_child.h), perhaps at another port,
// which has what was committed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "agents/task/stop_order.h"
#include "agents/task/work_spec.h"
#include "core/result.h"
#include "hdfs_client/rpc_channel.h"
#include "shuffle_client/shuffle_failure.h"

namespace tracebed {

inline constexpr std::int64_t own_machine = 0;
// Where the shuffle server of the machine with that number, from 1, is, as the coordinator says.
// `interrupt`: see hdfs::ConnectionOptions. The error says that there is none.
Result<hdfs::Endpoint> find_shuffle_server(const InputSource& source, int interrupt,
                                           std::int64_t machine);

class OwnShuffleServer {
 public:
  using Step = std::function<shuffle::ClientStatus(const hdfs::Endpoint& server)>;
  enum class Outcome : std::uint8_t { done, stopped };

  // Both outlive it. Nothing is connected to before the first step.
  OwnShuffleServer(const InputSource& source, StopOrder& stop)
      : source_(source), stop_(stop), interrupt_(stop.open_descriptor()) {}

  // Takes the step, with where the server is; again, from then on with where it is by then, while
  // that may help (shuffle::may_help_to_retry), for up to shuffle_failing_max. `stopped` if the
  // task is ordered to stop meanwhile.
  Result<Outcome> perform(const Step& step);

  // Where it was last; none before the first step, and while it is looked for again.
  const std::optional<hdfs::Endpoint>& endpoint() const { return endpoint_; }
  // Readable once the task is ordered to stop (hdfs::ConnectionOptions).
  int interrupt() const { return interrupt_; }

 private:
  const InputSource& source_;
  StopOrder& stop_;
  const int interrupt_;
  std::optional<hdfs::Endpoint> endpoint_;
};

}  // namespace tracebed
