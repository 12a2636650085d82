import type { SummaryLevel } from "../../src/core/metric/metric.ts"
import { createRandom } from "../../src/core/random.ts"
import { percentileInterval } from "../../src/stats/resampling/bootstrap-interval.ts"
import { bootstrapVectors, sumOfRows } from "../../src/stats/resampling/bootstrap-vectors.ts"
import type { PerplexityRow } from "./row.ts"

/** How the perplexity of the same texts has moved. @experimental */
export interface PerplexityDrift {
  /** New over old perplexity; above 1 is worse. */
  readonly ratio: number
  /** Interval of the ratio: 95 %, or at the level that is given. */
  readonly low: number
  readonly high: number
  /** Whether the interval excludes 1. */
  readonly drifted: boolean
  readonly texts: number
  readonly method: string
}

const resamples = 2000

/**
 * Whether a model's perplexity on the same texts has moved since a stored baseline: the ratio of perplexities with a
 * percentile bootstrap over texts, which are resampled in pairs.
 *
 * @param baseline rows of the texts as they were kept; @param current rows of the same texts, in the same order
 * @param seed of the resampling; @param level of the interval
 * @experimental
 */
export function perplexityDrift(
  baseline: readonly PerplexityRow[],
  current: readonly PerplexityRow[],
  seed: number | string = 1,
  { alpha }: SummaryLevel = {},
): PerplexityDrift {
  if (baseline.length !== current.length || baseline.length < 2) {
    throw new RangeError("perplexityDrift needs the same two or more texts on both sides")
  }
  const size = 4
  const data = Float64Array.from(
    baseline.flatMap((row, i) => {
      const now = current[i] as PerplexityRow
      return [row.nats, row.tokens, now.nats, now.tokens]
    }),
  )
  const logRatio = ([nats = 0, tokens = 1, natsNow = 0, tokensNow = 1]: ArrayLike<number> & Iterable<number>) =>
    natsNow / tokensNow - nats / tokens
  const rows = { data, size }
  const bounds = percentileInterval(bootstrapVectors(rows, logRatio, resamples, createRandom(`${seed}/drift`)), alpha)
  const [low, high] = [Math.exp(bounds.low), Math.exp(bounds.high)]
  return {
    ratio: Math.exp(logRatio(sumOfRows(rows))),
    low,
    high,
    drifted: low > 1 || high < 1,
    texts: baseline.length,
    method: `ratio of perplexities over ${baseline.length} texts; percentile bootstrap in pairs, seed ${seed}`,
  }
}
