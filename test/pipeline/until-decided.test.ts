import { describe, expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { stoppingRecord } from "../../src/analyse/interim/stopped-early.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import type { Provider } from "../../src/core/provider.ts"
import { createRandom, type Random } from "../../src/core/random.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { runEvaluation } from "../support/run-fixtures.ts"
import { scratchStore } from "../support/scratch-store.ts"

const samples = 240
const rows = Array.from({ length: samples }, (_, i) => ({
  id: `s${i}`,
  input: `say s${i}`,
  reference: `s${i}`,
  cluster: `c${i >> 1}`,
}))

/** Answers wrongly, or fails, in these shares of the samples; a whole cluster at a time where `clustered`. */
function answering(name: string, random: Random, wrong: number, failed: number, clustered: boolean): Provider {
  const draws = rows.map(() => random.next())
  return fakeProvider(name, ({ messages }) => {
    const said = String(messages[0]?.content).replace("say ", "")
    const number = Number(said.slice(1))
    const draw = draws[clustered ? number >> 1 : number] as number
    if (draw < failed) return fakeAnswer("", "http_4xx")
    return fakeAnswer(draw < failed + wrong ? "wrong" : said)
  })
}

const worlds = [
  { title: "independent samples", clustered: false, repeats: 1, missing: "worst" },
  { title: "clusters and repeats", clustered: true, repeats: 2, missing: "worst" },
  { title: "failures that are left out", clustered: false, repeats: 1, missing: "drop" },
] as const

const statuses: Readonly<Record<string, string>> = {
  better: "non_inferior",
  non_inferior: "non_inferior",
  worse: "inferior",
  open: "open",
}

describe("asking until everything is decided", () => {
  it.each(worlds)("stops on what the report then says: $title", async ({ clustered, repeats, missing }) => {
    const random = createRandom(`until/${clustered}/${missing}`)
    const store = scratchStore()
    const [base, good, bad, failing] = [
      answering("base", random, 0.02, 0, clustered),
      answering("good", random, 0.03, 0, clustered),
      answering("bad", random, 0.4, 0, clustered),
      answering("failing", random, 0, 0.35, clustered),
    ]
    const evaluation = await validateConfig({
      name: "until",
      dataset: inline(clustered ? rows : rows.map(({ cluster: _, ...row }) => row)),
      variants: Object.entries({ base, good, bad, failing }).map(([name, provider]) => ({ name, provider })),
      metrics: [exactMatch()],
      margin: 0.1,
      repeats,
      missing,
      retry: { retries: 0 },
    })
    const { report, record } = await runEvaluation({ evaluation, store, id: "until", untilDecided: true })
    const looks = [...store.events(record.id)].filter(({ kind }) => kind === "stopped_early")
    const { states, at, asked } = (looks.at(-1) as (typeof looks)[number]).data as unknown as {
      readonly states: readonly { readonly candidate: string; readonly status: string; readonly samples: number }[]
      readonly at: Readonly<Record<string, number>>
      readonly asked: Readonly<Record<string, number>>
    }
    expect(looks.length).toBeGreaterThan(1)
    for (const { candidate, status, samples: settledAfter } of states) {
      const comparison = report.comparisons.find((entry) => entry.candidate === candidate)
      expect(statuses[comparison?.quality ?? ""], candidate).toBe(status)
      expect(comparison?.metrics[0]?.design?.reading).toBe((at[candidate] as number) + 1)
      expect(asked[candidate]).toBe(settledAfter)
      expect(comparison?.sentence).toContain("planned beforehand")
    }
    const statusOf = (name: string) => states.find(({ candidate }) => candidate === name)?.status
    expect(statusOf("bad")).toBe("inferior")
    // A failure is a loss to a user, unless the run's rule leaves it out.
    expect(statusOf("failing")).toBe(missing === "worst" ? "inferior" : "non_inferior")
    expect(asked.bad).toBeLessThan(samples)
  })
  it.each(["higher", "lower"] as const)(
    "bets where scores are graded, and the report reads the same: %s is better",
    async (direction) => {
      const random = createRandom(`graded/${direction}`)
      const store = scratchStore()
      /** Answers a number around a mean; what is better lies on the side of the direction. */
      const graded = (name: string, loss: number): Provider =>
        fakeProvider(name, () => {
          const quality = 0.6 - loss + 0.5 * (random.next() - 0.5)
          return fakeAnswer(String(direction === "higher" ? quality : 1 - quality))
        })
      const metric = meanMetric({
        name: "grade",
        signature: "grade|v1",
        direction,
        range: [0, 1],
        measure: (_sample, { text }) => Number(text),
      })
      const evaluation = await validateConfig({
        name: "graded",
        dataset: inline(rows.map(({ cluster: _, ...row }) => row)),
        variants: Object.entries({ base: 0, good: 0, bad: 0.3 }).map(([name, loss]) => ({
          name,
          provider: graded(name, loss),
        })),
        metrics: [metric],
        margin: 0.1,
      })
      const { report, record } = await runEvaluation({ evaluation, store, id: "graded", untilDecided: true })
      const states = stoppingRecord(store, record.id)?.states ?? []
      expect(states.map(({ candidate, status }) => [candidate, status])).toEqual([
        ["good", "non_inferior"],
        ["bad", "inferior"],
      ])
      const [good] = report.comparisons
      expect(good?.quality).toBe("non_inferior")
      expect(good?.metrics[0]?.design?.betting).toBeCloseTo(0.0375 / 2, 10)
      expect(good?.sentence).toContain("by a bound that may be read at any time")
      expect(states[0]?.samples).toBeLessThanOrEqual(81)
    },
  )
  it("reads no look of which a budget left answers out", async () => {
    const store = scratchStore()
    const random = createRandom("until/budget")
    const evaluation = await validateConfig({
      name: "budget",
      dataset: inline(rows.map(({ cluster: _, ...row }) => row)),
      variants: ["base", "other"].map((name) => ({ name, provider: answering(name, random, 0.1, 0, false) })),
      metrics: [exactMatch()],
      margin: 0.05,
      budget: { requests: 50 },
    })
    const { record, status } = await runEvaluation({ evaluation, store, id: "budget", untilDecided: true })
    expect(status).toBe("incomplete")
    expect(stoppingRecord(store, record.id)).toMatchObject({
      asked: new Map(Object.entries({ base: 20, other: 20 })),
      states: [{ candidate: "other", status: "open", samples: 20 }],
    })
  })
})
