import type { Embedder } from "../../../src/core/metric/embedder.ts"

/** An embedder of known vectors: whole texts by `vectors`, tokens (words, between two special ones) likewise. */
export function stubEmbedder(
  vectors: Readonly<Record<string, readonly number[]>>,
): Embedder & { readonly asked: string[] } {
  const table = new Map(Object.entries(vectors))
  const asked: string[] = []
  const vectorOf = (text: string) => {
    const vector = table.get(text)
    if (!vector) throw new Error(`the stub has no vector of "${text}"`)
    return vector
  }
  const tokensOf = (text: string) => ["[CLS]", ...text.split(" ").filter((word) => word !== ""), "[SEP]"]
  return {
    asked,
    identity: "stub",
    async embed(texts) {
      asked.push(...texts)
      return texts.map((text) => Float32Array.from(vectorOf(text)))
    },
    async embedTokens(texts) {
      asked.push(...texts)
      return texts.map((text) => {
        const tokens = tokensOf(text)
        const rows = tokens.map((token) => vectorOf(token))
        const special = Uint8Array.from(tokens, (token) => Number(token.startsWith("[")))
        return { tokens, vectors: Float32Array.from(rows.flat()), dimension: rows[0]?.length ?? 0, special }
      })
    },
    tokenize: async (texts) => texts.map(tokensOf),
    close: async () => {},
  }
}
