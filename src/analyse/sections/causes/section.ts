import type { AnyMetric } from "../../../core/metric/metric.ts"
import type { ScoredVariant } from "../../../core/metric/scored-variant.ts"
import type { ReportSection, TableData } from "../../../core/report/report-sections.ts"
import type { Evaluation } from "../../../core/run/evaluation.ts"
import { rowsBehind, viewOf } from "../../../rows/columns/metric-rows.ts"
import { wilsonInterval } from "../../../stats/intervals/proportion-interval.ts"
import { regressionWords } from "../../../wording/sections/regressions.ts"
import { metricTitle } from "../../../words/names.ts"
import { counted } from "../../../words/number.ts"
import type { SamplePositions } from "../slices/sample-positions.ts"
import { createMessageClusters, type FailureCluster } from "./failure-clusters.ts"
import { type MetricCauses, numberedCauses } from "./read-causes.ts"

/** Lines of one candidate, and of each kind while there are more than that. */
const maxLines = 10
const maxOfKind = 4

/** What the section is made from. */
export interface BrokeSectionOptions {
  readonly baseline: BrokeVariant
  readonly candidates: readonly BrokeVariant[]
  readonly evaluation: Pick<Evaluation, "metrics" | "primary" | "alpha">
  readonly positions: SamplePositions
  readonly causes: ReadonlyMap<string, readonly MetricCauses[]>
}

/** A variant with the messages of its failures. */
export interface BrokeVariant {
  readonly scored: ScoredVariant
  readonly failures: readonly FailureCluster[]
}

interface Line {
  readonly kind: string
  readonly what: string
  readonly evidence: string
  readonly samples: readonly string[]
}

/**
 * What broke with each candidate, in ten lines at most: failures and missing scores that are more than the baseline's, by their message;
 * then the causes of its losses, each by the shortest rule that tells it from the rest. Null where nothing did.
 */
export function brokeSection(options: BrokeSectionOptions): ReportSection | null {
  const { baseline, candidates } = options
  const causes = candidates.flatMap((candidate) => {
    const lines = linesOf(candidate, options)
    return lines.length === 0 ? [] : [{ name: candidate.scored.name, lines }]
  })
  if (causes.length === 0) return null
  const data: TableData = {
    columns: [
      { title: "variant" },
      { title: "kind" },
      { title: "what" },
      { title: "evidence" },
      { title: "samples, for example" },
    ],
    rows: causes.flatMap(({ name, lines }) =>
      lines.map(({ kind, what, evidence, samples }) => [name, kind, what, evidence, samples.join(", ")]),
    ),
  }
  const sentences = causes.map(({ name, lines: [first, ...more] }) => {
    const rest = more.length === 0 ? "" : `; ${counted(more.length, "more line")} below`
    const examples = first?.samples.length ? `: ${first.samples.join(", ")}` : ""
    return `${name} against ${baseline.scored.name}: ${first?.kind}: ${first?.what} (${first?.evidence})${examples}${rest}.`
  })
  return { kind: "what_broke", title: "What broke", sentences, data }
}

function linesOf(candidate: BrokeVariant, options: BrokeSectionOptions): readonly Line[] {
  const kinds = [
    failureLines(candidate.failures, options.baseline.failures, "failure"),
    ...primaryMetrics(options.evaluation).map((metric) => unscoredLines(metric, candidate, options.baseline)),
    causeLines(candidate.scored.name, options),
  ]
  const first = kinds.flatMap((lines) => lines.slice(0, maxOfKind))
  const rest = kinds.flatMap((lines) => lines.slice(maxOfKind))
  const shown = new Set([...first, ...rest].slice(0, maxLines))
  return kinds.flat().filter((line) => shown.has(line))
}

/** Messages that the candidate has more often than the baseline. */
function failureLines(own: readonly FailureCluster[], before: readonly FailureCluster[], kind: string): Line[] {
  const counts = new Map(before.map(({ message, count }) => [message, count]))
  return own
    .map((cluster) => ({ ...cluster, before: counts.get(cluster.message) ?? 0 }))
    .filter(({ count, before: theirs }) => count > theirs)
    .sort((a, b) => b.count - b.before - (a.count - a.before))
    .map(({ message, count, before: theirs, samples }) => ({
      kind,
      what: message,
      evidence: `${counted(count, "answer")}, ${theirs} of the baseline`,
      samples,
    }))
}

/** Answers without a score for another reason than a failure. */
function unscoredLines(metric: AnyMetric, candidate: BrokeVariant, baseline: BrokeVariant): Line[] {
  const clustersOf = ({ scored }: BrokeVariant) => {
    const clusters = createMessageClusters()
    const rows = rowsBehind(scored.rows.get(metric.name) ?? [])
    if (rows.scored === rows.length) return []
    for (const { measured, sampleId } of viewOf(rows))
      if (measured.status === "unscored" && measured.code !== "failed")
        clusters.add(measured.reason.slice(measured.code.length).replace(/^: /, "") || measured.code, sampleId)
    return clusters.clusters()
  }
  return failureLines(clustersOf(candidate), clustersOf(baseline), `no ${metricTitle(metric)}`)
}

/** Rules that tell losses from the rest, by metric: in the order in which they were found. */
function causeLines(candidate: string, { causes, evaluation, positions }: BrokeSectionOptions): Line[] {
  const isAlone = primaryMetrics(evaluation).length === 1
  return numberedCauses(causes.get(candidate) ?? []).map(({ number, metric, samples, losses, cause }) => ({
    kind: regressionWords.kind(number, isAlone ? null : metric),
    what: regressionWords.rule(cause.name, cause.partner, cause.elsewhere === null),
    evidence: regressionWords.evidence({
      losses: cause.losses,
      allLosses: losses,
      samples: cause.samples,
      pAdjusted: cause.pAdjusted,
      ...wilsonInterval(cause.losses / cause.effect, cause.samples / cause.effect, evaluation.alpha),
      clusters: cause.clusters,
      elsewhere: cause.elsewhere && cause.elsewhere.losses / cause.elsewhere.samples,
      lookedAt: samples < positions.size ? samples : null,
    }),
    samples: cause.positions.slice(0, 3).map(positions.idAt),
  }))
}

function primaryMetrics({ metrics, primary }: BrokeSectionOptions["evaluation"]): readonly AnyMetric[] {
  return primary.flatMap((name) => metrics.find((metric) => metric.name === name) ?? [])
}
