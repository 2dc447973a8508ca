#include "schedulers/yarn/capacity/application_lifetimes.h"

#include "schedulers/yarn/capacity/capacity_configuration.h"

namespace tracebed {
namespace {

// yarn.resourcemanager.application-timeouts.monitor.interval-ms
constexpr Duration check_interval = seconds(3);

// The first look after the end of the lifetime.
TraceTime check_after(TraceTime end) {
  return TraceTime((end.time_since_epoch() / check_interval + 1) * check_interval);
}

}  // namespace

TraceTime ApplicationLifetimes::end_of_life(const CapacityQueue& leaf, TraceTime submitted) {
  const std::int64_t lifetime = leaf.default_application_lifetime_s > 0
                                    ? leaf.default_application_lifetime_s
                                    : leaf.maximum_application_lifetime_s;
  return lifetime > 0 ? submitted + seconds(lifetime) : never;
}

void ApplicationLifetimes::add(const RunningApplication& application) {
  if (application.end_of_life == never) return;
  checks_.emplace(check_after(application.end_of_life), application.id);
}

void ApplicationLifetimes::remove(const RunningApplication& application) {
  if (application.end_of_life == never) return;
  checks_.erase({check_after(application.end_of_life), application.id});
}

void ApplicationLifetimes::watch(TraceTime now, Decisions& decisions) {
  while (!checks_.empty() && checks_.begin()->first <= now) {
    decisions.end_application(checks_.begin()->second,
                              "it has lived longer than its queue lets applications live");
    checks_.erase(checks_.begin());
  }
}

}  // namespace tracebed
