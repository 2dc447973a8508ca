// A proportional-integral-derivative controller, the plain reference beside the published ones: it
// keeps the part of the memory that is in use at a target by the share of masters.
//
// In the velocity form (Åström and Hägglund, PID Controllers, 1995, section 3.5), whose output is
// the change of the share, so that a share at its bound integrates nothing:
//   Δ = kp × (e − e₁) + ki × e × T + kd × (e − 2 e₁ + e₂) / T
// with e = target − used / total now, e₁ and e₂ one and two steps before, and T the period in
// seconds. It acts while jobs are pending, since without any a larger share could not be used; when
// some are pending again it begins as at first, with e₁ = e₂ = e.
#pragma once

#include "controllers/controller_entry.h"

namespace tracebed {

ControllerEntry pid_entry();

}  // namespace tracebed
