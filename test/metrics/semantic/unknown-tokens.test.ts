import { expect, it } from "vitest"
import { bertScore } from "../../../metrics/semantic/bert-score.ts"
import { embeddingSimilarity } from "../../../metrics/semantic/embedding-similarity.ts"
import type { Embedder } from "../../../src/core/metric/embedder.ts"
import type { Metric } from "../../../src/core/metric/metric.ts"
import { scoreOf } from "../lexical-fixtures.ts"

/** Knows ASCII words alone; every text has the same vector. */
const embedder: Embedder = {
  identity: "ascii",
  embed: async (texts) => texts.map(() => Float32Array.of(1, 0)),
  embedTokens: async (texts) =>
    texts.map(() => ({ tokens: ["x"], vectors: Float32Array.of(1, 0), dimension: 2, special: Uint8Array.of(0) })),
  tokenize: async (texts) =>
    texts.map((text) => [
      "[CLS]",
      ...text.split(" ").map((word) => (/^[\x20-\x7e]+$/.test(word) ? word : "[UNK]")),
      "[SEP]",
    ]),
  close: async () => {},
}

it.each([
  ["አዎ", "አይ"],
  ["👍", "👎"],
  ["yes", "አይ"],
])("leaves %s and %s unscored, whose tokens the encoder does not know", async (answer, reference) => {
  for (const metric of [
    embeddingSimilarity({ embedder }),
    bertScore({ embedder, layer: 1 }),
  ] as unknown as Metric<number>[])
    expect(await scoreOf(metric, answer, [reference])).toMatch(
      /^language: the encoder does not know 1 of 1 tokens .*multilingual/,
    )
})

it("scores a text with one unknown sign among words", async () => {
  expect(await scoreOf(embeddingSimilarity({ embedder }), "very good 👍", ["good"])).toBe(1)
})

it("leaves two texts unscored that differ in unknown tokens alone", async () => {
  const value = await scoreOf(embeddingSimilarity({ embedder }), "very good work 👍", ["very good work 👎"])
  expect(value).toMatch(/^language: the encoder does not know 1 of 4 tokens/)
  expect(await scoreOf(embeddingSimilarity({ embedder }), "very good work 👍", ["very good work 👍"])).toBe(1)
})
