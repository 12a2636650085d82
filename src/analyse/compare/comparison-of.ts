import type { AnyMetric } from "../../core/metric/metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { Comparison, MetricComparison, MissingRule } from "../../core/report/comparison.ts"
import type { HardBreak } from "../../core/run/evaluation.ts"
import { identityCheck } from "../../estimate/identity.ts"
import { differenceColumns, isBinary } from "../../estimate/sample-differences.ts"
import { factsBehind } from "../../rows/columns/fact-columns.ts"
import { type AbsentRows, countRows } from "../../rows/missing-rows.ts"
import { rowsOf } from "../../rows/rows-of.ts"
import { figuresOf } from "../../wording/verdict/evidence.ts"
import { metricSentence } from "../../wording/verdict/metric-sentence.ts"
import { judgeCandidate } from "../decide/judge-candidate.ts"
import type { RunDesign } from "../interim/reading.ts"
import { changesOf, defaultSmallestGain } from "./changes.ts"
import { breakFindings, criticalFindings } from "./critical-findings.ts"
import type { ItemDifficulty } from "./difficulty/item-difficulty.ts"
import type { MarginKind } from "./margin.ts"
import { pairedPerformance } from "./paired-performance.ts"

/** Options of {@link comparisonOf}. @public */
export interface CompareOptions {
  readonly baseline: ScoredVariant
  readonly candidate: ScoredVariant
  readonly metrics: readonly AnyMetric[]
  /** Names of the metrics that decide; all others are exploration. */
  readonly primary: readonly string[]
  /** Largest loss that counts as "not worse". */
  readonly margin: number
  /** Whether the margin is in each metric's own `unit` (default), or a `share` of its scale. */
  readonly marginKind?: MarginKind
  readonly alpha: number
  readonly seed: number | string
  /** Checks that cap the verdict. None by default. */
  readonly breaks?: readonly HardBreak[]
  /** What becomes of a failed answer where the other side has a score; `worst` by default. */
  readonly missing?: MissingRule
  /** What a row that is not there says; `not_asked` by default. */
  readonly absentRows?: AbsentRows
  /** Smallest saving that is worth a swap, as a share; 0.05 by default. */
  readonly smallestGain?: number
  /**
   * A difference of a time that evalkit's own error could make, in milliseconds, is no change. Null (default): it was not measured, and
   * no difference of times that evalkit took is one.
   */
  readonly timeErrorMs?: number | null
  /** Set for a run that is read more than once: planned looks, or stages of a run that was or may be extended. */
  readonly design?: RunDesign | null
  /** How hard earlier runs found the items, by metric: a control variate of the differences. None by default. */
  readonly difficulty?: ReadonlyMap<string, ItemDifficulty>
  /** Whether an open question is told how many samples would settle it, which takes most of the time. Default true. */
  readonly isPlanned?: boolean
  /** Candidates that share the error rate; 1 by default. */
  readonly candidates?: number
}

/** A comparison from its metrics' findings, with everything that is not a metric, and the verdict in words. */
export function comparisonOf(
  options: CompareOptions,
  findings: readonly Omit<MetricComparison, "sentence" | "evidence">[],
): Comparison {
  const { baseline, candidate, metrics, alpha, smallestGain = defaultSmallestGain, timeErrorMs = null } = options
  const compared = findings.map(
    (finding, i): MetricComparison => ({
      ...finding,
      ...(finding.primary && noSkill(finding.metric, [baseline, candidate])),
      evidence: figuresOf(finding, metrics[i] as AnyMetric),
      sentence: metricSentence(finding, metrics[i] as AnyMetric, baseline.name, candidate.name),
    }),
  )
  const [critical, breaks] = [criticalFindings(options), breakFindings(options)]
  const facts = {
    baseline: baseline.name,
    candidate: candidate.name,
    metrics: compared,
    performance: pairedPerformance(baseline, candidate, { alpha }),
    changes: changesOf(baseline, candidate, {
      alpha: alpha / Math.max(1, options.candidates ?? 1),
      smallestGain,
      timeErrorMs,
    }),
    ...([baseline, candidate].every(isForeign) && { scoresOnly: true }),
    ...(critical.length > 0 && { critical }),
    ...(breaks.length > 0 && { breaks }),
    flips: flipsOf(options, metrics),
    identity: identityCheck(baseline, candidate),
  }
  const { verdict, quality, basis, sentence, neededSamples, method, limits } = judgeCandidate(facts, {
    metrics,
    smallestGain,
    candidates: options.candidates ?? 1,
  })
  return { ...facts, verdict, quality, basis, sentence, neededSamples, method, limits }
}

/** The constant answer that neither side is shown to be better than; of two data sets, the candidate's. */
function noSkill(metric: string, sides: readonly ScoredVariant[]): Pick<MetricComparison, "constantAnswer"> {
  const answers = sides.map(({ constantAnswers }) => constantAnswers?.get(metric))
  const constant = answers[1]
  if (!constant || answers.some((answer) => !answer || (answer.lowBound ?? 0) > 0)) return {}
  return { constantAnswer: { answer: constant.answer, value: constant.value } }
}

function isForeign({ answers }: ScoredVariant): boolean {
  const facts = factsBehind(answers)
  for (let index = 0; index < facts.length; index++) if (facts.source(index) !== "foreign") return false
  return true
}

/** Samples whose first primary metric went right→wrong or wrong→right; null when its scores are not 0 or 1. */
function flipsOf(options: CompareOptions, metrics: readonly AnyMetric[]): Comparison["flips"] {
  const metric = metrics.find(({ name }) => name === options.primary[0])
  if (!metric) return null
  const { missing = "worst", absentRows = "not_asked" } = options
  const { all, complete } = countRows(
    metric,
    rowsOf(options.baseline, metric.name),
    rowsOf(options.candidate, metric.name),
    { missing, absentRows },
  )
  const pairs = complete.pairs.length === 0 ? [] : all
  if (pairs.length === 0 || !isBinary(pairs)) return null
  const right = (value: number) => (metric.direction === "higher" ? value > 0.5 : value < 0.5)
  const wrong = (value: number) => (metric.direction === "higher" ? value < 0.5 : value > 0.5)
  const { ids, baseline, candidate } = differenceColumns(pairs)
  const [before, after] = [(i: number) => baseline[i] as number, (i: number) => candidate[i] as number]
  return {
    metric: metric.name,
    lost: ids.filter((_, i) => right(before(i)) && wrong(after(i))),
    won: ids.filter((_, i) => wrong(before(i)) && right(after(i))),
  }
}
