import type { Generation, TokenLogprob } from "../../src/core/generation.ts"
import { scored, unscored } from "../../src/core/metric/metric.ts"
import type { PairMetric } from "../../src/core/metric/pair-metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { mean } from "../../src/stats/mean.ts"
import { quantileSorted } from "../../src/stats/quantile.ts"
import { tokenDivergence } from "../../src/stats/token-divergence.ts"
import { signature } from "../text/signature.ts"
import { squadNormalize } from "../text/squad-normalize.ts"

/** Options of {@link divergence}. @public */
export interface DivergenceOptions {
  readonly name?: string
  /** Alternatives per token that a run asks the endpoints for, where a variant's parameters do not say. Default 5. */
  readonly topLogprobs?: number
}

/** How two answers to one sample differ, token by token. @public */
export interface DivergenceRow {
  /** Divergence in nats at each position with the same text before it: up to the first token that differs. */
  readonly nats: readonly number[]
  /** Of those positions, those where both rank the same token first. */
  readonly sameTop: number
  /** Position of the first token that differs; null when the answers are the same tokens. */
  readonly firstDifference: number | null
  /** Whether the texts are the same, as they are and after normalisation (case, punctuation, articles, white space). */
  readonly sameText: boolean
  readonly sameMeaning: boolean
  /** Alternatives per position that the divergence is computed from. */
  readonly alternatives: number
}

/**
 * Divergence of two variants of one model: the Kullback–Leibler divergence of their token distributions, baseline against
 * candidate, as llama.cpp measures what a quantization changes. It shows what accuracy cannot: answers that are still right
 * but less certain.
 *
 * Compared are the positions up to the first differing token, where both have the same preceding text. Only the most likely
 * tokens that both lists hold have bins of their own, the rest is one bin: a lower bound, and `alternatives` gives
 * the number of tokens it uses (`topLogprobs: 20` is closer). Over given texts (`textScorer`) every position is compared. The value is the mean over tokens, in nats.
 *
 * Range 0..∞; 0 is identical. Unscored: `no_alternatives` (an endpoint without `top_logprobs`), `other_tokenizer`.
 *
 * @example
 * // one token, baseline {a: 0.5, rest: 0.5}, candidate {a: 0.25, rest: 0.75}
 * divergence() // 0.1438
 * @public
 */
export function divergence(options: DivergenceOptions = {}): PairMetric<DivergenceRow> {
  checkOptions("divergence", options)
  return {
    name: options.name ?? "divergence",
    signature: signature("divergence", {
      kl: "baseline||candidate",
      over: "common-prefix",
      rest: "one-bin",
      unit: "nats",
    }),
    title: "KL divergence",
    unit: "nats/token",
    isTokenDivergence: true,
    range: [0, Number.POSITIVE_INFINITY],
    needs: { logprobs: true, topLogprobs: options.topLogprobs ?? 5 },
    aggregation: {
      kind: "sum",
      size: 2,
      vector(row, into, offset) {
        for (const value of row.nats) into[offset]! += value
        into[offset + 1] = row.nats.length
      },
      score: ([total = 0, positions = 0]) => total / positions,
    },
    measure(_sample, baseline, candidate) {
      const [left, right] = [baseline.logprobs, candidate.logprobs]
      if (!left?.[0]?.top.length || !right?.[0]?.top.length) return unscored("no_alternatives")
      return scored(divergenceRow(baseline, candidate, left, right))
    },
    shares: [
      { name: "same top token", count: (row) => [row.sameTop, row.nats.length] },
      { name: "same text", count: (row) => [Number(row.sameText), 1] },
    ],
    common(first, second) {
      const positions = Math.min(first.nats.length, second.nats.length)
      const part = (row: DivergenceRow) => ({ ...row, nats: row.nats.slice(0, positions) })
      return [part(first), part(second)]
    },
    value: (row) => (row.nats.length === 0 ? null : mean(row.nats)),
    summarise(rows) {
      const nats = Float64Array.from(rows.flatMap((entry) => entry.row.nats)).sort()
      if (nats.length === 0) return { value: null, reason: "no position could be compared" }
      const share = (count: (row: DivergenceRow) => number, of: number) =>
        rows.reduce((sum, entry) => sum + count(entry.row), 0) / of
      const differences = rows.flatMap(({ row }) => (row.firstDifference === null ? [] : [row.firstDifference]))
      return {
        value: mean(nats),
        details: {
          answers: rows.length,
          positions: nats.length,
          p50: quantileSorted(nats, 0.5),
          p99: quantileSorted(nats, 0.99),
          maximum: nats[nats.length - 1] as number,
          sameTopRate: share((row) => row.sameTop, nats.length),
          sameTextRate: share((row) => Number(row.sameText), rows.length),
          sameMeaningRate: share((row) => Number(row.sameMeaning), rows.length),
          medianFirstDifference:
            differences.length > 0 ? quantileSorted(Float64Array.from(differences).sort(), 0.5) : null,
          alternatives: rows.reduce((min, { row }) => Math.min(min, row.alternatives), Number.POSITIVE_INFINITY),
          bound: "lower: tokens outside both lists are one bin",
        },
      }
    },
  }
}

function divergenceRow(
  baseline: Generation,
  candidate: Generation,
  left: readonly TokenLogprob[],
  right: readonly TokenLogprob[],
): DivergenceRow {
  const shorter = Math.min(left.length, right.length)
  let same = 0
  while (same < shorter && left[same]?.token === right[same]?.token) same++
  const ended = same === left.length && same === right.length
  // The first token that differs still has the same text before it.
  const compared = Math.min(same + 1, shorter)
  const nats: number[] = []
  let sameTop = 0
  for (let i = 0; i < compared; i++) {
    const [a, b] = [left[i] as TokenLogprob, right[i] as TokenLogprob]
    nats.push(tokenDivergence(listed(a), listed(b)))
    if (a.top[0]?.token === b.top[0]?.token) sameTop++
  }
  return {
    nats,
    sameTop,
    firstDifference: ended ? null : same,
    sameText: baseline.text === candidate.text,
    sameMeaning: squadNormalize(baseline.text) === squadNormalize(candidate.text),
    alternatives: Math.min(left[0]?.top.length ?? 0, right[0]?.top.length ?? 0),
  }
}

/** The alternatives together with the chosen token, which may be outside them. */
function listed(token: TokenLogprob): TokenLogprob["top"] {
  return token.top.some((entry) => entry.token === token.token) ? token.top : [...token.top, token]
}
