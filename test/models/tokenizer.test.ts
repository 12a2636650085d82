import { fileURLToPath } from "node:url"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { testSets } from "../../models/tiny/build-datasets.ts"
import { createTokenizer } from "../../models/tiny/tokenizer/encode.ts"
import { preTokenize } from "../../models/tiny/tokenizer/pre-tokenize.ts"
import { controlTokens, trainBpe } from "../../models/tiny/tokenizer/train-bpe.ts"
import { readGguf } from "../../src/local-model/gguf/read-gguf.ts"

const model = fileURLToPath(new URL("../../models/tiny/tiny-s-f16.gguf", import.meta.url))

async function shippedTokenizer() {
  const { metadata } = await readGguf(model)
  const list = (key: string) => metadata.get(`tokenizer.ggml.${key}`)!.value as readonly string[]
  return createTokenizer({ tokens: list("tokens"), merges: list("merges") })
}

describe("byte-pair encoding", () => {
  it("learns the most frequent pairs first, ties in alphabetical order", () => {
    const { tokens, merges } = trainBpe(["low low lower", "low"], 5 + 256 + 3)
    expect(merges).toEqual(["l o", "lo w", "Ġ low"])
    expect(tokens.slice(0, 5)).toEqual([...controlTokens])
    expect(tokens.slice(-3)).toEqual(["lo", "low", "Ġlow"])
  })

  it("stops when nothing is left to join", () => {
    expect(trainBpe(["ab"], 1000).merges).toEqual(["a b"])
  })

  it("cuts digits singly and words with their space", () => {
    expect(preTokenize("It's 42 km.")).toEqual(["It", "'s", " ", "4", "2", " km", "."])
  })

  it("loses no byte of any text", async () => {
    const tokenizer = await shippedTokenizer()
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(tokenizer.decode(tokenizer.encode(text))).toBe(text)
      }),
    )
  })

  it("never makes a control token from text", async () => {
    const tokenizer = await shippedTokenizer()
    expect(tokenizer.encode(controlTokens.join("")).every((id) => id >= controlTokens.length)).toBe(true)
  })

  it("gives llama.cpp's tokens on every prompt and answer of the test sets", async () => {
    const tokenizer = await shippedTokenizer()
    const { getLlama, LlamaLogLevel } = await import("node-llama-cpp")
    const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, logLevel: LlamaLogLevel.error })
    try {
      const reference = await llama.loadModel({ modelPath: model, vocabOnly: true })
      const texts = [...testSets().values()].flat().flatMap(({ prompt, answer }) => [prompt, answer])
      const odd = [
        "",
        " ",
        "  two  spaces ",
        "größer ✓ 日本",
        "don't, we'll",
        "tab\tand\nline\n\n",
        "12,345.60 km/h",
        "a_b",
      ]
      const different = [...texts, ...odd].filter(
        (text) => tokenizer.encode(text).join() !== reference.tokenize(text, false, "trimLeadingSpace").join(),
      )
      expect(texts.length).toBeGreaterThan(3_000)
      expect(different).toEqual([])
    } finally {
      await llama.dispose()
    }
  })
})
