import { expect, it } from "vitest"
import { embeddingEquivalence } from "../../../metrics/consistency/embedding-equivalence.ts"
import { semanticEntropy } from "../../../metrics/consistency/semantic-entropy.ts"
import type { JsonValue } from "../../../src/core/json.ts"
import type { Embedder } from "../../../src/core/metric/embedder.ts"
import type { RowEntry } from "../../../src/core/metric/metric.ts"
import { answerOf, noTools, sampleOf } from "../lexical-fixtures.ts"

/** Texts about one city point in one direction, nearly. */
function cityEmbedder(): Embedder & { readonly embedded: string[] } {
  const embedded: string[] = []
  return {
    embedded,
    identity: "cities",
    embed: async (texts) => {
      embedded.push(...texts)
      return texts.map((text) =>
        Float32Array.of(Number(/paris/i.test(text)), Number(/lyon/i.test(text)), 0.1 * (text.length % 3)),
      )
    },
    close: async () => {},
  }
}

it("puts answers of other wording but the same direction into one class", async () => {
  const embedder = cityEmbedder()
  const metric = semanticEntropy(embeddingEquivalence({ embedder, threshold: 0.9 }))
  expect(metric.signature).toContain("cosine>=0.9,cities")
  const answers = ["It is Paris.", "Paris, of course", "Lyon", "The answer: Paris"]
  const rows: RowEntry<JsonValue>[] = []
  for (const [repeat, answer] of answers.entries()) {
    const measured = await metric.measure(sampleOf([]), answerOf(answer), noTools)
    if (measured.status !== "scored") throw new Error(measured.reason)
    rows.push({ row: measured.row, sampleId: "s", repeat })
  }
  expect(embedder.embedded).toEqual(answers)
  // Shares 3/4 and 1/4.
  expect(metric.summarise(rows).value).toBeCloseTo(-(0.75 * Math.log(0.75) + 0.25 * Math.log(0.25)), 12)
})

it("is unscored where no embedder is available", async () => {
  const metric = semanticEntropy(embeddingEquivalence())
  const { defaultEmbedder: _none, ...tools } = { ...noTools, defaultEmbedder: undefined }
  expect(await metric.measure(sampleOf([]), answerOf("Paris"), tools)).toMatchObject({
    status: "unscored",
    reason: expect.stringMatching(/^no_embedder/),
  })
})
