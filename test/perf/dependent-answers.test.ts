import { describe, expect, it } from "vitest"
import { createRandom, type Random } from "../../src/core/random.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import { createLatencyLists } from "../../src/perf/latency-lists.ts"
import { normalQuantile } from "../../src/stats/distributions.ts"
import { sized } from "../support/nightly.ts"
import { generationOf, logOf } from "./logs.ts"

const centreMs = 1000
const spreadMs = 50

interface Timed {
  readonly sampleId: string
  readonly repeat: number
  readonly sendMs: number
  /** In standard deviations. */
  readonly level: number
}

function figuresOf(answers: readonly Timed[]) {
  const lists = createLatencyLists()
  for (const { sampleId, repeat, sendMs, level } of answers) {
    const endMs = sendMs + centreMs + spreadMs * level
    lists.add(generationOf(logOf([{ atMs: endMs }], { sendMs, endMs }), { sampleId, repeat }))
  }
  return lists.distributions("nothing").e2eMs
}

const worlds = sized(200, 50)

/** Share of worlds in which a figure's interval holds the truth. */
function coverage(percent: 50 | 95, answersOf: (random: Random) => Timed[]): number {
  const truth = centreMs + spreadMs * normalQuantile(percent / 100)
  let held = 0
  for (let world = 0; world < worlds; world++) {
    const figure: Figure = figuresOf(answersOf(createRandom(`${percent}/${world}`)))[`p${percent}`]
    if (figure.status === "known")
      held += Number((figure.low ?? 0) <= truth && truth <= (figure.high ?? Number.POSITIVE_INFINITY))
  }
  return held / worlds
}

/** A load that changes slowly, met in another order than that of the samples. */
function drifting(random: Random): Timed[] {
  let level = random.normal()
  return Array.from({ length: 300 }, (_, i) => {
    level = 0.9 * level + Math.sqrt(1 - 0.81) * random.normal()
    return { sampleId: `q${(i * 7) % 300}`, repeat: 0, sendMs: 1000 * i, level }
  }).sort((a, b) => (a.sampleId < b.sampleId ? -1 : 1))
}

/** Questions whose answers are long or short in each of five repeats, asked a round after the other. */
function repeated(random: Random): Timed[] {
  return Array.from({ length: 60 }, (_, sample) => {
    const own = random.normal()
    return Array.from({ length: 5 }, (_, repeat) => ({
      sampleId: `q${sample}`,
      repeat,
      sendMs: 1000 * (60 * repeat + sample),
      level: 0.95 * own + Math.sqrt(1 - 0.95 ** 2) * random.normal(),
    }))
  }).flat()
}

describe("percentiles of answers that depend on each other", () => {
  it.each([
    ["p50 of a load that drifts", 50, drifting],
    ["p95 of a load that drifts", 95, drifting],
    ["p50 of five repeats", 50, repeated],
    ["p95 of five repeats", 95, repeated],
  ] as const)("hold the truth in 95 of 100 worlds: %s", (_, percent, answersOf) => {
    expect(coverage(percent, answersOf)).toBeGreaterThan(0.9)
  })

  it("count the times between tokens by answers that have any", () => {
    const lists = createLatencyLists()
    const answer = (i: number, events: readonly { atMs: number }[]) =>
      generationOf(logOf(events), {
        sampleId: `q${i}`,
        repeat: 0,
        usage: { promptTokens: 5, cachedPromptTokens: null, completionTokens: events.length, reasoningTokens: null },
      })
    const streamed = (step: number) => Array.from({ length: 21 }, (_, i) => ({ atMs: 100 + step * i }))
    for (let i = 0; i < 20; i++) lists.add(answer(i, streamed(10 + i)))
    const own = lists.distributions("nothing").itlMs.p50
    for (let i = 20; i < 200; i++) lists.add(answer(i, [{ atMs: 100 }]))
    expect(lists.distributions("nothing").itlMs.p50).toEqual(own)
    // 20 answers, each at its own pace: not 400 independent times.
    expect(own.status === "known" && own.method).toMatch(/, worth (?:1\d|20) independent values$/)
  })

  it("says how many independent ones they are worth", () => {
    const { p50, mean } = figuresOf(drifting(createRandom("said")))
    for (const figure of [p50, mean])
      expect(figure.status === "known" && figure.method).toMatch(/, worth \d{1,2} independent values$/)
  })
})
