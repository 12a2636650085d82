import { describe, expect, it } from "vitest"
import { judgedAnswerRelevancy } from "../../../metrics/judged/answer-relevancy.ts"
import { judgedContextPrecision } from "../../../metrics/judged/context-precision.ts"
import { judgedContextRecall } from "../../../metrics/judged/context-recall.ts"
import { judgedContextRelevancy } from "../../../metrics/judged/context-relevancy.ts"
import { judgedFaithfulness } from "../../../metrics/judged/faithfulness.ts"
import type { JudgedRow } from "../../../metrics/judged/judged-metric.ts"
import { judgedNoiseSensitivity } from "../../../metrics/judged/noise-sensitivity.ts"
import type { Metric } from "../../../src/core/metric/metric.ts"
import type { Provider } from "../../../src/core/provider.ts"
import type { Sample } from "../../../src/core/sample.ts"
import { fakeJudge, fakeTools, lastUserText } from "../../judges/support.ts"
import { readGolden } from "../../stats/golden.ts"
import { answerOf, sampleOf } from "../lexical-fixtures.ts"
import { stubEmbedder } from "../semantic/stub-embedder.ts"

interface Inputs {
  readonly useful: readonly number[]
  readonly attributed: readonly number[]
  readonly supported: readonly number[]
  readonly sentences: number
  readonly needed: readonly number[]
  readonly question: readonly number[]
  readonly generated: readonly (readonly number[])[]
  readonly noncommittal: readonly number[]
  readonly retrieved2ground_truth: readonly (readonly number[])[]
  readonly retrieved2answer: readonly (readonly number[])[]
  readonly ground_truth2answer: readonly number[]
}

const records = readGolden<Inputs, Readonly<Record<string, number>>>("ragas_formulas")
const casesOf = (kind: string) => records.filter(({ id }) => id.startsWith(kind))

/** Value of one answer by a metric whose judge replies as scripted. */
async function figureOf(metric: Metric<JudgedRow>, sample: Partial<Sample>, answer = "The answer."): Promise<number> {
  const measured = await metric.measure(sampleOf([], { input: "Why?", ...sample }), answerOf(answer), fakeTools())
  if (measured.status === "unscored") throw new Error(measured.reason)
  return metric.value(measured.row) ?? Number.NaN
}

const judge = (reply: object | ((prompt: string) => object)): Provider =>
  fakeJudge((request) => JSON.stringify(typeof reply === "function" ? reply(lastUserText(request)) : reply))
const passages = (count: number) => Array.from({ length: count }, (_, i) => `Passage number ${i}.`)
const supporters = (row: readonly number[]) => row.flatMap((value, i) => (value ? [i + 1] : []))

describe("judged metrics have Ragas' figures of the same verdicts", () => {
  it.each(casesOf("context-precision"))("$id, with a reference and without", async ({ inputs, expected }) => {
    const verdicts = inputs.useful.map((useful, i) => ({ passage: i + 1, useful: useful === 1 }))
    const provider = judge({ verdicts })
    const context = passages(inputs.useful.length)
    // Ragas adds 1e-10 to the number of useful passages.
    for (const [usefulFor, references] of [
      ["reference", ["A reference."]],
      ["answer", []],
    ] as const)
      expect(await figureOf(judgedContextPrecision({ provider, usefulFor }), { context, references })).toBeCloseTo(
        expected.context_precision as number,
        9,
      )
  })

  it.each(casesOf("context-recall"))("$id", async ({ inputs, expected }) => {
    const claims = inputs.attributed.map((attributed, i) => ({ claim: `c${i}`, sources: attributed ? [2] : [] }))
    const sample = { context: passages(2), references: ["A reference."] }
    expect(await figureOf(judgedContextRecall({ provider: judge({ claims }) }), sample)).toBeCloseTo(
      expected.context_recall as number,
      12,
    )
  })

  it.each(casesOf("faithfulness"))("$id", async ({ inputs, expected }) => {
    const claims = inputs.supported.map((value, i) => ({ sentence: 1, claim: `c${i}`, supported: value === 1 }))
    expect(await figureOf(judgedFaithfulness({ provider: judge({ claims }) }), { context: passages(1) })).toBeCloseTo(
      expected.faithfulness as number,
      12,
    )
  })

  it.each(casesOf("context-relevance"))("$id", async ({ inputs, expected }) => {
    const half = Math.floor(inputs.sentences / 2)
    const text = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => `Sentence ${from + i} stands here.`).join(" ")
    const metric = judgedContextRelevancy({ provider: judge({ needed: inputs.needed }) })
    expect(await figureOf(metric, { context: [text(0, half), text(half, inputs.sentences)] })).toBeCloseTo(
      expected.context_relevance as number,
      12,
    )
  })

  it.each(casesOf("response-relevancy"))("$id", async ({ inputs, expected }) => {
    const made = inputs.generated.map((_, i) => `Question ${i}?`)
    const questions = made.map((question, i) => ({ question, noncommittal: inputs.noncommittal[i] === 1 }))
    const vectors = { "Why?": inputs.question, ...Object.fromEntries(made.map((q, i) => [q, inputs.generated[i]])) }
    const metric = judgedAnswerRelevancy({
      provider: judge({ questions }),
      embedder: stubEmbedder(vectors as Record<string, readonly number[]>),
      questions: made.length,
    })
    // Vectors of embedders are single precision.
    expect(await figureOf(metric, {})).toBeCloseTo(expected.response_relevancy as number, 5)
  })

  it.each(casesOf("noise-sensitivity"))("$id", async ({ inputs, expected }) => {
    const count = inputs.retrieved2answer[0]?.length ?? 0
    const provider = judge((prompt) => {
      if (prompt.includes("\nA reference.\n") && !prompt.includes("\nThe answer.\n"))
        return { claims: inputs.retrieved2ground_truth.map((row, i) => ({ claim: `g${i}`, sources: supporters(row) })) }
      const claims = inputs.retrieved2answer.map((row, i) => ({
        claim: `a${i}`,
        sources: [...supporters(row), ...(inputs.ground_truth2answer[i] ? [count + 1] : [])],
      }))
      return { claims }
    })
    const sample = { context: passages(count), references: ["A reference."] }
    for (const from of ["relevant", "irrelevant"] as const)
      expect(await figureOf(judgedNoiseSensitivity({ provider, from }), sample)).toBeCloseTo(
        expected[from] as number,
        12,
      )
  })
})
