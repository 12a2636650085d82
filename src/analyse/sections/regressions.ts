import type { AnyMetric } from "../../core/metric/metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import { figureValue } from "../../core/report/figure.ts"
import type { ReportSection, TableData } from "../../core/report/report-sections.ts"
import type { SlicesData } from "../../core/report/section-slices.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import { sampleDifferences } from "../../estimate/sample-differences.ts"
import { rowsBehind, viewOf } from "../../rows/columns/metric-rows.ts"
import { countRows } from "../../rows/missing-rows.ts"
import { rowsOf } from "../../rows/rows-of.ts"
import { regressionWords } from "../../wording/sections/regressions.ts"
import { signed, wordingOf } from "../../words/difference.ts"
import { spoken } from "../../words/names.ts"
import { counted } from "../../words/number.ts"
import { pValue } from "../../words/p-value.ts"
import { createMessageClusters, type FailureCluster } from "./failure-clusters.ts"
import type { InputWords } from "./input-words.ts"
import type { SamplePositions } from "./slices/sample-positions.ts"

/** Lines of one candidate, and of each kind while there are more than that. */
const mostLines = 10
const maxOfKind = 4

/** What the section is made from. */
export interface BrokeSectionOptions {
  readonly baseline: BrokeVariant
  readonly candidates: readonly BrokeVariant[]
  readonly evaluation: Pick<Evaluation, "metrics" | "primary" | "alpha" | "missing">
  readonly words: InputWords
  readonly positions: SamplePositions
  /** The section of slices; null where there is none. */
  readonly slices: SlicesData | null
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
 * slices that got worse; words of the input that the samples which got worse have in common. Null where nothing did.
 */
export function brokeSection(options: BrokeSectionOptions): ReportSection | null {
  const { baseline, candidates } = options
  const found = candidates.flatMap((candidate) => {
    const lines = linesOf(candidate, options)
    return lines.length === 0 ? [] : [{ name: candidate.scored.name, lines }]
  })
  if (found.length === 0) return null
  const data: TableData = {
    columns: [
      { title: "variant" },
      { title: "kind" },
      { title: "what" },
      { title: "evidence" },
      { title: "samples, for example" },
    ],
    rows: found.flatMap(({ name, lines }) =>
      lines.map(({ kind, what, evidence, samples }) => [name, kind, what, evidence, samples.join(", ")]),
    ),
  }
  const sentences = found.map(({ name, lines: [first, ...more] }) => {
    const rest = more.length === 0 ? "" : `; ${counted(more.length, "more line")} below`
    return `${name} against ${baseline.scored.name}: ${first?.kind}: ${first?.what} (${first?.evidence})${rest}.`
  })
  return { kind: "what_broke", title: "What broke", sentences, data }
}

function linesOf(candidate: BrokeVariant, options: BrokeSectionOptions): readonly Line[] {
  const kinds = [
    failureLines(candidate.failures, options.baseline.failures, "failure"),
    ...primaryMetrics(options.evaluation).map((metric) => unscoredLines(metric, candidate, options.baseline)),
    sliceLines(candidate.scored.name, options),
    wordLines(candidate.scored, options),
  ]
  const first = kinds.flatMap((lines) => lines.slice(0, maxOfKind))
  const rest = kinds.flatMap((lines) => lines.slice(maxOfKind))
  const shown = new Set([...first, ...rest].slice(0, mostLines))
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
  return failureLines(clustersOf(candidate), clustersOf(baseline), `no ${spoken(metric)}`)
}

function sliceLines(candidate: string, { slices, evaluation }: BrokeSectionOptions): Line[] {
  if (!slices) return []
  const metrics = primaryMetrics(evaluation)
  const single = slices.axes.flatMap(({ title, slices: rows }) =>
    rows.flatMap(({ slice, samples, changes }) =>
      changes.map((change) => ({ slice: `${title}: ${slice}`, samples, change })),
    ),
  )
  const isShared = new Set((slices.shared ?? []).map(({ slice }) => slice))
  return (
    [...(slices.shared ?? []), ...single]
      .flatMap(({ slice, samples, change }) => {
        const metric = metrics.find(({ name }) => name === change.figure)
        const isWorse = change.candidate === candidate && change.moved === "worse"
        return metric && isWorse ? [{ slice, samples, change, metric }] : []
      })
      // What two fields share says more than either of them.
      .sort(
        (a, b) =>
          Number(isShared.has(b.slice)) - Number(isShared.has(a.slice)) || (a.change.p ?? 1) - (b.change.p ?? 1),
      )
      .map(({ slice, samples, change, metric }) => ({
        kind: "slice",
        what: slice,
        evidence: `${spoken(metric)} ${signed(figureValue(change.difference) ?? 0, wordingOf(metric))} over ${counted(samples, "sample")}, adjusted ${pValue(change.pAdjusted ?? 1)}`,
        samples: [],
      }))
  )
}

function wordLines(candidate: ScoredVariant, options: BrokeSectionOptions): Line[] {
  const { evaluation, words, positions } = options
  const [metric] = primaryMetrics(evaluation)
  if (!metric) return []
  const outcome = new Int8Array(positions.size)
  for (const { sampleId, difference } of differencesOf(metric, candidate, options)) {
    const position = positions.get(sampleId)
    if (position === undefined) continue
    const change = (metric.direction === "higher" ? 1 : -1) * Number(difference.toPrecision(12))
    outcome[position] = change < 0 ? 2 : 1
  }
  const isWorse = (position: number) => (outcome[position] === 0 ? undefined : outcome[position] === 2)
  const clusters = words.clusters(isWorse, evaluation.alpha)
  return clusters.map(({ words: names, worse, samples, pAdjusted, positions: some }) => ({
    kind: "input words",
    what: names.join(", "),
    evidence: regressionWords.word(worse, counted(samples, "sample"), names[0] ?? "", pValue(pAdjusted)),
    samples: some.slice(0, 3).map(positions.idAt),
  }))
}

function differencesOf(metric: AnyMetric, candidate: ScoredVariant, { baseline, evaluation }: BrokeSectionOptions) {
  const rows = countRows(metric, rowsOf(baseline.scored, metric.name), rowsOf(candidate, metric.name), {
    missing: evaluation.missing,
    absentRows: "not_asked",
  })
  return rows.complete.pairs.length === 0 ? [] : sampleDifferences(rows.all)
}

function primaryMetrics({ metrics, primary }: BrokeSectionOptions["evaluation"]): readonly AnyMetric[] {
  return primary.flatMap((name) => metrics.find((metric) => metric.name === name) ?? [])
}
