import { describe, expect, it } from "vitest"
import { bareAnswer } from "../../src/core/bare-answer.ts"
import { logOfFigures } from "../../src/core/foreign/log-of-figures.ts"
import { createRandom } from "../../src/core/random.ts"
import { parseConstraints } from "../../src/estimate/constraints.ts"
import { createStopRule } from "../../src/shadow/stop-rule.ts"

const answered = (ttftMs: number) =>
  bareAnswer({
    outcome: "ok",
    text: "yes",
    log: logOfFigures({ text: "yes", tokens: 2, toolCalls: [], ttftMs, e2eMs: 2 * ttftMs }),
  })
const failed = bareAnswer({ outcome: "http_5xx", log: answered(1).log })

/** After how many calls a rule stops a candidate that fails with this chance; null: not within so many. */
function stopsAfter(text: string, chance: number, calls: number, seed: number, slow = 100): number | null {
  const rule = createStopRule(parseConstraints(text), 100)
  const random = createRandom(seed)
  for (let i = 1; i <= calls; i++)
    if (rule.add(random.next() < chance ? failed : answered(slow * (0.5 + random.next())))) return i
  return null
}

describe("a rule that stops a candidate", () => {
  it("looks at nothing before its window is full, and stops one that is down then", () => {
    expect(stopsAfter("availability < 99 %", 1, 1000, 1)).toBe(100)
    expect(stopsAfter("availability < 99 %", 0.3, 1000, 1)).toBe(100)
  })

  it("stops none by chance: of 100 that answer 99.5 % of 2,000 calls, at most one", () => {
    const stopped = Array.from({ length: 100 }, (_, seed) => stopsAfter("availability < 99 %", 0.005, 2000, seed))
    expect(stopped.filter((entry) => entry !== null).length).toBeLessThanOrEqual(1)
  })

  it("sees a candidate that breaks down later, within a window", () => {
    const rule = createStopRule(parseConstraints("availability < 99 %"), 100)
    for (let i = 0; i < 500; i++) expect(rule.add(answered(100))).toBeNull()
    let calls = 0
    while (!rule.add(failed)) calls++
    expect(calls).toBeLessThan(20)
  })

  it("watches times, of calls that were answered, and several limits together", () => {
    expect(stopsAfter("p95 TTFT > 1 s", 0, 400, 1, 2000)).toBe(100)
    expect(stopsAfter("p95 TTFT > 1 s", 0, 400, 1, 100)).toBeNull()
    expect(stopsAfter("p50 E2E > 1 s and availability < 99 %", 0, 400, 1, 2000)).toBeNull()
    expect(stopsAfter("p50 E2E > 1 s and availability < 99 %", 0.5, 400, 1, 2000)).toBe(100)
  })
})
