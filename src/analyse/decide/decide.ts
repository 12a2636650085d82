import type { ChangedFigure } from "../../core/report/change.ts"
import type { Comparison, Verdict } from "../../core/report/comparison.ts"
import type { Decision } from "../../core/report/decision.ts"
import { figureValue } from "../../core/report/figure.ts"
import type { VariantReport } from "../../core/report/report.ts"
import type { JudgedCandidate, NamedMetric } from "../../core/report/verdict-facts.ts"
import { withCapacity } from "../../wording/verdict/capacity-sentence.ts"
import { wordDecision } from "../../wording/verdict/decision-sentence.ts"
import { defaultSmallestGain } from "../compare/changes.ts"
import { reliabilityChange } from "../compare/reliability-change.ts"
import { changesOfReports } from "./changes-of-reports.ts"
import { firstMaterial, judgeCandidate } from "./judge-candidate.ts"
import { limitFindings } from "./limit-findings.ts"

/** What a swap is made for: less of this figure is better. @experimental */
export type Objective = "cost" | "latency" | "memory"

/** Options of {@link decide}. @public */
export interface DecideOptions {
  readonly baseline: string
  readonly comparisons: readonly Comparison[]
  readonly variants: readonly VariantReport[]
  readonly metrics: readonly NamedMetric[]
  readonly constraints?: readonly string[]
  /** What to gain: the first that changes provably counts; cost, latency, memory by default. */
  readonly objective?: readonly Objective[]
  /** Smallest saving that is worth a swap, as a share; 0.05 by default. */
  readonly smallestGain?: number
  /** What the baseline differs from itself by, in a sentence; null where it is not known. */
  readonly noise?: string | null
}

/** A decision, and the comparisons with the verdicts and sentences that it gives them. @experimental */
export interface Decided {
  readonly decision: Decision
  readonly comparisons: readonly Comparison[]
}

const figureOf: Readonly<Record<Objective, ChangedFigure>> = {
  cost: "costUsd",
  latency: "e2eMs",
  memory: "modelBytes",
}

/**
 * May we make this swap? Every candidate is judged by {@link judgeCandidate} with the limits of the run; the choice is the one
 * that may be swapped to and gains most on the first objective that changes provably. A settled verdict comes before an open one.
 * @public
 */
export function decide(options: DecideOptions): Decided {
  const { baseline, variants } = options
  const reports = new Map(variants.map((variant) => [variant.name, variant]))
  const comparisons = options.comparisons.map((comparison): Comparison => {
    const reliability = reliabilityChange(reports.get(comparison.baseline), reports.get(comparison.candidate))
    return reliability ? { ...comparison, reliability } : comparison
  })
  const objective = (options.objective ?? ["cost", "latency", "memory"]).map((kind) => figureOf[kind])
  const judged = comparisons.map((comparison) =>
    comparison.baseline === baseline
      ? judge(comparison, reports.get(baseline), reports.get(comparison.candidate), objective, options)
      : null,
  )
  const candidates = judged.filter((entry) => entry !== null)
  const about = tellingOf(candidates, comparisons, objective)
  const priced = (name = "") => ({ name, price: reports.get(name)?.cost.price })
  const verdict: Verdict = about?.verdict ?? "not_comparable"
  return {
    decision: {
      baseline,
      choice: verdict === "swap" ? (about?.candidate ?? null) : null,
      verdict,
      ...withCapacity(wordDecision(baseline, about, candidates), priced(about?.candidate), priced(baseline)),
      about: about?.candidate ?? null,
      multiplicity: candidates.length > 1 ? `Holm over ${candidates.length} candidates` : null,
      candidates,
    },
    comparisons: comparisons.map((comparison, i) => {
      const candidate = judged[i]
      if (!candidate) return comparison
      const { verdict, quality, basis, sentence, neededSamples, changes, method, limits } = candidate
      return {
        ...comparison,
        verdict,
        quality,
        basis,
        sentence,
        neededSamples,
        changes,
        method,
        ...(limits && { limits }),
      }
    }),
  }
}

function judge(
  comparison: Comparison,
  base: VariantReport | undefined,
  report: VariantReport | undefined,
  objective: readonly ChangedFigure[],
  options: DecideOptions,
): JudgedCandidate {
  const { smallestGain = defaultSmallestGain, comparisons, metrics } = options
  const primary = comparison.metrics.find((metric) => metric.primary)?.metric
  const limits = report ? limitFindings(report, options.constraints ?? [], primary, metrics) : []
  const elsewhere = base && report ? changesOfReports(comparison.changes, base, report, smallestGain) : []
  const changes = [...comparison.changes, ...elsewhere]
  return judgeCandidate(
    { ...comparison, changes },
    {
      metrics,
      smallestGain,
      objective,
      candidates: comparisons.length,
      failure: report?.failure ?? null,
      limits,
      usdPerSample: pairPrice(base, report),
      noise: options.noise ?? null,
    },
  )
}

/** What one more sample costs on both sides; null when a price is unknown. */
function pairPrice(base: VariantReport | undefined, report: VariantReport | undefined): number | null {
  const a = base ? figureValue(base.cost.perQueryUsd) : null
  const b = report ? figureValue(report.cost.perQueryUsd) : null
  return a === null || b === null ? null : a + b
}

/**
 * The candidate that the answer is about: the swap that gains most, else what is settled (as good before worse, and of the
 * worse the nearest), else what is open and needs least, else what cannot be compared.
 */
function tellingOf(
  candidates: readonly JudgedCandidate[],
  comparisons: readonly Comparison[],
  objective: readonly ChangedFigure[],
): JudgedCandidate | null {
  const order: readonly Verdict[] = ["swap", "keep", "inconclusive", "not_comparable", "invalid"]
  const rank = ({ verdict }: JudgedCandidate) => order.indexOf(verdict)
  const key = (judgedCandidate: JudgedCandidate): readonly number[] => {
    if (judgedCandidate.verdict === "swap") {
      const gain = firstMaterial(judgedCandidate.changes, objective)
      return gain ? [objective.indexOf(gain.figure), gain.share] : [objective.length, 0]
    }
    if (judgedCandidate.verdict === "inconclusive") return [judgedCandidate.neededSamples ?? Number.POSITIVE_INFINITY]
    return [judgedCandidate.quality === "worse" ? 1 : 0, loss(judgedCandidate, comparisons)]
  }
  return (
    candidates.toSorted((a, b) => {
      const [x, y] = [key(a), key(b)]
      return rank(a) - rank(b) || compareKeys(x, y)
    })[0] ?? null
  )
}

function compareKeys(x: readonly number[], y: readonly number[]): number {
  for (let i = 0; i < x.length; i++) {
    const difference = (x[i] as number) - (y[i] as number)
    if (difference !== 0 && !Number.isNaN(difference)) return difference
  }
  return 0
}

/** How much the first primary metric loses, in its own unit; more is worse. */
function loss({ candidate }: JudgedCandidate, comparisons: readonly Comparison[]): number {
  const metric = comparisons
    .find((comparison) => comparison.candidate === candidate)
    ?.metrics.find(({ primary }) => primary)
  if (!metric || metric.difference === null) return Number.POSITIVE_INFINITY
  return metric.direction === "higher" ? -metric.difference : metric.difference
}
