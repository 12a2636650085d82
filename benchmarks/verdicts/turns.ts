import { timeShare } from "../../src/analyse/compare/changes.ts"
import { turnBlocks } from "../../src/analyse/compare/turns.ts"
import type { AnswerFacts } from "../../src/core/metric/scored-variant.ts"
import { createRandom, type Random } from "../../src/core/random.ts"
import { inTurn } from "../../src/run/plan.ts"

/** A run on a machine that has another level in each stretch of requests of one variant, in the order in which runs take turns. */
export interface TurnsRun {
  readonly pairs: readonly (readonly [AnswerFacts, AnswerFacts])[]
  readonly before: Float64Array
  readonly after: Float64Array
}

/** Two names of one endpoint. */
export function runOfTurns(random: Random, turns: number, perTurn: number): TurnsRun {
  const times = [new Float64Array(turns * perTurn), new Float64Array(turns * perTurn)] as const
  const sides: readonly AnswerFacts[][] = [[], []]
  let [clock, level, sideBefore] = [0, 0, -1]
  for (let turn = 0; turn < turns; turn++)
    for (const side of inTurn([0, 1] as const, turn)) {
      if (side !== sideBefore) level = 0.1 * random.normal()
      sideBefore = side
      for (let i = 0; i < perTurn; i++) {
        const e2eMs = 100 * Math.exp(level + 0.05 * random.normal())
        times[side][turn * perTurn + i] = e2eMs
        sides[side]?.push({ source: "measured", segment: 0, sentMs: clock++, e2eMs } as unknown as AnswerFacts)
      }
    }
  const pairs = (sides[0] ?? []).map((a, i) => [a, sides[1]?.[i] as AnswerFacts] as const)
  return { pairs, before: times[0], after: times[1] }
}

/** Share of runs in which a variant is proven faster or slower than itself (5 % nominal): what `run` and `compare` compute. */
export function falseGains(turns: number, perTurn: number, runs: number): number {
  let proven = 0
  for (let run = 0; run < runs; run++) {
    const drawn = runOfTurns(createRandom(`latency/${turns}/${run}`), turns, perTurn)
    const { p } = timeShare({ ...drawn, pairs: drawn.pairs }, 0.05, turnBlocks(drawn.pairs))
    proven += Number(p !== null && p < 0.05)
  }
  return proven / runs
}
