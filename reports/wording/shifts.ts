import type { Comparison, MetricComparison } from "../../src/core/report/comparison.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { tailWords } from "../../src/wording/verdict/change.ts"
import { signed, wordingOf } from "../../src/words/difference.ts"
import { metricCalled } from "../../src/words/metric.ts"
import { listed } from "../../src/words/names.ts"
import { count } from "../../src/words/number.ts"

/** Figures that a line names; more are counted. */
const maxNamed = 6

/** What else a candidate is proven to do worse, or better, beside what its verdict says. */
export interface ShiftLine {
  readonly candidate: string
  readonly way: "worse" | "better"
  /** `tone −13.5 points and faithfulness −9 points` */
  readonly text: string
}

type Metrics = readonly (Parameters<typeof metricCalled>[0][number] & Parameters<typeof wordingOf>[0])[]

/** The lines of every comparison, the losses before the gains. */
export function shiftLines({ comparisons, metrics, run }: Pick<RunReport, "comparisons" | "metrics" | "run">) {
  const lines = comparisons.flatMap((comparison) => shiftLinesOf(comparison, metrics, run.alpha))
  return [...lines.filter(({ way }) => way === "worse"), ...lines.filter(({ way }) => way === "better")]
}

/**
 * Metrics that do not decide and whose difference is more than chance (p after Benjamini and Hochberg over all of them), the clearest
 * first, without losses that their own margin allows; then cost, times and size, where the verdict's sentence does not name them, and a
 * p99 that changes where the times as a whole do not.
 */
export function shiftLinesOf(comparison: Comparison, metrics: Metrics, alpha = 0.05): readonly ShiftLine[] {
  const entries = comparison.metrics
    .flatMap((finding) => {
      const way = wayOf(finding, alpha)
      return way === null ? [] : [{ finding, way }]
    })
    .sort((a, b) => (a.finding.pAdjusted ?? 1) - (b.finding.pAdjusted ?? 1))
  const ofVerdict = new Set(["gain", "loss"]).has(comparison.basis)
  const changes = comparison.changes.flatMap(({ figure, share, isMaterial, tail, text }) => {
    if (isMaterial) return ofVerdict ? [] : [{ share, text }]
    return tail?.isProven ? [{ share: tail.share, text: tailWords({ figure, tail }) }] : []
  })
  return (["worse", "better"] as const).flatMap((way) => {
    const parts = [
      ...entries.filter((entry) => entry.way === way).map(({ finding }) => metricWords(finding, metrics)),
      ...changes.filter(({ share }) => share > 0 === (way === "worse")).map(({ text }) => text),
    ]
    const more = parts.length - maxNamed
    const named = [...parts.slice(0, maxNamed), ...(more > 0 ? [`${count(more)} more`] : [])]
    return parts.length === 0 ? [] : [{ candidate: comparison.candidate, way, text: listed(named) }]
  })
}

function wayOf({ primary, difference, direction, verdict, pAdjusted }: MetricComparison, alpha: number) {
  if (primary || !difference || pAdjusted === null || pAdjusted > alpha) return null
  if (difference > 0 === (direction === "higher")) return "better"
  return verdict === "non_inferior" ? null : "worse"
}

function metricWords({ metric, difference }: MetricComparison, metrics: Metrics): string {
  const record = metrics.find(({ name }) => name === metric) ?? { range: [null, null] as const }
  return `${metricCalled(metrics, metric)} ${signed(difference ?? 0, wordingOf(record))}`
}
