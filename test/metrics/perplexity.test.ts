import { describe, expect, it } from "vitest"
import { perplexity, perplexityFigures } from "../../metrics/perplexity.ts"
import { answerOf, golden, noTools, sampleOf } from "./lexical-fixtures.ts"

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
      reason: "no_logprobs",
    })
    expect(perplexity().summarise([]).value).toBeNull()
  })
})
