import { describe, expect, it } from "vitest"
import { wordMoversDistance } from "../../../metrics/semantic/word-movers-distance.ts"
import { scoreOf } from "../lexical-fixtures.ts"
import { stubEmbedder } from "./stub-embedder.ts"

const metric = () => wordMoversDistance({ embedder: stubEmbedder({ cat: [1, 0], sat: [0, 1], dog: [3, 4] }) })

describe("wordMoversDistance", () => {
  it("ignores the order, the case and the punctuation of words", async () => {
    expect(await scoreOf(metric(), "Cat, sat!", ["sat cat"])).toBe(0)
  })

  it("moves each word's share of the text", async () => {
    expect(await scoreOf(metric(), "cat cat sat", ["cat sat"])).toBeCloseTo(Math.SQRT2 / 6, 6)
    expect(await scoreOf(metric(), "cat", ["dog", "sat"])).toBeCloseTo(Math.hypot(0.4, 0.8), 6)
  })

  it("has no value for texts without words", async () => {
    expect(await scoreOf(metric(), "…", ["cat"])).toMatch(/^empty_output/)
    expect(await scoreOf(metric(), "cat", ["!"])).toMatch(/^no_reference/)
  })
})
