import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { figureValue } from "../../src/core/report/figure.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { fallback } from "../../src/providers/fallback.ts"
import { openai } from "../../src/providers/openai.ts"
import { ask, testContext } from "../support/ask.ts"
import { runCli } from "../support/cli.ts"
import { type PickyService, startPickyService } from "../support/picky-service.ts"
import { schemaErrors } from "../support/report-schema.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { testPrice } from "../support/test-price.ts"

const delayMs = 200
const folder = scratchDirectory()
let first: PickyService
let second: PickyService

beforeAll(async () => {
  first = await startPickyService({
    refusedDelayMs: delayMs,
    refuse: ({ body }) =>
      /w\d*[13579]"/.test(JSON.stringify(body.messages)) ? { status: 503, message: "overloaded" } : null,
  })
  second = await startPickyService()
})
afterAll(async () => {
  await Promise.all([first.close(), second.close()])
})

const price = (inputPerMillion: number) => testPrice(inputPerMillion, 2 * inputPerMillion)

describe("fallback", () => {
  it("is a variant with the quality, the time and the cost of the pair, and counts who answered", async () => {
    const rows = Array.from({ length: 12 }, (_, i) => ({ id: `q${i}`, input: `say w${i}`, references: [`w${i}`] }))
    await writeFile(
      join(folder, "eval.config.ts"),
      `import { defineConfig, exactMatch, fallback, inline, openai } from "evalkit"
       const main = openai({ model: "main", baseUrl: ${JSON.stringify(first.url)}, apiKeyVariable: null, label: "main", price: ${JSON.stringify(price(1))} })
       const spare = openai({ model: "spare", baseUrl: ${JSON.stringify(second.url)}, apiKeyVariable: null, label: "spare", price: ${JSON.stringify(price(10))} })
       export default defineConfig({ dataset: inline(${JSON.stringify(rows)}), metrics: [exactMatch()], concurrency: 2, budget: "1usd",
         variants: [{ name: "spare", provider: spare }, { name: "pair", provider: fallback([main, spare]) }] })`,
    )
    const { code, stdout, stderr } = await runCli(["run", "--json"], { cwd: folder })
    expect([0, 4], stderr).toContain(code)
    const result = JSON.parse(stdout)
    const report: RunReport = result.report ?? result
    const [spare, pair] = report.variants
    expect(pair?.outcomes).toEqual({ ok: 12 })
    expect(pair?.quality[0]?.figure).toMatchObject({ value: 1 })
    expect(pair?.answeredBy).toEqual({ main: 6, spare: 6 })
    expect(pair?.notes).toContain("answered by main: 6, spare: 6")
    expect(pair?.retries).toBe(6)
    expect(pair?.cost.totalUsd).toMatchObject({ status: "known", value: expect.closeTo(6 * 14e-6 + 6 * 140e-6, 9) })
    expect(pair?.cost.priceSource).toBe(
      "the price of whoever answered (main: test (2026-01-01); spare: test (2026-01-01))",
    )
    const p95 = (variant: typeof pair) => figureValue(variant?.speed.e2eMs.p95) ?? Number.NaN
    expect(p95(pair)).toBeGreaterThan(delayMs)
    expect(p95(spare)).toBeLessThan(p95(pair))
    expect(schemaErrors(report)).toEqual([])
  })

  it("begins the answer's time with the first request, and keeps the failed one as an attempt", async () => {
    const provider = (service: PickyService, model: string) =>
      openai({ model, baseUrl: service.url, apiKeyVariable: null, label: model, price: price(1) })
    const session = await fallback([provider(first, "main"), provider(second, "spare")]).open(testContext())
    const answer = await ask(session, { content: "say w1" })
    await session.close()
    expect(answer).toMatchObject({
      outcome: "ok",
      answeredBy: "spare",
      lost: [{ outcome: "http_5xx", httpStatus: 503 }],
    })
    expect(answer.log.endMs - answer.log.sendMs).toBeGreaterThan(delayMs - 20)
  })

  it("is the last member's failure when all fail, with the others before it", async () => {
    const down = (model: string) => openai({ model, baseUrl: first.url, apiKeyVariable: null, label: model })
    const session = await fallback([down("a"), down("b"), down("c")]).open(testContext())
    const answer = await ask(session, { content: "say w3" })
    await session.close()
    expect(answer).toMatchObject({ outcome: "http_5xx", answeredBy: "c" })
    expect(answer.lost).toHaveLength(2)
  })

  it("needs two providers", () => {
    expect(() => fallback([openai({ model: "m" })])).toThrow("at least two")
  })
})
