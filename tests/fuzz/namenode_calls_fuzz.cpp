// Calls of a client whose bytes are any, on their way from a connection to what a run executes: to
// a namenode that executes them at once. The first byte of an input selects the method.
#include <array>
#include <string>

#include "coordinator/namenode_server/namenode_methods.h"
#include "core/check.h"
#include "fuzz/fuzz_target.h"
#include "protocol/hdfs/delimited.h"
#include "protocol/hdfs/rpc_client.h"

namespace tracebed::fuzz {
namespace {

using namespace hdfs;

constexpr std::size_t methods = static_cast<std::size_t>(NamenodeMethod::set_times) + 1;
constexpr const char* pool = "BP-1";

// With a file, one that is being written, and a directory.
class CalledNamenode {
 public:
  CalledNamenode() {
    for (unsigned i = 0; i < 4; ++i) {
      namenode_.register_datanode(NodeId(i), RackId(i / 2), trace_time(0));
      namenode_.heartbeat(NodeId(i), {.capacity = 1'000'000, .remaining = 1'000'000},
                          trace_time(0));
      datanodes_.set(NodeId(i), {.name = "host", .address = "127.0.1.1", .rack = "/r"});
    }
    const auto placed = namenode_.preload(
        {.path = "/a/file", .size = 100, .block_size = 40, .nodes = {}}, trace_time(0));
    TRACEBED_CHECK(placed, "the file is made");
    const StorageCaller writer{.user = "u", .group = {}, .client = "c", .address = {}};
    namenode_.call({writer, CreateFile{.path = "/a/open", .block_size = 40}}, trace_time(0));
    namenode_.call({writer, AddBlock{.file = {"/a/open"}, .previous = {}, .excluded = {}}},
                   trace_time(0));
  }

  // What the client gets.
  std::string call(NamenodeMethod method, Bytes request) {
    const StorageGate::View view{namenode_.state(), datanodes_, pool_, trace_time(1), times_};
    const HdfsCallContext context(view, ids_, caller_);
    const RpcCall call{{1, 0, {}}, method_name(method), client_protocol, 1, request};
    std::string out;
    auto outcome = methods_.begin(method, context, call, {writer_, out});
    if (const auto* error = std::get_if<RpcError>(&outcome)) {
      writer_.failure(out, call.key, *error);
    } else if (auto* begun = std::get_if<NamenodeMethods::Begun>(&outcome)) {
      const StorageReply reply =
          namenode_.call({{.user = "u", .group = {}, .client = begun->change.client, .address = {}},
                          begun->change.operation},
                         trace_time(1));
      namenode_.check_invariants();
      if (const auto* failure = std::get_if<StorageFailure>(&reply)) {
        writer_.failure(out, call.key, hdfs_failure(*failure));
      } else {
        begun->finish(context, call.key, reply, {writer_, out});
      }
    }
    return out;
  }

 private:
  static NamenodeOptions options() {
    NamenodeOptions made;
    made.safe_mode.at_start = false;
    made.limits.block_size_min = 1;
    return made;
  }

  Namenode namenode_{options(), trace_time(0)};
  DatanodeDirectory datanodes_;
  const std::string pool_ = pool;
  const StorageTimes times_{[](TraceTime time) { return to_microseconds(time) / 1000; },
                            [](std::int64_t) { return trace_time(2); }};
  const HdfsCaller caller_{"u", "127.0.1.1"};
  DatanodeIds ids_;
  NamenodeMethods methods_;
  RpcReplyWriter writer_;
};

std::string seed(NamenodeMethod method, const google::protobuf::MessageLite& request) {
  return static_cast<char>(method) + request.SerializePartialAsString();
}

void name_block(pb::ExtendedBlock& block, std::uint64_t id) {
  block.set_pool_id(pool);
  block.set_block_id(id);
  block.set_generation_stamp(1001);
  block.set_num_bytes(20);
}

}  // namespace

std::vector<std::string> seeds() {
  using enum NamenodeMethod;
  std::vector<std::string> made;
  pb::GetFileInfoRequest path;  // the first field of most requests
  path.set_src("/a/file");
  for (std::size_t i = 0; i < methods; ++i) {
    made.push_back(seed(static_cast<NamenodeMethod>(i), path));
  }
  pb::GetBlockLocationsRequest locations;
  locations.set_src("/a/file");
  locations.set_offset(30);
  locations.set_length(20);
  made.push_back(seed(get_block_locations, locations));
  pb::GetListingRequest listing;
  listing.set_src("/a");
  listing.set_start_after("");
  listing.set_need_location(true);
  made.push_back(seed(get_listing, listing));
  pb::CreateRequest file;
  file.set_src("/a/new");
  file.mutable_masked()->set_perm(0644);
  file.set_client_name("c");
  file.set_create_flag(pb::CREATE_FLAG_CREATE | pb::CREATE_FLAG_OVERWRITE);
  file.set_create_parent(true);
  file.set_replication(3);
  file.set_block_size(40);
  made.push_back(seed(create, file));
  pb::AddBlockRequest block;
  block.set_src("/a/open");
  block.set_client_name("c");
  name_block(*block.mutable_previous(), 1073741828);
  block.add_flags(pb::ADD_BLOCK_NO_LOCAL_WRITE);
  made.push_back(seed(add_block, block));
  pb::UpdatePipelineRequest pipeline;
  pipeline.set_client_name("c");
  name_block(*pipeline.mutable_old_block(), 1073741828);
  name_block(*pipeline.mutable_new_block(), 1073741828);
  made.push_back(seed(update_pipeline, pipeline));
  pb::CompleteRequest completed;
  completed.set_src("/a/open");
  completed.set_client_name("c");
  name_block(*completed.mutable_last(), 1073741828);
  made.push_back(seed(complete, completed));
  pb::GetAdditionalDatanodeRequest additional;
  additional.set_src("/a/open");
  name_block(*additional.mutable_blk(), 1073741828);
  additional.set_num_additional_nodes(1);
  additional.set_client_name("c");
  made.push_back(seed(get_additional_datanode, additional));
  pb::MkdirsRequest directory;
  directory.set_src("/d/e");
  directory.mutable_masked()->set_perm(0755);
  directory.set_create_parent(true);
  made.push_back(seed(mkdirs, directory));
  pb::Rename2Request renamed;
  renamed.set_src("/a");
  renamed.set_dst("/b");
  renamed.set_overwrite_dest(true);
  made.push_back(seed(rename2, renamed));
  pb::SetTimesRequest times;
  times.set_src("/a");
  times.set_mtime(1);
  times.set_atime(static_cast<std::uint64_t>(-1));
  made.push_back(seed(set_times, times));
  return made;
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tracebed;
  if (size == 0) return 0;
  const auto method = static_cast<hdfs::NamenodeMethod>(data[0] % fuzz::methods);
  fuzz::CalledNamenode namenode;
  const std::string out = namenode.call(method, std::as_bytes(std::span(data, size)).subspan(1));
  const auto parsed = hdfs::parse_reply(std::as_bytes(std::span(out)), std::size_t{1} << 24);
  const auto* reply = std::get_if<hdfs::Parsed<hdfs::RpcReply>>(&parsed);
  TRACEBED_CHECK(reply != nullptr && reply->bytes == out.size(), "every call has one reply");
  const auto* error = std::get_if<hdfs::RpcError>(&reply->value.result);
  TRACEBED_CHECK(error == nullptr || error->exception_class.find('.') != std::string::npos,
                 "a failure is an exception of Java's");
  return 0;
}
