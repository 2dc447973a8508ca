#include "growth/growing_submissions.h"

#include <fmt/format.h>
#include <string>

#include "growth/repeated.h"

namespace tracebed::test {
namespace {

// Keys that are dotted can stand before tables and keys of the top level alike.
constexpr const char* head =
    "name = \"n\"\nworld = \"virtual\"\ntrace.file = \"${TRACEBED_TRACES}/jobs.tsv\"\n";
constexpr const char* one_cluster = "[cluster]\nnodes = 2\nvcores = 2\nmemory = \"8 GiB\"\n";
constexpr const char* one_scheduler = "[[scheduler]]\nname = \"fifo\"\n";

// Schedulers of an experiment, and settings of a table, are at most so many.
constexpr int thousand = 1'000;

std::string cluster_of(int machines) {
  return fmt::format("[cluster]\nnodes = {}\nvcores = 2\nmemory = \"8 GiB\"\n", machines);
}
// For each of what grows, which names the last of them.
constexpr int machines_each = 16;
constexpr int count_with_machines_max = 100'000 / machines_each;

control::Submission of_text(const std::string& text) {
  control::Submission submission;
  submission.file = "mine.toml";
  submission.experiment = head + text;
  return submission;
}

control::Submission with_one_scheduler(const std::string& more) {
  return of_text(one_scheduler + (one_cluster + more));
}

void add_file(control::Submission& submission, const std::string& name,
              const std::string& content) {
  control::NamedFile file;
  file.name = name;
  file.content = content;
  submission.files.push_back(file);
}

constexpr const char* queues =
    "<property><name>yarn.scheduler.capacity.root.queues</name><value>a</value></property>"
    "<property><name>yarn.scheduler.capacity.root.a.capacity</name><value>100</value></property>";

std::string properties(int count, const char* name, const std::string& value,
                       const std::string& more = {}) {
  return "<configuration>" +
         repeated(count, fmt::format("<property><name>{}</name><value>{}</value></property>\n",
                                     name, value)
                             .c_str()) +
         more + "</configuration>";
}

// A file of queues and a yarn-site.xml beside it.
control::Submission of_sites(const std::string& site, const std::string& own) {
  control::Submission submission =
      of_text("[[scheduler]]\nname = \"capacity\"\nconfig = \"q.xml\"\nyarn_site = \"s.xml\"\n" +
              std::string(one_cluster));
  add_file(submission, "s.xml", site);
  add_file(submission, "q.xml", own);
  return submission;
}

const std::string own_queues = "<configuration>" + std::string(queues) + "</configuration>";

const GrowingSubmission submissions[] = {
    // ---- lists of tables ----
    {"Schedulers",
     [](int count) {
       return of_text(repeated(count, "[[scheduler]]\nname = \"fifo\"\nlabel = \"s{i}\"\n") +
                      one_cluster);
     },
     thousand},
    {"ShortSchedulers",
     [](int count) {
       return of_text("schedulers = [" + repeated(count, "\"s{i}\",") + "]\n" + one_cluster);
     },
     thousand},
    {"Refreshes",
     [](int count) {
       return of_text(
           one_scheduler +
           repeated(count, "[[refresh]]\nat = \"{i}s\"\nminimum_allocation_mib = 512\n") +
           one_cluster);
     }},
    {"SchedulersWithARefreshEach",
     [](int count) {
       return of_text(
           repeated(count,
                    "[[scheduler]]\nname = \"fifo\"\nlabel = \"s{i}\"\n[[refresh]]\n"
                    "scheduler = \"s{i}\"\nat = \"1s\"\nminimum_allocation_mib = 512\n") +
           one_cluster);
     },
     thousand},
    {"SchedulersWithAControllerEach",
     [](int count) {
       return of_text(
           "am = \"container\"\n" +
           repeated(count,
                    "[[scheduler]]\nname = \"capacity\"\nlabel = \"s{i}\"\n[[controller]]\n"
                    "name = \"pid\"\nscheduler = \"s{i}\"\n") +
           one_cluster);
     },
     thousand},
    {"Groups",
     [](int count) {
       return of_text(one_scheduler +
                      repeated(count,
                               "[[cluster.group]]\nnodes = 1\nvcores = 2\nmemory = \"8 GiB\"\n"
                               "labels = [\"l{i}\"]\n"));
     }},
    {"GroupsOfManyMachines",
     [](int count) {
       return of_text(
           one_scheduler +
           repeated(count, "[[cluster.group]]\nnodes = 100000\nvcores = 2\nmemory = \"8 GiB\"\n"));
     }},
    {"Changes",
     [](int count) {
       return with_one_scheduler(
           repeated(count,
                    "[[cluster.change]]\nnode = \"node1\"\nat = \"{i}0s\"\nstate = \"down\"\n"
                    "[[cluster.change]]\nnode = \"node1\"\nat = \"{i}5s\"\nstate = \"up\"\n"));
     }},
    {"Drains",
     [](int count) {
       return with_one_scheduler(
           repeated(count,
                    "[[drain]]\nnode = \"node1\"\nat = \"{i}0s\"\ngrace = \"1s\"\n"
                    "until = \"{i}5s\"\n"));
     }},
    {"Crashes",
     [](int count) {
       return with_one_scheduler(
           repeated(count, "[[crash]]\nnode = \"node1\"\nat = \"{i}0s\"\ndown = \"1s\"\n"));
     }},
    {"CrashesOfManyMachines",
     [](int count) {
       const int machines = machines_each * count;
       return of_text(
           one_scheduler + cluster_of(machines) +
           repeated(count,
                    fmt::format("[[crash]]\nnode = \"node{}\"\nat = \"1s\"\n", machines).c_str()));
     },
     count_with_machines_max},
    // ---- lists of values ----
    {"Labels",
     [](int count) {
       return with_one_scheduler("labels = [" + repeated(count, "\"l{i}\",") + "]\n");
     }},
    {"LabelsOfManyMachines",
     [](int count) {
       return of_text(one_scheduler + cluster_of(thousand) + "labels = [" +
                      repeated(count, "\"l{i}\",") + "]\n");
     },
     thousand},
    {"ExtraResources",
     [](int count) {
       return with_one_scheduler("extra = {" + repeated(count, "r{i} = 1", ",") + "}\n");
     }},
    {"Nested",
     [](int count) {
       return with_one_scheduler(
           "extra = " + std::string(static_cast<std::size_t>(count) * 100, '[') +
           std::string(static_cast<std::size_t>(count) * 100, ']') + "\n");
     }},
    // ---- tables ----
    {"UnknownKeys", [](int count) { return with_one_scheduler(repeated(count, "k{i} = 1\n")); }},
    {"LongKey",
     [](int count) {
       return with_one_scheduler(std::string(static_cast<std::size_t>(count) * 100, 'k') +
                                 " = 1\n");
     }},
    {"LongText",
     [](int count) {
       return with_one_scheduler("labels = [\"" +
                                 std::string(static_cast<std::size_t>(count) * 100, 'k') + "\"]\n");
     }},
    {"Comments", [](int count) { return with_one_scheduler(repeated(count, "# {i}\n")); }},
    {"Settings",
     [](int count) { return of_text(one_scheduler + repeated(count, "k{i} = 1\n") + one_cluster); },
     thousand},
    {"SettingsOfARefresh",
     [](int count) {
       return with_one_scheduler("[[refresh]]\nat = \"1s\"\n" + repeated(count, "k{i} = 1\n"));
     },
     thousand},
    {"SettingsOfAController",
     [](int count) {
       return of_text("am = \"container\"\n[[scheduler]]\nname = \"capacity\"\n" +
                      std::string(one_cluster) + "[[controller]]\nname = \"pid\"\n" +
                      repeated(count, "k{i} = 1\n"));
     },
     thousand},
    {"SettingsOfMasters",
     [](int count) { return with_one_scheduler("[masters]\n" + repeated(count, "k{i} = 1\n")); },
     thousand},
    {"SettingsOfNodeManagers",
     [](int count) {
       return with_one_scheduler("[node_manager]\n" + repeated(count, "k{i} = 1\n"));
     },
     thousand},
    {"SettingsOfRelocation",
     [](int count) { return with_one_scheduler("[relocation]\n" + repeated(count, "k{i} = 1\n")); },
     thousand},
    {"SettingsOfTheNamenode",
     [](int count) {
       return with_one_scheduler("[storage]\nreplication = 1\n[storage.namenode]\n" +
                                 repeated(count, "k{i} = 1\n"));
     },
     thousand},
    {"Rules",
     [](int count) {
       return with_one_scheduler("[trace.rules]\n" + repeated(count, "k{i} = 1\n"));
     },
     thousand},
    {"Racks",
     [](int count) {
       const int machines = machines_each * count;
       std::string racks;
       for (int i = 0; i < count; ++i) racks += fmt::format("node{} = \"/r{}\"\n", machines - i, i);
       return of_text(one_scheduler + cluster_of(machines) +
                      "[storage]\nreplication = 1\n[storage.topology]\n" + racks);
     },
     count_with_machines_max},
    // ---- beside the experiment ----
    {"ChosenSchedulers",
     [](int count) {
       control::Submission submission = with_one_scheduler("");
       for (int i = 0; i < count; ++i) submission.schedulers.push_back(fmt::format("s{}", i));
       return submission;
     },
     thousand},
    {"OverriddenSchedulers",
     [](int count) {
       control::Submission submission =
           of_text("schedulers = [" + repeated(count, "\"fifo\",") + "]\n" + one_cluster);
       control::Override given;
       given.key = "scheduler.fifo.minimum_allocation_mib";
       given.value = "512";
       submission.overrides.assign(200, given);
       return submission;
     },
     thousand},
    {"SchedulersOfOneFile",
     [](int count) {
       control::Submission submission = of_text(
           repeated(count,
                    "[[scheduler]]\nname = \"capacity\"\nlabel = \"s{i}\"\nconfig = \"q.xml\"\n") +
           one_cluster);
       add_file(submission, "q.xml", own_queues);
       return submission;
     },
     thousand},
    // ---- Hadoop's files ----
    {"PropertiesOfQueues",
     [](int count) {
       return of_sites(own_queues,
                       properties(count, "yarn.scheduler.capacity.root.a.k{i}", "1", queues));
     }},
    {"PropertiesOfAYarnSite",
     [](int count) {
       return of_sites(properties(count, "yarn.scheduler.capacity.root.a.k{i}", "1"), own_queues);
     }},
    {"VariablesOfAYarnSite",
     [](int count) {
       return of_sites(
           properties(count, "v{i}", "1"),
           properties(count, "yarn.scheduler.capacity.root.a.k{i}", "${{v{i}}}", queues));
     }},
    {"VariablesOfALongValue",
     [](int count) {
       const std::string users(2'000, 'u');
       return of_sites(own_queues, properties(count, "yarn.scheduler.capacity.root.a.acl{i}",
                                              repeated(10, "${{{{users}}}}"),
                                              "<property><name>users</name><value>" + users +
                                                  "</value></property>" + queues));
     },
     200},  // 20,000 bytes each, of 4 MiB
    {"OpenVariables",
     [](int count) {
       return of_sites(own_queues, properties(1, "yarn.scheduler.capacity.root.a.k",
                                              repeated(100 * count, "${{{{") + "}}", queues));
     }},
    {"PropertiesOfAMapredSite",
     [](int count) {
       control::Submission submission = with_one_scheduler("[masters]\nmapred_site = \"m.xml\"\n");
       add_file(submission, "m.xml", properties(count, "mapreduce.k{i}", "1"));
       return submission;
     }},
    {"PropertiesOfNodeManagers",
     [](int count) {
       control::Submission submission =
           with_one_scheduler("[node_manager]\nyarn_site = \"n.xml\"\n");
       add_file(submission, "n.xml", properties(count, "yarn.nodemanager.vmem-k{i}", "1"));
       return submission;
     }},
};

}  // namespace

std::span<const GrowingSubmission> growing_submissions() {
  return submissions;
}

std::size_t bytes_of(const control::Submission& submission) {
  std::size_t bytes = submission.experiment.size() + submission.file.size();
  for (const control::Override& given : submission.overrides) {
    bytes += given.key.size() + given.value.size();
  }
  for (const std::string& scheduler : submission.schedulers) bytes += scheduler.size();
  for (const control::NamedFile& file : submission.files) {
    bytes += file.name.size() + file.content.size();
  }
  return bytes;
}

}  // namespace tracebed::test
