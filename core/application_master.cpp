#include "core/application_master.h"

#include "core/check.h"

namespace tracebed {

void ApplicationMaster::gang_granted(TraceTime now, const GangGrant& grant,
                                     MasterActions& actions) {
  for (std::size_t i = 0; i < grant.pieces.size(); ++i) {
    const GangPiece& piece = grant.pieces[i];
    granted(now,
            Grant{grant.first + i, grant.slot, piece.node, RackId(), piece.units,
                  grant.unit * piece.units},
            actions);
  }
}

void ApplicationMaster::gang_ended(TraceTime, const GangEnd&, MasterActions&) {
  TRACEBED_CHECK(false, "only a master that launches gangs at once is notified of a gang's end");
}

}  // namespace tracebed
