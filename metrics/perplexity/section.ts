import type { Metric, MetricRowsOfVariant, RowEntry, SummaryLevel } from "../../src/core/metric/metric.ts"
import { createRandom } from "../../src/core/random.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import type { ReportSection, TableData } from "../../src/core/report/report-sections.ts"
import { percentileInterval } from "../../src/stats/resampling/bootstrap-interval.ts"
import { bootstrapVectors } from "../../src/stats/resampling/bootstrap-vectors.ts"
import { count } from "../../src/words/number.ts"
import { percent } from "../../src/words/percent.ts"
import { reportSection, scoredRows } from "../report-section.ts"
import { perplexityDrift } from "./perplexity-drift.ts"
import { type PerplexityRow, perplexityFigures } from "./row.ts"

const resamples = 1000

/**
 * The section of given texts: cross-entropy per token, per word and per byte, each with its interval, and the ratio to the
 * first variant over the texts that both scored. Null when no variant has a row.
 */
export function perplexitySection(
  { name, signature }: Pick<Metric, "name" | "signature">,
  variants: readonly MetricRowsOfVariant[],
  level?: SummaryLevel,
): ReportSection | null {
  const known = variants
    .map((variant) => ({ variant: variant.variant, entries: scoredRows<PerplexityRow>(variant) }))
    .filter(({ entries }) => entries.length > 0)
  const [first, ...others] = known
  if (!first) return null
  const ratios = others.map(({ variant, entries }) => ({ variant, ratio: ratioFigure(first.entries, entries, level) }))
  const data: TableData = {
    columns: [
      { title: "variant" },
      { title: "perplexity per token", unit: "score" },
      { title: "per word", unit: "score" },
      { title: "bits per byte", unit: "score" },
      { title: `ratio to ${first.variant}`, unit: "score" },
      { title: "texts" },
      { title: "tokens" },
    ],
    rows: known.map(({ variant, entries }) => {
      const rows = entries.map((entry) => entry.row)
      const of = (denominator: "tokens" | "words" | "bytes") => figure(rows, denominator, signature, level)
      const ratio = ratios.find((one) => one.variant === variant)?.ratio ?? null
      return [variant, of("tokens"), of("words"), of("bytes"), ratio, rows.length, perplexityFigures(rows).tokens]
    }),
  }
  return reportSection(
    "perplexity",
    `${name}: how surprised each model is by the given texts`,
    sentences(first.variant, ratios),
    data,
  )
}

/** Perplexity per token or word, bits per byte. */
function figure(
  rows: readonly PerplexityRow[],
  denominator: "tokens" | "words" | "bytes",
  signature: string,
  level?: SummaryLevel,
): Figure {
  const score = ([nats = 0, count = 0]: ArrayLike<number> & Iterable<number>) =>
    denominator === "bytes" ? nats / Math.LN2 / count : Math.exp(nats / count)
  const data = Float64Array.from(rows.flatMap((row) => [row.nats, row[denominator]]))
  const total = perplexityFigures(rows)
  const value = { tokens: total.perplexity, words: total.wordPerplexity, bytes: total.bitsPerByte }[denominator]
  if (value === null) return { status: "unknown", reason: `the texts have no ${denominator}` }
  const random = createRandom(`perplexity/${denominator}`)
  const bounds =
    rows.length < 2
      ? { low: null, high: null }
      : percentileInterval(bootstrapVectors({ data, size: 2 }, score, resamples, random), level?.alpha)
  const method = `${signature}|per:${denominator}; percentile bootstrap over texts`
  return { status: "known", value, ...bounds, n: rows.length, method }
}

/** Ratio of perplexities over the texts that both scored. */
function ratioFigure(
  baseline: readonly RowEntry<PerplexityRow>[],
  entries: readonly RowEntry<PerplexityRow>[],
  level?: SummaryLevel,
): Figure {
  const key = ({ sampleId, repeat }: RowEntry<PerplexityRow>) => `${repeat}\u0000${sampleId}`
  const before = new Map(baseline.map((entry) => [key(entry), entry.row]))
  const pairs = entries.flatMap((entry) => {
    const partner = before.get(key(entry))
    return partner ? [{ before: partner, now: entry.row }] : []
  })
  if (pairs.length < 2) return { status: "unknown", reason: "fewer than two texts in common" }
  const drift = perplexityDrift(
    pairs.map((pair) => pair.before),
    pairs.map((pair) => pair.now),
    1,
    level,
  )
  return {
    status: "known",
    value: drift.ratio,
    low: drift.low,
    high: drift.high,
    n: pairs.length,
    method: drift.method,
  }
}

function sentences(first: string, ratios: readonly { readonly variant: string; readonly ratio: Figure }[]): string[] {
  const changes = ratios.map(({ variant, ratio }) => {
    if (ratio.status === "unknown") return `${variant} cannot be compared with ${first}: ${ratio.reason}.`
    const { value, low, high, n } = ratio
    const clear = typeof low === "number" && typeof high === "number" && (low > 1 || high < 1)
    if (!clear) return `${variant} reads the texts about as well as ${first} (${change(value)} apart, n = ${count(n)}).`
    const [least, most] = value > 1 ? [low, high] : [high, low]
    return `${variant} is ${change(value)} ${value > 1 ? "more" : "less"} surprised than ${first} (between ${change(least)} and ${change(most)}, n = ${count(n)}).`
  })
  return [...changes, "Variants with other tokenizers compare by bits per byte and per word, not per token."]
}

/** How far a ratio lies from 1, either way: 0.2 % for 1.002, where the ratio itself would read 1. */
function change(ratio: number): string {
  return percent(Math.abs(ratio - 1))
}
