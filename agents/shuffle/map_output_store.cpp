#include "agents/shuffle/map_output_store.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

#include "agents/shuffle/output_format.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

constexpr const char* drafts_folder = "unfinished";

// Makes the folder, and returns it.
std::filesystem::path made(std::filesystem::path folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw EnvironmentError("the folder of map outputs, " + folder.string() +
                           ", cannot be made: " + error.message());
  }
  return folder;
}

}  // namespace

class MapOutputStore::PlaceInFolder final : public OutputPlace {
 public:
  PlaceInFolder(MapOutputStore& store, OutputName name, std::filesystem::path draft)
      : store_(store), name_(name), draft_(std::move(draft)) {}
  ~PlaceInFolder() override {
    if (!draft_.empty()) ::unlink(draft_.c_str());
  }

  OutputDone publish(FileDescriptor file, std::uint64_t /*length*/) override {
    // Some file systems report only now that they have no space.
    if (::close(file.release()) != 0) return output_failure(errno, "closing an output");
    OutputDone published = store_.publish(draft_, name_);
    if (published) draft_.clear();
    return published;
  }

 private:
  MapOutputStore& store_;
  OutputName name_;
  std::filesystem::path draft_;  // empty once it is no longer there
};

MapOutputStore::MapOutputStore(std::filesystem::path folder)
    : folder_(made(std::move(folder))), drafts_(folder_ / drafts_folder), lock_(folder_) {
  std::error_code error;
  std::filesystem::remove_all(drafts_, error);
  if (error) {
    throw EnvironmentError("what was left in " + drafts_.string() +
                           " cannot be deleted: " + error.message());
  }
  (void)made(drafts_);
}

std::filesystem::path MapOutputStore::folder_of(std::uint32_t job) const {
  return folder_ / std::to_string(job);
}

std::filesystem::path MapOutputStore::spills_of(std::uint32_t job, std::uint32_t container) const {
  return folder_of(job) / (std::to_string(container) + ".spills");
}

std::filesystem::path MapOutputStore::path_of(OutputName name) const {
  if (name.spill == shuffle::no_spill) return folder_of(name.job) / std::to_string(name.container);
  return spills_of(name.job, name.container) / std::to_string(name.spill);
}

bool MapOutputStore::is_removed(std::uint32_t job) const {
  const std::lock_guard lock(mutex_);
  return removed_.contains(job);
}

OutputResult<OutputDraft> MapOutputStore::create(OutputName name) {
  if (is_removed(name.job)) {
    return OutputFailure{shuffle::OutputStatus::unknown_output, "the job was removed"};
  }
  std::filesystem::path path = drafts_ / std::to_string(next_draft_++);
  FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.is_open()) {
    OutputFailure failure = output_failure(errno, "creating a file");
    // The folder is gone: no output is unknown for that.
    if (errno == ENOENT) failure.status = shuffle::OutputStatus::failed;
    return failure;
  }
  return OutputDraft(std::make_unique<PlaceInFolder>(*this, name, std::move(path)),
                     std::move(file));
}

OutputResult<StoredOutput> MapOutputStore::open(OutputName name) const {
  const std::filesystem::path path = path_of(name);
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file.is_open()) return output_failure(errno, "opening an output");
  const auto trailer = read_trailer(file.number());
  if (!trailer) {
    return OutputFailure{shuffle::OutputStatus::damaged, path.string() + " is no whole output"};
  }
  return StoredOutput(std::move(file), trailer->length);
}

OutputDone MapOutputStore::publish(const std::filesystem::path& draft, OutputName name) {
  const std::lock_guard lock(mutex_);
  if (removed_.contains(name.job)) {
    return OutputFailure{shuffle::OutputStatus::unknown_output, "the job was removed"};
  }
  const std::filesystem::path path = path_of(name);
  for (const auto& folder : {folder_of(name.job), path.parent_path()}) {
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
      return output_failure(errno, "making a job's folder");
    }
  }
  if (std::rename(draft.c_str(), path.c_str()) != 0) {
    return output_failure(errno, "publishing an output");
  }
  return std::monostate{};
}

void MapOutputStore::drop_spills(std::uint32_t job, std::uint32_t container) {
  std::error_code ignored;
  std::filesystem::remove_all(spills_of(job, container), ignored);
}

void MapOutputStore::remove_job(std::uint32_t job) {
  {
    const std::lock_guard lock(mutex_);
    removed_.insert(job);
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder_of(job), ignored);
}

}  // namespace tracebed
