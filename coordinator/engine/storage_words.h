// The words of a namenode's answers in the run's digest. Each states which alternatives it holds
// and how long its lists and texts are, so that two different answers never have the same words.
#pragma once

#include "core/digest.h"
#include "core/storage_inputs.h"

namespace tracebed {

void add_words(Digest& digest, const AnswerDatanode& answer);
void add_words(Digest& digest, const StoreReplicas& order);
void add_words(Digest& digest, const AnswerStorageCall& answer);

}  // namespace tracebed
