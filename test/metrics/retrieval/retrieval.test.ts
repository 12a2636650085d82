import { describe, expect, it } from "vitest"
import { answerCorrectness } from "../../../metrics/retrieval/answer-correctness.ts"
import { contextPrecision, contextRecall } from "../../../metrics/retrieval/context-precision.ts"
import { entityRecall } from "../../../metrics/retrieval/entity-recall.ts"
import { groundedness } from "../../../metrics/retrieval/groundedness.ts"
import { noiseSensitivity } from "../../../metrics/retrieval/noise-sensitivity.ts"
import {
  hitAtK,
  meanAveragePrecision,
  ndcg,
  precisionAtK,
  recallAtK,
  reciprocalRank,
} from "../../../metrics/retrieval/retrieval-metrics.ts"
import type { JsonObject } from "../../../src/core/json.ts"
import type { Metric } from "../../../src/core/metric/metric.ts"
import { answerOf, noTools, sampleOf, scoreOf } from "../lexical-fixtures.ts"

const ids = (metric: Metric<number>, metadata: JsonObject) => scoreOf(metric, "", [], { metadata })

describe("retrieval metrics over ids", () => {
  const metadata = { retrievedIds: ["x", "a", "y", "b"], relevantIds: ["a", "b", "c"] }
  it.each<[string, Metric<number>, number]>([
    ["hit@1", hitAtK({ k: 1 }), 0],
    ["hit@2", hitAtK({ k: 2 }), 1],
    ["precision@2", precisionAtK({ k: 2 }), 1 / 2],
    ["precision@10 counts empty places as misses", precisionAtK(), 2 / 10],
    ["recall@2", recallAtK({ k: 2 }), 1 / 3],
    ["recall", recallAtK(), 2 / 3],
    ["reciprocal rank", reciprocalRank(), 1 / 2],
    ["average precision", meanAveragePrecision(), (1 / 2 + 2 / 4) / 3],
    ["average precision at 2", meanAveragePrecision({ k: 2 }), 1 / 2 / 2],
    ["nDCG", ndcg(), (1 / Math.log2(3) + 1 / Math.log2(5)) / (1 + 1 / Math.log2(3) + 1 / 2)],
  ])("%s by hand", async (_name, metric, expected) => {
    expect(await ids(metric, metadata)).toBeCloseTo(expected, 12)
  })

  it("reads graded relevance, equal to scikit-learn's example of ndcg_score", async () => {
    // ndcg_score([[10, 0, 0, 1, 5]], [[.1, .2, .3, 4, 70]]) = 0.69... (documentation of sklearn.metrics.ndcg_score)
    const graded = { retrievedIds: ["e", "d", "c", "b", "a"], relevantIds: { a: 10, b: 0, c: 0, d: 1, e: 5 } }
    expect(await ids(ndcg(), graded)).toBeCloseTo(0.695694, 6)
  })

  it("counts a passage that was retrieved twice once", async () => {
    expect(await ids(recallAtK(), { retrievedIds: ["a", "a"], relevantIds: ["a", "b"] })).toBe(0.5)
  })

  it("is unscored without ids, and safe from names of the object's prototype", async () => {
    expect(await ids(hitAtK(), {})).toMatch(/^no_retrieved_ids/)
    expect(await ids(hitAtK(), { retrievedIds: ["__proto__"] })).toMatch(/^no_relevant_ids/)
    expect(await ids(hitAtK({ retrieved: "constructor" }), {})).toMatch(/^no_retrieved_ids/)
    expect(() => hitAtK({ k: 0 })).toThrow(/k must be/)
  })
})

describe("retrieval metrics over texts", () => {
  const context = ["Cows eat green grass.", "Paris is the capital of France."]

  it("puts useful passages first, with references, reference passages or the answer alone", async () => {
    expect(await scoreOf(contextPrecision(), "", ["Paris is in France."], { context })).toBe(0.5)
    expect(await scoreOf(contextPrecision(), "Cows eat grass.", [], { context })).toBe(1)
    expect(
      await scoreOf(contextPrecision(), "", [], { context, metadata: { referenceContexts: [context[1] as string] } }),
    ).toBe(0.5)
    expect(await scoreOf(contextPrecision(), "", ["Bananas are yellow."], { context })).toBe(0)
    expect(await scoreOf(contextPrecision(), "", ["x"])).toMatch(/^no_context/)
  })

  it("recalls the reference's sentences from the context", async () => {
    expect(await scoreOf(contextRecall(), "", ["Paris is in France. Rome is in Italy."], { context })).toBe(0.5)
    const reference = ["Paris is in France. Rome is in Italy."]
    for (const metric of [contextRecall(), entityRecall()]) {
      expect(await scoreOf(metric, "", reference, { context: [], empty: ["context"] })).toBe(0)
      expect(await scoreOf(metric, "", reference, { context: [] })).toMatch(/no_context|no passages/)
    }
  })

  it("recalls names and numbers", async () => {
    expect(
      await scoreOf(entityRecall(), "", ["The poet's daughter Ada Byron was born in London in 1815."], {
        context: ["Ada Byron lived in London."],
      }),
    ).toBeCloseTo(2 / 3, 12)
    expect(await scoreOf(entityRecall(), "", ["nothing here"], { context })).toMatch(/^no_entity/)
  })

  it("grounds sentences by their words and their numbers", async () => {
    const about = { context: ["Ada was born in London in 1815."] }
    expect(await scoreOf(groundedness(), "Ada was born in London. She died in Paris.", [], about)).toBe(0.5)
    expect(await scoreOf(groundedness(), "Ada was born in London in 1852.", [], about)).toBe(0)
  })

  it("reads no mark of a passage as a number, and does not call an answer ungrounded that states nothing", async () => {
    const about = { context: ["Ada was born in London in 1815."] }
    expect(await scoreOf(groundedness(), "Ada was born in London [1]. She was born in 1815 [1, 2].", [], about)).toBe(1)
    expect(await scoreOf(groundedness(), "Ada was born in London. The text does not say why.", [], about)).toBe(1)
    expect(await scoreOf(groundedness(), "I do not know.", [], about)).toMatch(/^abstained/)
  })

  it("distinguishes noise from the context from what the reference supports", async () => {
    expect(
      await scoreOf(noiseSensitivity(), "Paris is in France. Cows eat grass.", ["Paris is in France."], { context }),
    ).toBe(0.5)
  })

  it("mixes token F1 with a similarity of meaning", async () => {
    expect(await scoreOf(answerCorrectness(), "a big red dog", ["the red dog"])).toBeCloseTo(0.8, 12)
    const mixed = answerCorrectness({ similarity: "meaning" })
    const measure = (value: number | null) =>
      mixed.measure(sampleOf(["the red dog"]), answerOf("a big red dog"), { ...noTools, valueOf: () => value })
    const measured = await measure(0.9)
    expect(measured.status === "scored" && measured.row).toBeCloseTo(0.825, 12)
    expect((await measure(null)).status).toBe("unscored")
  })
})
