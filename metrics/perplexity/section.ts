import type { Metric, MetricRowsOfVariant, RowEntry, SummaryLevel } from "../../src/core/metric/metric.ts"
import { createRandom } from "../../src/core/random.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import type { ReportSection } from "../../src/core/report/report-sections.ts"
import { tableData } from "../../src/core/report/table-data.ts"
import { percentileInterval } from "../../src/stats/resampling/bootstrap-interval.ts"
import { bootstrapVectors } from "../../src/stats/resampling/bootstrap-vectors.ts"
import { perplexityRatioSentence, perplexityTexts } from "../../src/words/metrics/perplexity.ts"
import { reportSection, scoredVariants } from "../report-section.ts"
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
  const results = scoredVariants<PerplexityRow>(variants)
  const [first, ...others] = results
  if (!first) return null
  const ratios = others.map(({ variant, entries }) => ({ variant, ratio: ratioFigure(first.entries, entries, level) }))
  const lines = results.map(({ variant, entries }) => ({ variant, rows: entries.map(({ row }) => row) }))
  const per = (denominator: "tokens" | "words" | "bytes") => (line: (typeof lines)[number]) =>
    figure(line.rows, denominator, signature, level)
  const data = tableData(lines, [
    ["variant", ({ variant }) => variant],
    ["perplexity per token", per("tokens"), "score"],
    ["per word", per("words"), "score"],
    ["bits per byte", per("bytes"), "score"],
    [`ratio to ${first.variant}`, (line) => ratios.find((row) => row.variant === line.variant)?.ratio ?? null, "score"],
    ["texts", ({ rows }) => rows.length],
    ["tokens", ({ rows }) => perplexityFigures(rows).tokens],
  ])
  return reportSection(
    "perplexity",
    perplexityTexts.title(name),
    [
      ...ratios.map(({ variant, ratio }) => perplexityRatioSentence(variant, first.variant, ratio)),
      perplexityTexts.comparable,
    ],
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
  if (value === null) return { status: "unknown", reason: perplexityTexts.none(denominator) }
  const random = createRandom(`perplexity/${denominator}`)
  const bounds =
    rows.length < 2
      ? { low: null, high: null }
      : percentileInterval(bootstrapVectors({ data, size: 2 }, score, resamples, random), level?.alpha)
  const method = perplexityTexts.method(signature, denominator)
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
  if (pairs.length < 2) return { status: "unknown", reason: perplexityTexts.fewTexts }
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
