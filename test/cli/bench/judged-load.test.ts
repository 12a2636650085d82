import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { withoutLinks } from "../../support/page.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { evalkit } from "./endpoint.ts"
import { type OverloadedRouter, startOverloadedRouter } from "./overloaded-router.ts"

const loads = [1, 4, 8, 16]
const requests = 48
const places = 4
const folder = scratchDirectory()
let router: OverloadedRouter

beforeAll(async () => {
  router = await startOverloadedRouter(places)
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { rubrics, defineConfig, inline, openai, panel, rubric } from "evalkit"
     const tokens = (inputPerMillion, outputPerMillion) =>
       ({ kind: "tokens", inputPerMillion, cachedInputPerMillion: null, outputPerMillion, source: "a test", date: "2026-01-01" })
     const service = openai({ model: "m", baseUrl: ${JSON.stringify(router.serviceUrl)}, apiKeyVariable: null })
     const judge = (model) =>
       rubric({ provider: openai({ model, baseUrl: ${JSON.stringify(router.judgeUrl)}, apiKeyVariable: null, price: tokens(1, 2) }), rubric: rubrics.correctness, judge: model })
     const questions = Array.from({ length: 12 }, (_, i) => ({ input: \`Capital of France? \${i}\`, reference: "Paris" }))
     export default defineConfig({
       dataset: inline([...questions, { input: "warm-up", reference: "Paris" }]),
       variants: [{ name: "a", provider: service, price: tokens(2.5, 15) }, { name: "b", provider: service, price: tokens(2.5, 15) }],
       metrics: [panel([judge("strict"), judge("lenient")], { name: "judged" })],
     })`,
  )
})
afterAll(async () => {
  await router.close()
})

interface Level {
  readonly variant: string
  readonly concurrency: number
  readonly quality: number
  readonly slo_attainment: number
  readonly correct_slo_attainment: number
  readonly metrics: Readonly<Record<string, object>>
  readonly judges: object
  readonly judge_usd: number
  readonly cost_usd: number
  readonly cost_per_correct_usd: number
  readonly tokens: object
}

describe("quality under load, by a panel of judges", () => {
  let levels: readonly Level[]
  let page: string

  beforeAll(async () => {
    const args = [
      "--concurrency",
      loads.join(","),
      "--requests",
      String(requests),
      "--slo",
      "e2e<30s",
      "--no-calibrate",
    ]
    const { exitCode, out, err } = await evalkit(
      ["bench", ...args, "--capture-threads", "0", "--html", "judged.html", "--json"],
      folder,
    )
    expect(err.replace(/evalkit: (?:wrote judged\.html|kept as bench )/g, "")).not.toContain("evalkit:")
    expect(exitCode).toBe(0)
    levels = JSON.parse(out)
    page = readFileSync(join(folder, "judged.html"), "utf8")
  }, 120_000)

  const rightOf = (level: number) =>
    router.arrivals
      .filter(({ kind }) => kind === "service")
      .slice(level * 2 * requests, (level + 1) * 2 * requests)
      .filter(({ right }) => right).length

  it("falls with concurrency once the service is overloaded, exactly as its answers do", () => {
    expect(levels.map(({ variant, concurrency }) => `${variant}${concurrency}`)).toEqual(
      loads.flatMap((load) => [`a${load}`, `b${load}`]),
    )
    for (const [i, load] of loads.entries()) {
      const both = levels.filter(({ concurrency }) => concurrency === load)
      const right = both.reduce((sum, { quality }) => sum + quality * requests, 0)
      expect(right).toBeCloseTo(rightOf(i), 9)
      for (const level of both) {
        // Every answer came in time, so that what is left of it is what is right.
        expect(level.slo_attainment).toBe(1)
        expect(level.correct_slo_attainment).toBe(level.quality)
        expect(level.metrics.judged).toMatchObject({ value: level.quality, scored: requests, unscored: 0 })
        if (load <= places) expect(level.quality).toBe(1)
        if (load === 8) expect(level.quality).toBeLessThan(0.9)
        if (load === 16) expect(level.quality).toBeLessThan(0.75)
      }
    }
  })

  it("asks no judge while a load runs, on any variant's turn", () => {
    expect(router.arrivals.every(({ others }) => others === 0)).toBe(true)
    const kinds = router.arrivals.map(({ kind }) => kind)
    const turns = kinds.filter((kind, i) => kind !== kinds[i - 1])
    expect(turns).toEqual(loads.flatMap(() => ["service", "judge"]))
  })

  it("keeps the judges' tokens and dollars apart from the service's", () => {
    const calls = 2 * requests
    for (const level of levels) {
      expect(level.judges).toMatchObject({
        calls,
        replayed: 0,
        prompt_tokens: 100 * calls,
        completion_tokens: 10 * calls,
        usd: expect.closeTo((calls * (100 * 1 + 10 * 2)) / 1e6, 9),
      })
      expect(level.judge_usd).toBeCloseTo((calls * 120) / 1e6, 9)
      expect(level.cost_usd).toBeCloseTo((requests * (10 * 2.5 + 4 * 15)) / 1e6, 9)
      expect(level.tokens).toMatchObject({ prompt: 10 * requests, completion: 4 * requests })
    }
  })

  it("charges wrong answers to the right ones", () => {
    for (const { cost_usd: total, cost_per_correct_usd: each, quality } of levels)
      expect(each).toBeCloseTo(total / (quality * requests), 12)
  })

  it("draws the fall on the page, beside the correct share and the judges' bill", () => {
    expect(withoutLinks(page)).toContain('<p class="curves-title">Quality under load</p>')
    expect(page).toContain('aria-label="Quality under load"')
    expect(page).toContain("a, with a correct answer")
    expect(page).toMatch(/<p class="note caption">Judges are called after a load has ended\./)
    expect(page).toContain('<td title="sum of priced usage of the judges, n 96">$0.0115</td>')
  })
})
