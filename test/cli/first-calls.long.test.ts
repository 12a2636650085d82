import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { figureValue } from "../../src/core/report/figure.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { callCli } from "../support/call-cli.ts"
import { isNightly } from "../support/nightly.ts"
import { type PickyOptions, type PickyService, startPickyService } from "../support/picky-service.ts"

let folder: string
let service: PickyService
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evalkit-first-"))
})
afterEach(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

async function run(options: PickyOptions, samples: number, metrics = "") {
  service = await startPickyService(options)
  const rows = Array.from({ length: samples }, (_, i) => ({ id: `q${i}`, input: `say w${i}`, references: [`w${i}`] }))
  await writeFile(
    join(folder, "eval.config.ts"),
    `import { defineConfig, embeddingSimilarity, exactMatch, inline, moderation, openai, openaiEmbeddings, openaiModeration, panel, renderers, rubric, rubrics } from "evalkit"
     const at = { baseUrl: ${JSON.stringify(service.url)}, apiKeyVariable: "PICKY_KEY" }
     const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 2, source: "list", date: "2026-11-01" } as const
     const provider = (model: string) => openai({ model, ...at, price })
     const judge = (model: string, options = {}) => rubric({ name: model, provider: provider(model), rubric: rubrics.correctness, ...options })
     export default defineConfig({ dataset: inline(${JSON.stringify(rows)}), metrics: [exactMatch(), ${metrics}], concurrency: 16,
       reports: [renderers.markdown(), renderers.terminal()], retry: { retries: 0 },
       variants: [{ name: "a", provider: provider("a") }, { name: "b", provider: provider("b") }] })`,
  )
  return callCli(["run", "--json"], { cwd: folder, environment: { PICKY_KEY: "sk-picky-0123456789" } })
}

describe("the first calls of a run", () => {
  it("stop it before the rest is spent, when no endpoint answers them", async () => {
    const refuse = () => ({ status: 401, message: "Incorrect API key provided" })
    const { code, stdout, stderr } = await run({ refuse }, 40)
    expect(code, stderr).toBe(5)
    expect(service.seen.length).toBe(2)
    expect(stdout + stderr).toContain("Incorrect API key provided")
  })

  it("try three samples before they blame the endpoint, and go on when one is answered", {
    skip: !isNightly,
  }, async () => {
    const refuse = ({ body }: { body: Readonly<Record<string, unknown>> }) =>
      /w\d\b/.test(JSON.stringify(body.messages)) && !/w7\b/.test(JSON.stringify(body.messages))
        ? { status: 400, message: "this prompt cannot be read" }
        : null
    const { code, stdout } = await run({ refuse }, 20)
    expect([0, 4, 5]).toContain(code)
    expect(JSON.parse(stdout).report?.variants ?? JSON.parse(stdout).variants).toMatchObject([
      { finished: 20 },
      { finished: 20 },
    ])
  })

  it("teach the limiter what the service allows, so that no call meets a 429", { skip: !isNightly }, async () => {
    // Ten a second and at most ten at once, for each model; the service counts strictly.
    const buckets = new Map<string, { left: number; at: number }>()
    const bucketOf = (model: string) => {
      const now = performance.now()
      const { left, at } = buckets.get(model) ?? { left: 10, at: now }
      const filled = { left: Math.min(10, left + (now - at) / 100), at: now }
      buckets.set(model, filled)
      return filled
    }
    let limited = 0
    const { code, stderr } = await run(
      {
        refuse({ model }) {
          const bucket = bucketOf(model)
          if (bucket.left < 1) {
            limited++
            return { status: 429, message: "too many" }
          }
          bucket.left--
          return null
        },
        headers: ({ model }) => ({
          "x-ratelimit-limit-requests": "600",
          "x-ratelimit-remaining-requests": String(Math.max(0, Math.floor(bucketOf(model).left - 1))),
          "x-ratelimit-reset-requests": "500ms",
        }),
      },
      30,
    )
    expect([0, 4], stderr).toContain(code)
    expect(limited).toBe(0)
    expect(service.seen.length).toBe(60)
  })
})

const scores: PickyOptions = {
  answer: ({ model, body }) =>
    model.startsWith("j") ? '{"verdict":"yes"}' : (JSON.stringify(body.messages).match(/w\d+/)?.[0] ?? ""),
}
const ofVariants = () => service.seen.filter(({ model }) => model === "a" || model === "b").length
const of = (model: string) => service.seen.filter((request) => request.model === model).length

describe("the first calls of a run's metrics", () => {
  it.runIf(isNightly).each([
    ["a judge", 'judge("j1")', "Incorrect API key provided"],
    ["every judge of a panel", 'panel([judge("j1"), judge("j2")])', "Incorrect API key provided"],
    [
      "an embedder",
      'embeddingSimilarity({ embedder: openaiEmbeddings({ model: "j1", ...at, retries: 0 }) })',
      "Incorrect API key",
    ],
    [
      "a moderation service",
      'moderation({ by: openaiModeration({ model: "j1", ...at, retries: 0 }) })',
      "Incorrect API key",
    ],
  ])("stop it before the rest is spent, when %s does not answer", async (_what, metrics, words) => {
    const refuse: PickyOptions["refuse"] = ({ model }) =>
      model.startsWith("j") ? { status: 401, message: "Incorrect API key provided" } : null
    const { code, stderr } = await run({ ...scores, refuse }, 40, metrics)
    expect(code, stderr).toBe(5)
    expect(ofVariants()).toBe(2)
    expect(of("j1")).toBeLessThanOrEqual(3)
    expect(stderr).toContain("the first call to every judge or encoder failed")
    expect(stderr).toContain(words)
  })

  it("let it go on when one of them answers, and count, bill and keep what they brought", async () => {
    const { code, stdout, stderr } = await run(
      {
        ...scores,
        refuse: ({ model }) => (model === "j2" ? { status: 401, message: "Incorrect API key provided" } : null),
      },
      10,
      'judge("j1"), judge("j2")',
    )
    expect([0, 4], stderr).toContain(code)
    // Both variants answer the same: ten verdicts are asked for, the first among them, and paid for once.
    expect(of("j1")).toBe(10)
    const { variants } = JSON.parse(stdout) as RunReport
    const paid = variants.map(({ cost }) => figureValue(cost.judgeUsd) ?? Number.NaN)
    expect(paid[0]! + paid[1]!).toBeCloseTo(10 * 14e-6, 9)
    expect(variants[0]?.quality.find(({ metric }) => metric === "j1")).toMatchObject({ scored: 10, total: 10 })
  })

  it("tell what is refused to a judge, once for each judge, in every report", async () => {
    const { stdout, stderr } = await run(
      {
        ...scores,
        refuse: ({ model, body }) =>
          model.startsWith("j") && body.temperature !== undefined
            ? { status: 400, message: "Unsupported value: 'temperature' does not support 0 with this model." }
            : null,
      },
      10,
      'judge("j1"), judge("j2")',
    )
    const report = JSON.parse(stdout) as RunReport
    const words = (judge: string) => `openai ${judge} was asked without temperature, which its endpoint refuses`
    const check = report.checks.find(({ name }) => name === "judges were asked with their parameters")
    expect(check, stderr).toMatchObject({ status: "failed" })
    const shown = await callCli(["report", "--format", "terminal"], { cwd: folder })
    const markdown = await callCli(["report", "--format", "md"], { cwd: folder })
    for (const judge of ["j1", "j2"]) {
      for (const text of [check?.message ?? "", shown.stdout, markdown.stdout])
        expect(text.replace(/\s+/g, " ").split(words(judge)).length - 1, `${judge}: ${text}`).toBe(1)
      // Both variants answer the same, so that ten verdicts are asked for; what is refused is refused once.
      expect(of(judge)).toBe(11)
    }
    expect(report.variants.every(({ quality }) => quality.every(({ scored }) => scored === 10))).toBe(true)
  })
})
