import type { Generation } from "../core/generation.ts"
import { contentHash } from "../core/json.ts"
import { sequenceConfidence } from "../core/metric/confidence.ts"
import type { AnswerFacts, TimedFacts } from "../core/metric/scored-variant.ts"
import { answerLatency, hasLatency, isColdLatency } from "./answer-latency.ts"

/** The few numbers of an answer that comparisons need. */
export function answerFacts(generation: Generation): TimedFacts {
  const { text, toolCalls } = generation
  const { ttftMs, e2eMs, tpotMs } = answerLatency(generation)
  // What may be absent comes last: V8 adds fields slowly to an object that was spread into.
  const facts: AnswerFacts = {
    sampleId: generation.sampleId,
    repeat: generation.repeat,
    outcome: generation.outcome,
    source: generation.source,
    ttftMs,
    e2eMs,
    tpotMs,
    costUsd: generation.cost.status === "known" ? generation.cost.usd : null,
    completionTokens: generation.usage.completionTokens,
    textHash: contentHash(toolCalls.length === 0 ? text : { text, toolCalls }, 16),
    confidence: sequenceConfidence(generation),
    ...(generation.source === "measured" && { sentMs: generation.log.sendMs, segment: generation.segment }),
    ...(generation.isGivenText && { isGiven: true }),
  }
  return { facts, latency: !hasLatency(generation) ? "none" : isColdLatency(generation) ? "cold" : "warm" }
}
