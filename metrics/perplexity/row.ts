/** The sums that perplexity and related figures are computed from. @experimental */
export interface PerplexityRow {
  /** Sum of the negative natural-log probabilities of the text's tokens, nats. */
  readonly nats: number
  readonly tokens: number
  /** White-space separated words. */
  readonly words: number
  /** UTF-8 bytes. */
  readonly bytes: number
}

/** The row of a text and the natural-log probabilities of its tokens. @experimental */
export function perplexityRow(logprobs: readonly number[], text: string): PerplexityRow {
  return {
    // 0 − x, so that a certain text has 0 nats and not −0.
    nats: 0 - logprobs.reduce((sum, logprob) => sum + logprob, 0),
    tokens: logprobs.length,
    words: text.split(/\s+/u).filter((word) => word !== "").length,
    bytes: Buffer.byteLength(text, "utf8"),
  }
}

/**
 * Cross-entropy of many texts together, per token, per word and per byte. Bits per byte compare models with different
 * tokenizers; a figure whose denominator is 0 is null.
 * @experimental
 */
export function perplexityFigures(rows: readonly PerplexityRow[]): {
  readonly perplexity: number
  readonly natsPerToken: number
  readonly wordPerplexity: number | null
  readonly bitsPerByte: number | null
  readonly tokens: number
  readonly words: number
  readonly bytes: number
} {
  const sum = (key: keyof PerplexityRow) => rows.reduce((total, row) => total + row[key], 0)
  const [nats, tokens, words, bytes] = [sum("nats"), sum("tokens"), sum("words"), sum("bytes")]
  return {
    perplexity: Math.exp(nats / tokens),
    natsPerToken: nats / tokens,
    wordPerplexity: words > 0 ? Math.exp(nats / words) : null,
    bitsPerByte: bytes > 0 ? nats / Math.LN2 / bytes : null,
    tokens,
    words,
    bytes,
  }
}
