import { expect, it } from "vitest"
import { falseGains } from "../../../benchmarks/verdicts/turns.ts"
import { turnBlocks } from "../../../src/analyse/compare/turns.ts"
import type { AnswerFacts } from "../../../src/core/metric/scored-variant.ts"
import { workerSegment } from "../../../src/core/run/worker-segment.ts"

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

it.each([12, 20, 60])(
  "proves no gain of a variant over itself where the machine's level changes, %i turns",
  (turns) => {
    const runs = 600
    expect(falseGains(turns, 6, runs)).toBeLessThan(0.05 + 2 * Math.sqrt((0.05 * 0.95) / runs))
  },
)
