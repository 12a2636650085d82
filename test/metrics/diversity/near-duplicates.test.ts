import { describe, expect, it } from "vitest"
import { nearDuplicates } from "../../../metrics/diversity/near-duplicates.ts"
import { stubEmbedder } from "../semantic/stub-embedder.ts"

const embedder = stubEmbedder({ one: [1, 0], almost: [1, 0.1], close: [1, 0.3], other: [0, 1] })

describe("nearDuplicates", () => {
  it("finds equal texts and near pairs, the nearest first", async () => {
    const duplicates = await nearDuplicates(["other", "one", "close", "one", "almost"], { embedder })
    expect(duplicates.identical).toEqual([[1, 3]])
    expect(duplicates.near.map(({ first, second }) => [first, second])).toEqual([
      [1, 4],
      [2, 4],
      [1, 2],
    ])
  })

  it("finds nothing in an empty list, and refuses more texts than it can compare", async () => {
    expect(await nearDuplicates([], { embedder })).toEqual({ identical: [], near: [] })
    const texts = Array.from({ length: 20_001 }, (_, i) => String(i))
    await expect(nearDuplicates(texts, { embedder })).rejects.toThrow("at most 20000")
  })
})
