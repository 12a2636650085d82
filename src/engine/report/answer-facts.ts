import type { AnswerFacts, TimedFacts } from "../../core/metric/scored-variant.ts"
import type { SampleSplits } from "./sample-splits.ts"

/**
 * Gathers the few numbers of a variant's answers that comparisons need. Latencies of answers that met a cold service are
 * left out, unless the variant has no others.
 */
export function createAnswerFacts(splits: SampleSplits) {
  const all: AnswerFacts[] = []
  const cold: number[] = []
  let hasWarm = false
  return {
    add({ facts, latency }: TimedFacts): void {
      if (latency === "cold") cold.push(all.length)
      else hasWarm ||= latency === "warm"
      const split = splits.get(facts.sampleId)
      all.push(split ? { ...facts, ...split } : facts)
    },
    all(): readonly AnswerFacts[] {
      if (hasWarm)
        for (const place of cold)
          all[place] = { ...(all[place] as AnswerFacts), ttftMs: null, e2eMs: null, tpotMs: null }
      return all
    },
  }
}
