import { type Metric, scored, unscored } from "../src/core/metric.ts"
import { signature } from "./text/signature.ts"

/** Options of {@link perplexity}. */
export interface PerplexityOptions {
  readonly name?: string
}

/** The sums that perplexity and its relatives are made of. */
export interface PerplexityRow {
  /** Sum of the negative natural-log probabilities of the answer's tokens, nats. */
  readonly nats: number
  readonly tokens: number
  /** White-space separated words. */
  readonly words: number
  /** UTF-8 bytes. */
  readonly bytes: number
}

/**
 * Perplexity of the model's own answers: exp of the mean negative log-probability of their tokens, over all tokens of all
 * answers. How surprised the model was by what it said itself.
 *
 * Misleads as a measure of quality (a model that repeats itself is not surprised) and does not compare models with other
 * tokenizers: see `bitsPerByte` in the details, which does. Perplexity of *given* texts needs their log-probabilities: see
 * `textPerplexity`. Range 1..∞, lower is better. Unscored: `no_logprobs`.
 *
 * @example
 * // eight tokens of probability 1/4 in 32 bytes
 * perplexity() // 4, with bitsPerByte 0.5
 */
export function perplexity(options: PerplexityOptions = {}): Metric<PerplexityRow> {
  return {
    name: options.name ?? "perplexity",
    signature: signature("perplexity", { of: "answer", over: "tokens", log: "natural" }),
    direction: "lower",
    range: [1, Number.POSITIVE_INFINITY],
    unit: "score",
    aggregation: {
      kind: "sum",
      size: 2,
      vector(row, into, offset) {
        into[offset] = row.nats
        into[offset + 1] = row.tokens
      },
      score: (sum) => Math.exp((sum[0] as number) / (sum[1] as number)),
    },
    needs: { logprobs: true },
    measure(_sample, generation) {
      const { logprobs, text } = generation
      if (logprobs === null || logprobs.length === 0) return unscored("no_logprobs")
      return scored(
        perplexityRow(
          logprobs.map((token) => token.logprob),
          text,
        ),
      )
    },
    value: (row) => Math.exp(row.nats / row.tokens),
    summarise(rows) {
      if (rows.length === 0) return { value: null, reason: "nothing was scored" }
      const figures = perplexityFigures(rows.map((entry) => entry.row))
      return { value: figures.perplexity, details: { ...figures } }
    },
  }
}

/** The row of a text and the natural-log probabilities of its tokens. */
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
 * Cross-entropy of many texts together, per token, per word and per byte. Bits per byte compare models whatever their
 * tokenizers; a figure whose denominator is 0 is null.
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
