import { describe, expect, it } from "vitest"
import { answerPerplexity } from "../../../metrics/perplexity/answer-perplexity.ts"
import { perplexity } from "../../../metrics/perplexity/perplexity.ts"
import { perplexityFigures } from "../../../metrics/perplexity/row.ts"
import { type Figure, figureValue } from "../../../src/core/report/figure.ts"
import type { TableData } from "../../../src/core/report/report-sections.ts"
import { percent } from "../../../src/words/percent.ts"
import { answerOf, golden, noTools, sampleOf } from "../lexical-fixtures.ts"

interface Inputs {
  readonly token_logprobs: readonly number[]
  readonly n_bytes: number
}
interface Expected {
  readonly mean_nll: number
  readonly perplexity: number
  readonly bits_per_byte: number
  readonly sequence_logprob: number
}

const rows = golden<Inputs, Expected>("perplexity")
const answer = (logprobs: readonly number[], text: string) => ({
  ...answerOf(text),
  logprobs: logprobs.map((logprob) => ({ token: "x", logprob, top: [] })),
})

describe("perplexity", () => {
  it.each(rows)("equals the reference on $id", async ({ inputs, expected }) => {
    const metric = perplexity()
    const measured = await metric.measure(
      sampleOf([]),
      answer(inputs.token_logprobs, "x".repeat(inputs.n_bytes)),
      noTools,
    )
    if (measured.status !== "scored") throw new Error(measured.reason)
    const figures = perplexityFigures([measured.row])
    expect(Math.abs(metric.value(measured.row)! / expected.perplexity - 1)).toBeLessThan(1e-9)
    expect(Math.abs(figures.natsPerToken - expected.mean_nll)).toBeLessThan(1e-9)
    expect(Math.abs(figures.bitsPerByte! - expected.bits_per_byte)).toBeLessThan(1e-9)
    expect(Math.abs(-measured.row.nats - expected.sequence_logprob)).toBeLessThan(1e-9)
  })

  it("weighs answers by their tokens", () => {
    const metric = perplexity()
    const entry = (nats: number, tokens: number) => ({
      row: { nats, tokens, words: 1, bytes: 8 },
      sampleId: "s",
      repeat: 0,
    })
    // 1 token of probability 1/4 and 3 tokens of probability 1: 4^(1/4)
    expect(metric.summarise([entry(Math.log(4), 1), entry(0, 3)]).value).toBeCloseTo(4 ** 0.25, 12)
  })

  it("counts words by white space and bytes in UTF-8", async () => {
    const measured = await perplexity().measure(sampleOf([]), answer([-1], " grüne Äpfel\n"), noTools)
    expect(measured).toMatchObject({ row: { words: 2, bytes: 15, tokens: 1 } })
  })

  it("leaves answers without log-probabilities unscored", async () => {
    expect(await perplexity().measure(sampleOf([]), answerOf("x"), noTools)).toEqual({
      status: "unscored",
      code: "no_logprobs",
      reason: "no_logprobs",
    })
    expect(perplexity().summarise([]).value).toBeNull()
  })
})

/** Thirty scored texts; the factor is of their cross-entropy. */
function texts(factor: number) {
  return Array.from({ length: 30 }, (_, i) => ({
    sampleId: `t${i}`,
    repeat: 0,
    measured: {
      status: "scored" as const,
      row: { nats: factor * (10 + (i % 7)), tokens: 10, words: 5, bytes: 30 },
    },
    value: null,
  }))
}

describe("perplexity and answerPerplexity", () => {
  const measuredAnswer = (isGivenText: boolean) => ({
    ...answer([Math.log(0.5), Math.log(0.5)], "ab"),
    source: "measured" as const,
    isGivenText,
  })

  it("distinguish given texts from the model's own words", async () => {
    const [given, own] = [measuredAnswer(true), measuredAnswer(false)]
    expect(await perplexity().measure(sampleOf([]), given, noTools)).toMatchObject({ row: { tokens: 2 } })
    expect(await perplexity().measure(sampleOf([]), own, noTools)).toMatchObject({
      reason: expect.stringMatching(/^own_answer/),
    })
    expect(await answerPerplexity().measure(sampleOf([]), own, noTools)).toMatchObject({ row: { tokens: 2 } })
    expect(await answerPerplexity().measure(sampleOf([]), given, noTools)).toMatchObject({
      reason: expect.stringMatching(/^given_text/),
    })
    expect([perplexity().name, answerPerplexity().name]).toEqual(["perplexity", "answerPerplexity"])
  })

  it("shows texts per token, per word and per byte with intervals, and the ratio to the first variant", () => {
    const section = perplexity().section!([
      { variant: "f16", rows: texts(1) },
      { variant: "q2", rows: texts(1.1) },
      { variant: "none", rows: [] },
    ])!
    const { columns, rows: lines } = section.data as unknown as TableData
    expect(columns.map(({ title }) => title)).toEqual([
      "variant",
      "perplexity per token",
      "per word",
      "bits per byte",
      "ratio to f16",
      "texts",
      "tokens",
    ])
    expect(lines).toHaveLength(2)
    const [f16, q2] = lines as [Figure[], Figure[]]
    const meanNats = texts(1).reduce((sum, { measured }) => sum + measured.row.nats, 0) / 30
    expect(figureValue(f16[1])).toBeCloseTo(Math.exp(meanNats / 10), 12)
    expect(figureValue(f16[2])).toBeCloseTo(Math.exp(meanNats / 5), 9)
    expect(figureValue(f16[3])).toBeCloseTo(meanNats / Math.LN2 / 30, 12)
    expect(figureValue(q2[4])).toBeCloseTo(Math.exp((0.1 * meanNats) / 10), 12)
    for (const figure of [...f16.slice(1, 4), q2[4]!]) {
      if (figure.status === "unknown") throw new Error(figure.reason)
      expect(figure.low!).toBeLessThanOrEqual(figure.value)
      expect(figure.high!).toBeGreaterThanOrEqual(figure.value)
    }
    const share = percent((figureValue(q2[4]) as number) - 1)
    expect(section.sentences[0]).toMatch(
      /^q2 is [\d.]+ % more surprised than f16 \(between [\d.]+ % and [\d.]+ %, n = 30\)\.$/,
    )
    expect(section.sentences[0]).toContain(`q2 is ${share} more`)
  })

  it("says a small change as per cent, to its last digit that counts, either way", () => {
    const said = (factor: number) =>
      perplexity().section!([
        { variant: "f16", rows: texts(1) },
        { variant: "q8", rows: texts(factor) },
      ])!.sentences[0]
    expect(said(1.001)).toMatch(/^q8 is 0\.13 % more surprised than f16 \(between 0\.1\d* % and 0\.1\d* %/)
    expect(said(0.999)).toMatch(/^q8 is 0\.13 % less surprised than f16 \(between 0\.1\d* % and 0\.1\d* %/)
  })

  it("has no section where no text was scored", () => {
    expect(perplexity().section!([{ variant: "none", rows: [] }])).toBeNull()
  })
})
