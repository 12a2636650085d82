import { createRandom } from "../../src/core/random.ts"
import { studentQuantile } from "../../src/stats/distributions.ts"
import { type PairedBound, pairedBound } from "../../src/stats/intervals/paired-bound.ts"
import { mean, standardError } from "../../src/stats/mean.ts"
import { signTest } from "../../src/stats/tests/sign-test.ts"
import type { Observed } from "./worlds.ts"

/** What a rule answers to "not worse by more than the margin?". */
export type Answer = "swap" | "keep" | "open"

/** A way to answer; the peers' rules see complete pairs and no clusters, as they do in use. */
export interface Rule {
  readonly name: string
  decide(observed: Observed, margin: number, seed: string): Answer
}

const resamples = 200

/** The bounds of evalkit: failures count as losses, clusters as clusters. */
export function boundOf({ differences, failures, clusters }: Observed): PairedBound {
  return pairedBound([...differences, ...failures], { range: [0, 1], ...(clusters && { clusters: [...clusters] }) })
}

/** What evalkit answers by its bounds. */
export function answerOf(bound: PairedBound, margin: number): Answer {
  if (bound.abstain !== undefined) return "open"
  if ((bound.lowBound ?? -1) > -margin) return "swap"
  return (bound.highBound ?? 1) < -margin ? "keep" : "open"
}

export const evalkit: Rule = {
  name: "evalkit",
  decide: (observed, margin) => answerOf(boundOf(observed), margin),
}

export const peers: readonly Rule[] = [
  {
    name: "point estimate",
    decide: ({ differences }, margin) => (mean(differences) > -margin ? "swap" : "keep"),
  },
  {
    name: "naive t",
    decide({ differences }, margin) {
      const half = studentQuantile(0.95, differences.length - 1) * standardError(differences)
      const centre = mean(differences)
      return centre - half > -margin ? "swap" : centre + half < -margin ? "keep" : "open"
    },
  },
  {
    name: "naive paired bootstrap",
    decide({ differences }, margin, seed) {
      const random = createRandom(seed)
      const n = differences.length
      const means = Array.from({ length: resamples }, () => {
        let sum = 0
        for (let i = 0; i < n; i++) sum += differences[random.integer(n)] as number
        return sum / n
      }).sort((a, b) => a - b)
      if ((means[Math.floor(0.05 * resamples)] as number) > -margin) return "swap"
      return (means[Math.ceil(0.95 * resamples) - 1] as number) < -margin ? "keep" : "open"
    },
  },
  {
    name: "sign test or McNemar alone",
    decide: ({ differences }) => (signTest(differences) < 0.05 && mean(differences) < 0 ? "keep" : "swap"),
  },
]
