import { describe, expect, it } from "vitest"
import { entailmentClasses } from "../../../metrics/consistency/entailment-classes.ts"
import { semanticEntropy } from "../../../metrics/consistency/semantic-entropy.ts"
import type { DetectorRow } from "../../../metrics/hallucination/detector-row.ts"
import type { EntailmentModel } from "../../../metrics/hallucination/entailment.ts"
import { type SelfConsistencyOptions, selfConsistency } from "../../../metrics/hallucination/self-consistency.ts"
import type { JsonValue } from "../../../src/core/json.ts"
import type { Embedder } from "../../../src/core/metric/embedder.ts"
import type { Metric, RowEntry } from "../../../src/core/metric/metric.ts"
import type { MetricTools } from "../../../src/core/metric/metric-tools.ts"
import { answerOf, noTools, sampleOf } from "../lexical-fixtures.ts"

const withOthers = (answers: readonly string[], own: number, awaited = 0): MetricTools => ({
  ...noTools,
  otherAnswers: () => ({
    answers: answers.flatMap((text, repeat) => (repeat === own ? [] : [{ repeat, text }])),
    awaited,
  }),
})

/** Measures every answer against the others, as a run with repeats does. */
async function entriesOf<Row>(metric: Metric<Row>, answers: readonly string[]): Promise<RowEntry<Row>[]> {
  const entries: RowEntry<Row>[] = []
  for (const [repeat, text] of answers.entries()) {
    const generation = { ...answerOf(text), repeat }
    const measured = await metric.measure(sampleOf([]), generation, withOthers(answers, repeat))
    if (measured.status === "scored") entries.push({ row: measured.row, sampleId: "s", repeat })
  }
  return entries
}

async function figure(options: SelfConsistencyOptions, answers: readonly string[]): Promise<number | null> {
  const metric = selfConsistency(options)
  return metric.summarise(await entriesOf(metric, answers)).value
}

/** One token per word; the vectors of two words are equal when the words are, else at right angles. */
function oneHotEmbedder(): Embedder {
  const words = new Map<string, number>()
  const indexOf = (word: string) => {
    if (!words.has(word)) words.set(word, words.size)
    return words.get(word) as number
  }
  return {
    identity: "one-hot",
    embed: async () => [],
    embedTokens: async (texts) =>
      texts.map((text) => {
        const tokens = ["[CLS]", ...text.toLowerCase().replace(/[.]/g, "").split(" "), "[SEP]"]
        const vectors = new Float32Array(tokens.length * 50)
        for (const [i, token] of tokens.entries()) vectors[i * 50 + indexOf(token)] = 1
        const special = Uint8Array.from(tokens, (token) => Number(token.startsWith("[")))
        return { tokens, vectors, dimension: 50, special }
      }),
    close: async () => {},
  }
}

const nli: EntailmentModel = {
  identity: "known",
  entailment: async (pairs) => pairs.map(({ premise, hypothesis }) => Number(premise.length === hypothesis.length)),
  contradiction: async (pairs) => pairs.map(({ premise, hypothesis }) => (hypothesis.includes(premise) ? 0.1 : 0.9)),
}

