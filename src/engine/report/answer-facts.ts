import type { Generation } from "../../core/generation.ts"
import { contentHash } from "../../core/json.ts"
import { sequenceConfidence } from "../../core/metric/confidence.ts"
import type { AnswerFacts } from "../../core/metric/scored-variant.ts"
import { answerLatency, hasLatency, isColdLatency } from "../../perf/answer-latency.ts"
import type { SampleSplits } from "./sample-splits.ts"

/**
 * Gathers the few numbers of a variant's answers that comparisons need. Latencies of answers that met a cold service are
 * left out, unless the variant has no others.
 */
export function createAnswerFacts(splits: SampleSplits) {
  const facts: AnswerFacts[] = []
  const cold: number[] = []
  let hasWarm = false
  return {
    add(generation: Generation): void {
      if (isColdLatency(generation)) cold.push(facts.length)
      else hasWarm ||= hasLatency(generation)
      facts.push(factsOf(generation, splits))
    },
    all(): readonly AnswerFacts[] {
      if (hasWarm)
        for (const place of cold)
          facts[place] = { ...(facts[place] as AnswerFacts), ttftMs: null, e2eMs: null, tpotMs: null }
      return facts
    },
  }
}

function factsOf(generation: Generation, splits: SampleSplits): AnswerFacts {
  return {
    sampleId: generation.sampleId,
    repeat: generation.repeat,
    outcome: generation.outcome,
    source: generation.source,
    ...answerLatency(generation),
    costUsd: generation.cost.status === "known" ? generation.cost.usd : null,
    completionTokens: generation.usage.completionTokens,
    ...(generation.source === "measured" && { sentMs: generation.log.sendMs, segment: generation.segment }),
    textHash: contentHash({ text: generation.text, toolCalls: generation.toolCalls }, 16),
    ...(generation.isGivenText && { isGiven: true }),
    confidence: sequenceConfidence(generation),
    ...splits.get(generation.sampleId),
  }
}
