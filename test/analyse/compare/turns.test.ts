import { expect, it } from "vitest"
import { timeShare } from "../../../src/analyse/compare/changes.ts"
import { turnBlocks } from "../../../src/analyse/compare/turns.ts"
import type { AnswerFacts } from "../../../src/core/metric/scored-variant.ts"
import { createRandom, type Random } from "../../../src/core/random.ts"
import { workerSegment } from "../../../src/core/run/worker-segment.ts"
import { inTurn } from "../../../src/run/plan.ts"

it("keeps the turns of different workers in different blocks", () => {
  const pairs = Array.from({ length: 40 }, (_, pair) => {
    const segment = pair < 30 ? workerSegment(1, pair) : workerSegment(2, pair)
    const at = (sentMs: number) => ({ source: "measured", sentMs, segment }) as unknown as AnswerFacts
    return [at(2 * pair), at(2 * pair + 1)] as const
  })
  const blocks = turnBlocks(pairs)
  const ofFirst = new Set(Array.from(blocks!.of.subarray(0, 30)))
  const ofSecond = new Set(Array.from(blocks!.of.subarray(30)))
  expect([...ofSecond].some((block) => ofFirst.has(block))).toBe(false)
  expect([ofFirst.size, ofSecond.size]).toEqual([15, 5])
  expect(blocks!.blocks).toBe(20)
})

/** A run whose machine has another level in each stretch of requests of one variant, in the order that runs take turns. */
function runOfTurns(random: Random, turns: number, perTurn: number): [AnswerFacts, AnswerFacts][] {
  const pairs = Array.from({ length: turns * perTurn }, (): [AnswerFacts, AnswerFacts] => [null!, null!])
  let clock = 0
  let level = 0
  let before = -1
  for (let turn = 0; turn < turns; turn++)
    for (const side of inTurn([0, 1] as const, turn)) {
      if (side !== before) level = 0.1 * random.normal()
      before = side
      for (let i = 0; i < perTurn; i++) {
        const e2eMs = 100 * Math.exp(level + 0.05 * random.normal())
        const facts = { source: "measured", segment: 0, sentMs: clock++, e2eMs }
        pairs[turn * perTurn + i]![side] = facts as unknown as AnswerFacts
      }
    }
  return pairs
}

it.each([12, 20, 60])(
  "proves no gain of a variant over itself where the machine's level changes, %i turns",
  (turns) => {
    const runs = 600
    let proven = 0
    for (let run = 0; run < runs; run++) {
      const pairs = runOfTurns(createRandom(`${turns}/${run}`), turns, 6)
      const times = (side: 0 | 1) =>
        Float64Array.from(pairs, (pair) => (pair[side] as unknown as { e2eMs: number }).e2eMs)
      const { p } = timeShare({ pairs, before: times(0), after: times(1) }, 0.05, turnBlocks(pairs))
      proven += Number((p as number) < 0.05)
    }
    expect(proven / runs).toBeLessThan(0.05 + 2 * Math.sqrt((0.05 * 0.95) / runs))
  },
)
