import type { Comparison, Verdict } from "../../core/report/comparison.ts"
import type { CandidateDecision, Decision } from "../../core/report/decision.ts"
import { figureValue } from "../../core/report/figure.ts"
import type { Frontier } from "../../core/report/frontier.ts"
import type { VariantReport } from "../../core/report/report.ts"
import { reportFigure } from "../report/report-figure.ts"
import { keepsConstraint, parseConstraints } from "./constraints.ts"
import { amount, whole } from "./phrases.ts"

/** What a swap is made for: less of this figure is better. */
export type Objective = "cost" | "latency" | "memory"

/** Options of {@link decide}. */
export interface DecideOptions {
  readonly baseline: string
  readonly comparisons: readonly Comparison[]
  readonly variants: readonly VariantReport[]
  readonly primary: readonly string[]
  readonly margin: number
  readonly constraints?: readonly string[]
  /** What to gain, the first that is known on both sides counts; cost, latency, memory by default. */
  readonly objective?: readonly Objective[]
  readonly frontier?: Frontier | null
}

const objectives: Record<Objective, { readonly figure: string; readonly less: string; readonly more: string }> = {
  cost: { figure: "costUsd", less: "cheaper", more: "dearer" },
  latency: { figure: "e2eMs", less: "faster", more: "slower" },
  memory: { figure: "modelBytes", less: "smaller", more: "larger" },
}

/**
 * May we make this swap? Every candidate gets a verdict with reasons; the choice is the one that may be swapped to and
 * gains most on the objective. A candidate that may be swapped to but gains nothing known is no reason to swap.
 */
export function decide(options: DecideOptions): Decision {
  const { baseline, comparisons, variants } = options
  const reports = new Map(variants.map((variant) => [variant.name, variant]))
  const base = reports.get(baseline)
  const judged = comparisons
    .filter((comparison) => comparison.baseline === baseline)
    .map((comparison) => judge(comparison, base, reports.get(comparison.candidate), options))
  const willing = judged.filter(({ decision, gain }) => decision.verdict === "swap" && gain !== null && gain > 0)
  const best = [...willing].sort((a, b) => a.rank - b.rank || (b.gain as number) - (a.gain as number))[0]
  const candidates = judged.map(({ decision }) => decision)
  const verdict: Verdict = best ? "swap" : summaryVerdict(candidates)
  return {
    baseline,
    choice: best?.decision.candidate ?? null,
    verdict,
    sentence: sentenceOf(verdict, baseline, best?.decision ?? null, candidates),
    candidates,
  }
}

interface Judged {
  readonly decision: CandidateDecision
  /** Share saved on the first objective that is known; null when none is. */
  readonly gain: number | null
  /** Position of that objective. */
  readonly rank: number
}

function judge(
  comparison: Comparison,
  base: VariantReport | undefined,
  report: VariantReport | undefined,
  options: DecideOptions,
): Judged {
  const reasons = comparison.metrics.filter(({ primary }) => primary).map(({ sentence }) => sentence)
  const broken = report ? brokenConstraints(report, options.constraints ?? []) : []
  const savings = base && report ? savingsOf(base, report, options.objective ?? ["cost", "latency", "memory"]) : []
  const main = savings.findIndex(({ share }) => Math.abs(share) >= 0.005)
  const chosen = savings[main]
  const failure = report?.failure ?? null
  const verdict: Verdict = failure
    ? "invalid"
    : comparison.verdict === "swap" && broken.length > 0
      ? "keep"
      : comparison.verdict
  const needed = verdict === "inconclusive" ? neededSamples(comparison) : null
  const price = pairPrice(base, report)
  return {
    decision: {
      candidate: comparison.candidate,
      verdict,
      reasons: [
        ...(failure ? [`${comparison.candidate} could not be measured: ${failure}.`] : []),
        ...broken,
        ...reasons,
        ...savings.flatMap(({ text }) =>
          text ? [`${comparison.candidate} is ${text} than ${options.baseline}.`] : [],
        ),
        ...(comparison.identity.warning ? [`${comparison.identity.warning}.`] : []),
      ],
      neededSamples: needed,
      neededCostUsd: needed !== null && price !== null ? needed * price : null,
    },
    gain: chosen?.share ?? null,
    rank: main,
  }
}

