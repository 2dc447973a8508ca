#include "agents/datanode/service/datanode_peer.h"

namespace tracebed {

pb::DatanodeInfo datanode_info(const DatanodePeer& peer) {
  pb::DatanodeInfo info;
  pb::DatanodeId& id = *info.mutable_id();
  id.set_ip_addr(peer.address);
  id.set_host_name(peer.name);
  id.set_datanode_uuid(peer.place().to_string());
  id.set_xfer_port(peer.transfer_port);
  id.set_info_port(0);
  id.set_ipc_port(peer.transfer_port);
  info.set_location(peer.rack);
  return info;
}

}  // namespace tracebed
