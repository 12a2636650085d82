import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { perplexity } from "../../metrics/perplexity/perplexity.ts"
import { prompt } from "../../src/config/prompt.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { systemClock } from "../../src/core/clock.ts"
import type { Generation } from "../../src/core/generation.ts"
import type { JsonObject } from "../../src/core/json.ts"
import { type Figure, figureValue } from "../../src/core/report/figure.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import type { QuantizationData, ReportSection, TableData } from "../../src/core/report/report-sections.ts"
import type { QuantizationType } from "../../src/local-model/gguf/quantize-gguf.ts"
import { type EvaluateOptions, evaluate } from "../../src/pipeline/evaluate.ts"
import { local } from "../../src/providers/local.ts"
import { textScorer } from "../../src/providers/text-scorer.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { scratchDirectory } from "../support/scratch.ts"

const directory = scratchDirectory()
const model = new URL("../../models/tiny/tiny-m-f16.gguf", import.meta.url)

/** A run that scores given texts, or given answers where rows have a reference, with one variant per quantization. */
async function run(id: string, quantizations: readonly QuantizationType[], rows: readonly JsonObject[]) {
  const asked = [
    { role: "user", content: "{{input}}" } as const,
    { role: "assistant", content: "{{reference}}" } as const,
  ]
  const evaluation = await validateConfig({
    name: "texts",
    dataset: inline(rows),
    variants: quantizations.map((quantization) => ({
      name: quantization,
      provider: textScorer(local(model, { quantization }), { window: 10, stride: 5 }),
      ...(rows[0]?.references && { prompt: prompt(asked) }),
    })),
    metrics: [perplexity()],
    margin: 0.05,
  })
  const store = openRunStore(directory)
  const options: EvaluateOptions = {
    evaluation,
    store,
    clock: systemClock,
    environment: process.env,
    cacheDirectory: directory,
    facts: { id, startedAt: "2026-01-01T00:00:00.000Z", versions: {}, configPath: null },
    signal: new AbortController().signal,
  }
  try {
    const { report, status } = await evaluate(options)
    expect(status).toBe("finished")
    // Log-probabilities are read from the store when they are looked at: here, while it is open.
    const whole = (generation: Generation): Generation => ({ ...generation })
    return { report, generations: quantizations.flatMap((name) => [...store.generations(id, name)].map(whole)) }
  } finally {
    store.close()
  }
}

/** The numbers of a column of a section's table. */
function column(report: RunReport, kind: string, title: string): number[] {
  const { columns, rows } = report.sections.find((section) => section.kind === kind)!.data as unknown as TableData
  const index = columns.findIndex((entry) => entry.title === title)
  return rows.map((row) => {
    const cell = row[index]
    return typeof cell === "number" ? cell : figureValue(cell as Figure)!
  })
}

/** A measure of the table of quantizations, one number per candidate. */
function measure(report: RunReport, name: string): number[] {
  const section = report.sections.find(({ kind }) => kind === "quantization")
  const { measures, variants } = (section as ReportSection).data as unknown as QuantizationData
  const index = measures.findIndex((entry) => entry.name === name)
  return variants.map(({ figures }) => figureValue(figures[index]?.figure as Figure) as number)
}

describe("given texts in a run", () => {
  it("divergence of given answers grows from Q8_0 over Q4_0 to Q2_0, and perplexity with it, stored and reported like any run", async () => {
    const file = await readFile(new URL("../../datasets/data/tiny-tasks.jsonl", import.meta.url), "utf8")
    const items = file
      .trim()
      .split("\n")
      .filter((_, i) => i % 15 === 0)
    const rows = items.map((line) => JSON.parse(line) as JsonObject)
    const { report, generations } = await run("answers", ["F16", "Q8_0", "Q4_0", "Q2_0"], rows)
    for (const { isGivenText, logprobs, text, usage, sampleId } of generations) {
      expect(isGivenText).toBe(true)
      expect(logprobs!.map(({ token }) => token).join("")).toBe(text)
      expect(usage.completionTokens).toBe(0)
      expect(rows.find(({ id }) => id === sampleId)?.references).toContain(text)
    }
    const [f16, q8, q4, q2] = column(report, "perplexity", "perplexity per token") as [number, number, number, number]
    expect(Math.abs(q8 / f16 - 1)).toBeLessThan(0.01)
    // On so few answers Q4_0 may do as well as Q8_0 by luck; the whole order is held against more in tiny-quantizations.
    expect(q4).toBeGreaterThan(0.99 * q8)
    expect(q2).toBeGreaterThan(Math.max(q4, q8))
    const kl = measure(report, "divergence")
    expect(kl[0]).toBeGreaterThan(0)
    expect(kl[1]).toBeGreaterThan(kl[0]!)
    expect(kl[2]).toBeGreaterThan(kl[1]!)
    // Mostly the same token is the likeliest.
    for (const share of measure(report, "topToken")) expect(share).toBeGreaterThan(0.5)
  }, 300_000)

  it("reads plain texts through a sliding window, each token once", async () => {
    const file = await readFile(new URL("../../datasets/data/tiny-calibration.txt", import.meta.url), "utf8")
    const rows = file
      .trim()
      .split("\n")
      .slice(0, 4)
      .map((input) => ({ input }))
    const { report, generations } = await run("texts", ["F16"], rows)
    expect(generations.map(({ text }) => text).sort()).toEqual(rows.map(({ input }) => input).sort())
    for (const { logprobs, text } of generations) expect(logprobs!.map(({ token }) => token).join("")).toBe(text)
    const [bits] = column(report, "perplexity", "bits per byte")
    expect(bits).toBeGreaterThan(0)
    expect(bits).toBeLessThan(8)
  }, 120_000)
})