function savingsOf(base: VariantReport, report: VariantReport, wanted: readonly Objective[]) {
  return wanted.flatMap((objective) => {
    const { figure, less, more } = objectives[objective]
    const from = figureValue(reportFigure(base, figure))
    const to = figureValue(reportFigure(report, figure))
    if (from === null || to === null || from <= 0) return []
    const share = (from - to) / from
    const percent = Math.round(Math.abs(share) * 100)
    return [{ share, text: percent === 0 ? null : `${whole(percent)} % ${share > 0 ? less : more}` }]
  })
}

function brokenConstraints(report: VariantReport, constraints: readonly string[]): string[] {
  return constraints.flatMap(parseConstraints).flatMap((constraint) => {
    const value = figureValue(reportFigure(report, constraint.figure))
    if (keepsConstraint(value, constraint)) return []
    const found = value === null ? "which is unknown" : `but ${constraint.figure} is ${amount(value)}`
    return [`${report.name} must keep "${constraint.text}", ${found}.`]
  })
}

/** Samples beyond those that are there, for the primary metric that needs most; null when one cannot be settled. */
function neededSamples(comparison: Comparison): number | null {
  const open = comparison.metrics.filter(({ primary, verdict }) => primary && verdict === "inconclusive")
  if (open.length === 0 || open.some(({ neededN }) => neededN === null)) return null
  return Math.max(...open.map(({ neededN, pairs }) => (neededN as number) - pairs))
}

/** What one more sample costs on both sides; null when a price is unknown. */
function pairPrice(base: VariantReport | undefined, report: VariantReport | undefined): number | null {
  const a = base ? figureValue(base.cost.perQueryUsd) : null
  const b = report ? figureValue(report.cost.perQueryUsd) : null
  return a === null || b === null ? null : a + b
}

function summaryVerdict(candidates: readonly CandidateDecision[]): Verdict {
  const verdicts = new Set(candidates.map(({ verdict }) => verdict))
  if (candidates.length === 0) return "not_comparable"
  // An open candidate could still win; a candidate that is as good but gains nothing leaves the baseline in place.
  for (const verdict of ["inconclusive", "keep", "swap", "not_comparable"] as const)
    if (verdicts.has(verdict)) return verdict === "swap" ? "keep" : verdict
  return "invalid"
}

function sentenceOf(
  verdict: Verdict,
  baseline: string,
  best: CandidateDecision | null,
  candidates: readonly CandidateDecision[],
): string {
  if (best) return `Swap ${baseline} for ${best.candidate}. ${best.reasons.join(" ")}`
  const first = candidates.find((candidate) => candidate.verdict === verdict)
  switch (verdict) {
    case "inconclusive": {
      const { neededSamples: samples = null, neededCostUsd: cost = null } = first ?? {}
      const price = cost === null ? "" : `, for about ${amount(cost)} USD`
      const more = samples === null ? "" : ` About ${whole(samples)} more samples would settle it${price}.`
      return `No decision yet on ${baseline}. ${first?.reasons[0] ?? ""}${more}`.trim()
    }
    case "keep": {
      const same = candidates.find((candidate) => candidate.verdict === "swap")
      return first
        ? `Keep ${baseline}. ${first.reasons[0] ?? ""}`.trim()
        : `Keep ${baseline}. ${same?.reasons.join(" ") ?? ""} Nothing is gained by the swap.`
    }
    case "not_comparable":
      return candidates.length === 0
        ? `There is nothing to compare ${baseline} with.`
        : `${baseline} cannot be compared. ${first?.reasons[0] ?? "No primary metric has a score on both sides."}`
    default:
      return `The run is not valid as evidence. ${first?.reasons[0] ?? ""}`.trim()
  }
}
