import { expect, it } from "vitest"
import { inline } from "../../../datasets/inline.ts"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { divergence } from "../../../metrics/perplexity/divergence.ts"
import { validateConfig } from "../../../src/config/validate.ts"
import type { PairMetric } from "../../../src/core/metric/pair-metric.ts"
import type { QuantizationData, TableData } from "../../../src/core/report/report-sections.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { runEvaluation } from "../../support/run-fixtures.ts"
import { scratchStore } from "../../support/scratch-store.ts"

/** A pair metric of a user's own: the difference of two lengths. */
const lengthGap: PairMetric<number> = {
  name: "lengthGap",
  signature: "lengthGap|unit:characters",
  range: [0, Number.POSITIVE_INFINITY],
  measure: (_sample, baseline, candidate) => ({
    status: "scored",
    row: Math.abs(baseline.text.length - candidate.text.length),
  }),
  value: (row) => row,
  summarise: (rows) => ({ value: rows.reduce((sum, { row }) => sum + row, 0) / rows.length }),
}

/** Answers of one token, whose mass moves from the first to the second alternative. */
const answering = (name: string, text: string, shift: number, quantization?: string) => {
  const top = [0.8 - shift, 0.2 + shift].map((share, i) => ({ token: "ab"[i] as string, logprob: Math.log(share) }))
  const logprobs = [{ token: "a", logprob: Math.log(0.8 - shift), top }]
  const provider = fakeProvider(name, () => fakeAnswer(text, "ok", { logprobs }), { model: "tiny" })
  return { name, provider: quantization ? { ...provider, quantization } : provider, price: null }
}

async function sectionsOf(pairMetrics: readonly PairMetric[], quantizations: readonly (string | undefined)[]) {
  const store = scratchStore()
  const evaluation = await validateConfig({
    name: "pairs",
    dataset: inline(Array.from({ length: 30 }, (_, i) => ({ id: `s${i}`, input: `q${i}`, references: ["a"] }))),
    variants: [
      answering("f16", "a", 0, quantizations[0]),
      answering("q8", "a", 0.01, quantizations[1]),
      answering("q4", "abc", 0.3, quantizations[2]),
    ],
    metrics: [exactMatch()],
    pairMetrics,
  })
  const { report } = await runEvaluation({ evaluation, store })
  return report.sections.filter(({ kind }) => kind === "divergence" || kind === "quantization")
}

const columnsOf = (section: { data: unknown }) => (section.data as TableData).columns.map(({ title }) => title)

it("every pair metric has its section, where variants state a quantization, too", async () => {
  const [quantization, gap, ...more] = await sectionsOf([divergence(), lengthGap], ["F16", "Q8_0", "Q4_0"])
  expect(more).toEqual([])
  expect(quantization?.kind).toBe("quantization")
  expect(gap?.title).toBe("lengthGap compared with f16")
  expect(columnsOf(gap!)).toEqual([...["variant", "lengthGap", "changed but equal", "right → wrong", "wrong → right"]])
  expect((gap!.data as TableData).rows[1]).toEqual(
    expect.arrayContaining(["q4", expect.objectContaining({ value: 2 })]),
  )
})

it("a metric that is no divergence is not shown as one, whichever stands first", async () => {
  const [quantization, gap] = await sectionsOf([lengthGap, divergence()], ["F16", "Q8_0", "Q4_0"])
  const { variants, measures } = quantization!.data as QuantizationData
  const index = measures.findIndex(({ name }) => name === "divergence")
  expect(variants.map(({ figures }) => figures[index]?.figure)).toMatchObject([
    { method: expect.stringMatching(/^divergence\|/) },
    { method: expect.stringMatching(/^divergence\|/) },
  ])
  expect(gap?.title).toBe("lengthGap compared with f16")
  const [plain, tokens] = await sectionsOf([lengthGap, divergence()], [])
  expect([plain?.title, tokens?.title]).toEqual([
    ...["lengthGap compared with f16", "Token distributions compared with f16"],
  ])
  // Nothing says that two lengths may be put in an order, so nothing is said of one.
  expect(plain?.sentences).toEqual([])
  expect(tokens?.sentences[0]).toMatch(
    /^Mean KL divergence from f16 in nats\/token, smallest first: q8 \(.*\), then q4/,
  )
  expect(columnsOf(tokens!).slice(1, 6)).toEqual([
    ...["mean KL divergence", "p99 KL divergence", "first difference (median)", "same top token", "same text"],
  ])
})