describe("selfConsistency", () => {
  it("is 0 for equal answers and follows the formulas by hand", async () => {
    expect(await figure({}, ["Paris is old.", "Paris is old."])).toBe(0)
    expect(await figure({}, ["Paris", "Paris", "Lyon"])).toBeCloseTo(2 / 3, 12)
    // Of three words two are Paris: −ln 2/3 twice, −ln 1/3 once.
    const byHand = (2 * Math.log(3 / 2) + Math.log(3)) / 3
    expect(await figure({ form: "ngram" }, ["Paris", "Paris", "Lyon"])).toBeCloseTo(byHand, 12)
    // After "river" comes "Rhine" once, "Elbe" twice; "river" opens all three sentences.
    const bigrams = (2 * Math.log(3 / 2) + Math.log(3)) / 3
    expect(await figure({ form: "ngram", n: 2 }, ["River Elbe", "River Elbe", "River Rhine"])).toBeCloseTo(bigrams, 12)
  })

  it("is 1 − the best F1 among the sentences of each other answer in the BERTScore form", async () => {
    const embedder = oneHotEmbedder()
    expect(await figure({ form: "bertScore", embedder }, ["a1 b1", "x1 y1. a1 b1."])).toBeCloseTo(
      // The first answer's sentence is in the second; of the second's two, one is in the first and one is not.
      (0 + (1 + 0) / 2) / 2,
      6,
    )
    expect(await figure({ form: "bertScore", embedder }, ["a1 b1 c1 d1", "a1 b1 x1 y1"])).toBeCloseTo(0.5, 6)
  })

  it("is the probability of contradiction, averaged over the other answers, in the NLI form", async () => {
    expect(await figure({ form: "nli", model: nli }, ["cats sleep", "cats sleep", "dogs bark"])).toBeCloseTo(
      // cats: 0.1 and 0.9; dogs: 0.9 twice.
      (0.5 + 0.5 + 0.9) / 3,
      12,
    )
    expect(() => selfConsistency({ form: "nli" })).toThrow(/contradiction/)
    expect(() => selfConsistency({ form: "nli", model: { ...nli, contradiction: undefined! } })).toThrow(
      /contradiction/,
    )
  })

  it("marks the sentences that the other answers do not support, and is a detector whose figure is a score", async () => {
    const metric = selfConsistency()
    const answers = ["Ada lived in London. She kept ravens.", "Ada lived in London.", "Ada lived in London."]
    const [first] = await entriesOf<DetectorRow>(metric, answers)
    expect(first?.row).toMatchObject({
      score: 0.5,
      checked: 2,
      unsupported: 1,
      offences: [
        { text: "She kept ravens.", start: 21, reason: expect.stringMatching(/not supported by the other answers/) },
      ],
    })
    expect(metric.value(first!.row)).toBe(0.5)
    expect(metric.cost).toMatch(/repeated answers/)
  })

  it("takes the other answers from the row outside a run, and is unscored without any", async () => {
    const sample = sampleOf([], { metadata: { otherAnswers: ["Paris", "Lyon"] }, label: true })
    const measured = await selfConsistency().measure(sample, answerOf("Paris"), noTools)
    expect(measured).toMatchObject({ status: "scored", row: { score: 0.5, label: true } })
    expect(await selfConsistency().measure(sampleOf([]), answerOf("Paris"), noTools)).toMatchObject({
      reason: expect.stringMatching(/^no_repeats/),
    })
    expect(await selfConsistency().measure(sampleOf([]), answerOf("!"), noTools)).toMatchObject({
      reason: expect.stringMatching(/^no_sentence/),
    })
  })

  it("waits for repeats that are planned", async () => {
    const tools = withOthers(["Paris", "Paris"], 0, 1)
    expect(await selfConsistency().measure(sampleOf([]), answerOf("Paris"), tools)).toMatchObject({
      reason: expect.stringMatching(/^not_yet: 1 repeat of the sample is not answered/),
    })
  })
})

describe("entailmentClasses", () => {
  it("puts answers that entail each other into one class, for semantic entropy", async () => {
    const metric: Metric<JsonValue> = semanticEntropy({ represent: entailmentClasses(nli) })
    const entries = await entriesOf(metric, ["abc", "xyz", "longer", "abd"])
    expect(entries.map(({ row }) => row)).toEqual([0, 0, 2, 0])
    // Classes of three and of one.
    expect(metric.summarise(entries).value).toBeCloseTo(-(0.75 * Math.log(0.75) + 0.25 * Math.log(0.25)), 12)
  })

  it("is unscored without repeats, and until all of them are answered", async () => {
    const represent = entailmentClasses(nli)
    expect(await represent(answerOf("a"), noTools)).toMatchObject({ reason: expect.stringMatching(/^no_repeats/) })
    expect(await represent(answerOf("a"), withOthers(["a", "b"], 0, 1))).toMatchObject({
      reason: expect.stringMatching(/^not_yet/),
    })
  })
})
