// Trace files of any format from anywhere, compressed ones too: the format is told from the bytes.
#include "fuzz/fuzz_target.h"
#include "fuzz/trace_reading.h"

namespace tracebed::fuzz {

std::vector<std::string> seeds() {
  return {
      "job0\t0\t0\t10000\t2000\t300\njob1\t7\t7\t50000000\t0\t1\njob2\t7\t0\t0\t9\t0\n",
      "; Version: 2.2\n; MaxProcs: 100\n; MaxNodes: 50\n"
      "1 0 10 300 4 -1 -1 4 600 -1 1 3 2 -1 1 -1 -1 -1\n"
      "2 30 -1 100 1 90.5 2048 1 100 4096 1 4 2 7 2 1 1 5\n",
      "1.5 2 3 2.5 3.5\n0.5 1 4 4\n",
      "0,2,3418309,0,4155527081,0,ab/+=,3,9,,,,\n"
      "600000000,,6,0,,0,u,0,2,0.5,0.25,0.001,1\n600000001,,6,0,7,1,u,0,2,0.5,0.25,0.001,1\n"
      "600000009,,6,0,7,4,u,0,2,0.5,0.25,0.001,1\n",
      "6459,6524,3,4,15,Terminated,50,0.007\n-3,0,3,5,1,Waiting,,\n",
      "J2_1,3,j_1,,Terminated,5,9,100,0.5\nM1,1,j_1,,Terminated,7,9,50,0.2\n"
      "M1,,j_2,,Waiting,0,0,,\n",
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
      "deletion_time,scheduled_time\na,6000,128,1,460,T4|P100,LS,Running,10,100,40\n",
      "timestamp,duration,num_gpus,gpu_time,cluster\n2017-10-09 07:01:55,66.0,4,264,11cb48\n",
      "{\"jobID\":\"j\",\"submitTime\":5,\"mapTasks\":[{\"attempts\":[{\"result\":\"SUCCESS\","
      "\"hostName\":\"/r/"
      "n\",\"startTime\":1,\"finishTime\":9}],\"preferredLocations\":[{\"layers\":"
      "[\"r\",\"n\"]}]}],\"reduceTasks\":[{\"attempts\":[]}]}",
      "{\"num.nodes\":3}{\"job.start.ms\":0,\"job.queue.name\":\"q\",\"am.type\":\"dag\",\"job."
      "tasks\":"
      "[{\"count\":2,\"duration.ms\":9,\"container.request.delay\":5,\"container.host\":\"/r/"
      "n\"}]}",
      "{\"num_jobs\":3,\"workloads\":[{\"job_classes\":[{\"mtasks_avg\":2,\"mtime_avg\":3}],"
      "\"time_distribution\":[{\"time\":1,\"weight\":1},{\"time\":9,\"weight\":0}]}]}",
      "{\"workflow\":{\"specification\":{\"tasks\":[{\"id\":\"a\"},{\"id\":\"b\",\"parents\":["
      "\"a\"]}]},"
      "\"execution\":{\"tasks\":[{\"id\":\"a\",\"runtimeInSeconds\":1},{\"id\":\"b\","
      "\"runtimeInSeconds\":2}]}}}",
      // "job0\t0\t0\t9\t8\t7\n" as gzip and as zstd write it.
      std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\xca\x4f\x32\xe0\x04\x41\x4b\x4e\x0b"
                  "\x4e\x73\x2e\x00\x6b\xd3\x9c\x99\x0f\x00\x00\x00",
                  32),
      std::string("\x28\xb5\x2f\xfd\x24\x0f\x79\x00\x00\x6a\x6f\x62\x30\x09\x30\x09\x30\x09\x39\x09"
                  "\x38\x09\x37\x0a\xf1\x44\xfe\xb9",
                  28),
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tracebed::fuzz::read_as("auto", data, size);
  return 0;
}
