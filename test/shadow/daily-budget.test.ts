import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { bareAnswer, unsentLog } from "../../src/core/bare-answer.ts"
import { unknownUsage } from "../../src/core/usage.ts"
import { openDailyBudget } from "../../src/shadow/daily-budget.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { price } from "./world.ts"

const noon = Date.parse("2026-11-29T12:00:00Z")
const day = 86_400_000
const most = { usd: 0.4, tokens: 40_000 }
/** What cost a tenth of a dollar: 10,000 tokens of input. */
const answer = bareAnswer({
  ...{ outcome: "ok", log: unsentLog(0, 1), text: "x" },
  usage: { ...unknownUsage, promptTokens: 10_000, completionTokens: 0 },
})

const openAt = (path: string, clock: { ms: number }) =>
  openDailyBudget({ budget: { usd: 1 }, price, path, wallMs: () => clock.ms })

describe("a daily budget", () => {
  it("sets the worst case aside, and puts what it cost in its place", () => {
    const budget = openAt(join(scratchDirectory(), "spending.jsonl"), { ms: noon })
    const open = [budget.reserve(most), budget.reserve(most)]
    expect(budget.reserve(most)).toBeNull()
    for (const reservation of open) reservation?.settle(answer)
    expect(budget.spent()).toMatchObject({ usd: expect.closeTo(0.2, 9), requests: 2, tokens: 20_000 })
    expect(budget.reserve(most)).not.toBeNull()
  })

  it("counts an answer without usage as what was set aside, and one that was refused as nothing", () => {
    const budget = openAt(join(scratchDirectory(), "spending.jsonl"), { ms: noon })
    budget.reserve(most)?.settle(bareAnswer({ outcome: "truncated", log: unsentLog(0, 1) }))
    budget.reserve(most)?.settle(bareAnswer({ outcome: "http_5xx", log: unsentLog(0, 1) }))
    expect(budget.spent().usd).toBeCloseTo(0.4, 9)
  })

  it("goes on after a restart within the day, and counts what nobody saw the end of as what was set aside", () => {
    const [path, clock] = [join(scratchDirectory(), "spending.jsonl"), { ms: noon }]
    const before = openAt(path, clock)
    before.reserve(most)?.settle(answer)
    before.reserve(most)
    // Killed here, within a line.
    appendFileSync(path, '{"day":"2026-11-29","call":3,"us')
    const after = openAt(path, clock)
    expect(after.spent().usd).toBeCloseTo(0.5, 9)
    expect(after.reserve(most)).not.toBeNull()
    expect(after.reserve(most)).toBeNull()
    expect(openAt(path, clock).spent().usd).toBeCloseTo(0.9, 9)
  })

  it("begins anew on the next day, with a restart and without, and on no day that has been", () => {
    const [path, clock] = [join(scratchDirectory(), "spending.jsonl"), { ms: noon }]
    const budget = openAt(path, clock)
    const [kept] = [budget.reserve(most), budget.reserve(most)]
    clock.ms += day
    expect(budget.reserve(most)).not.toBeNull()
    kept?.settle(answer)
    expect(budget.spent().usd).toBe(0)
    expect(openAt(path, clock).spent().usd).toBeCloseTo(0.4, 9)
    clock.ms -= day
    expect(openAt(path, clock).spent().usd).toBeCloseTo(0.4, 9)
    expect([budget.reserve(most), budget.reserve(most)].map(Boolean)).toEqual([true, false])
    clock.ms += 2 * day
    expect(openAt(path, clock).spent().usd).toBe(0)
  })
})
