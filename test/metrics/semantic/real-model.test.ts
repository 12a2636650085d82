import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { answerRelevancy } from "../../../metrics/retrieval/answer-relevancy.ts"
import { bertScore } from "../../../metrics/semantic/bert-score.ts"
import { embeddingSimilarity } from "../../../metrics/semantic/embedding-similarity.ts"
import { moverScore } from "../../../metrics/semantic/mover-score.ts"
import { wordMoversDistance } from "../../../metrics/semantic/word-movers-distance.ts"
import type { AnyMetric } from "../../../src/core/metric/metric.ts"
import { scoreOf } from "../lexical-fixtures.ts"
import { paraphrases, realModel } from "./model.ts"

const embedder = realModel()
// The first use builds the model, which a busy machine takes its time for.
beforeAll(() => embedder.embed(["warm"]), 120_000)
afterAll(() => embedder.close())

const unrelated = paraphrases.map(({ text }, i) => ({
  text,
  paraphrase: paraphrases[(i + 7) % paraphrases.length]?.paraphrase as string,
}))
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

describe("semantic metrics on the real all-MiniLM-L6-v2", () => {
  it.each<{ metric: AnyMetric; near: number; far: number }>([
    { metric: embeddingSimilarity({ embedder }), near: 0.815, far: 0.045 },
    { metric: bertScore({ embedder }), near: 0.813, far: 0.465 },
    { metric: moverScore({ embedder }), near: 0.583, far: 0.426 },
    { metric: wordMoversDistance({ embedder }), near: 0.549, far: 1.001 },
  ])("put every paraphrase before an unrelated sentence: $metric.name", async ({ metric, near, far }) => {
    const score = (pairs: typeof paraphrases) =>
      Promise.all(pairs.map(async ({ text, paraphrase }) => Number(await scoreOf(metric, text, [paraphrase]))))
    const [close, distant] = [await score(paraphrases), await score(unrelated)]
    const sign = metric.direction === "higher" ? 1 : -1
    const wins = close.filter((value, i) => sign * value > sign * (distant[i] as number)).length
    expect(paraphrases.length).toBeGreaterThanOrEqual(60)
    expect(wins).toBe(paraphrases.length)
    expect(mean(close)).toBeCloseTo(near, 2)
    expect(mean(distant)).toBeCloseTo(far, 2)
  })

  it("do not detect a negation: it scores as high as a paraphrase", async () => {
    const [text, negation] = ["The drug is safe.", "The drug is not safe."]
    expect(await scoreOf(embeddingSimilarity({ embedder }), text, [negation])).toBeGreaterThan(0.85)
    expect(await scoreOf(bertScore({ embedder }), text, [negation])).toBeGreaterThan(0.9)
    expect(await scoreOf(moverScore({ embedder }), text, [negation])).toBeGreaterThan(0.6)
  })

  it("tell an answer on the subject from one that is not", async () => {
    const relevancy = (answer: string) =>
      scoreOf(answerRelevancy({ embedder }), answer, [], { input: "Where do penguins live?" })
    expect(await relevancy("Penguins live mostly in Antarctica.")).toBeCloseTo(0.854, 2)
    expect(await relevancy("Interest rates rose for the third time.")).toBeLessThan(0.2)
  })

  it("weigh the layers differently: the fifth is the default, the last is another one", async () => {
    const [left, right] = ["He fixed the broken bicycle in the garage.", ["In the garage he repaired the bike."]]
    const byLayer = (layer?: number) =>
      scoreOf(bertScore({ embedder, ...(layer !== undefined && { layer }) }), left, right)
    expect(await byLayer()).toBe(await byLayer(5))
    expect(await byLayer(6)).not.toBe(await byLayer(5))
    await expect(byLayer(7)).rejects.toThrow("layer 7")
  })
})
