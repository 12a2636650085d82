import type { Change, ChangedFigure } from "../../core/report/change.ts"
import type { Basis, MetricComparison, NeededAs, QualityVerdict, Verdict } from "../../core/report/comparison.ts"
import type { ComparisonFacts, JudgeContext, JudgedCandidate } from "../../core/report/verdict-facts.ts"
import { methodOf } from "../../wording/verdict/method.ts"
import { wordVerdict } from "../../wording/verdict/verdict-sentence.ts"
import { limitsReliability } from "../compare/reliability-change.ts"

const defaultObjective: readonly ChangedFigure[] = ["costUsd", "e2eMs", "modelBytes"]

/**
 * May this candidate replace the baseline? It must be as good, by a metric that shows one of them to be better than a constant answer (else being as
 * good says nothing: assay sensitivity, ICH E10 1.5), it must not fail more often, and it must gain something: the first of the objectives that
 * changes provably and by at least the smallest gain must be a saving, or, where none changes, quality must be better. The
 * only place where a verdict is decided and put into words.
 */
export function judgeCandidate(facts: ComparisonFacts, context: JudgeContext): JudgedCandidate {
  const quality = qualityOf(facts)
  const basis = withSkill(basisOf(facts, quality, context), facts)
  const verdict = verdicts[basis]
  const needed = basis === "quality_inconclusive" ? neededBy(facts) : null
  const neededSamples = needed?.samples ?? null
  const neededAs = needed?.as ?? null
  const { usdPerSample = null } = context
  const neededCostUsd = neededSamples !== null && usdPerSample !== null ? neededSamples * usdPerSample : null
  const { changes } = facts
  const words = wordVerdict({ facts, context, quality, basis, neededSamples, neededAs, neededCostUsd })
  return {
    candidate: facts.candidate,
    verdict,
    quality,
    basis,
    ...words,
    changes,
    neededSamples,
    neededCostUsd,
    method: methodOf(facts, context),
    limits: context.limits ?? [],
  }
}

const verdicts: Readonly<Record<Basis, Verdict>> = {
  failure: "invalid",
  not_comparable: "not_comparable",
  worse: "keep",
  limit_broken: "keep",
  limit_unknown: "inconclusive",
  less_reliable: "keep",
  critical_broken: "keep",
  critical_unknown: "inconclusive",
  hard_break: "keep",
  hard_break_unknown: "inconclusive",
  quality_inconclusive: "inconclusive",
  no_skill: "inconclusive",
  gain: "swap",
  better: "swap",
  quality_alone: "swap",
  loss: "keep",
  no_gain: "keep",
  gain_unknown: "keep",
}

/** The primary metrics together: as weak as the weakest. */
export function qualityOf({
  metrics,
}: {
  readonly metrics: readonly Pick<MetricComparison, "primary" | "verdict">[]
}): QualityVerdict {
  const kinds = new Set(metrics.filter(({ primary }) => primary).map(({ verdict }) => verdict))
  if (kinds.size === 0 || kinds.has("not_comparable")) return "unknown"
  if (kinds.has("inferior")) return "worse"
  if (kinds.has("inconclusive")) return "inconclusive"
  return kinds.has("better") ? "better" : "non_inferior"
}

function basisOf(facts: ComparisonFacts, quality: QualityVerdict, context: JudgeContext): Basis {
  if (context.failure) return "failure"
  if (quality === "unknown") return "not_comparable"
  if (quality === "worse") return "worse"
  const limits = new Set(context.limits?.map(({ state }) => state))
  if (limits.has("violated")) return "limit_broken"
  const critical = facts.critical ?? []
  if (critical.some(({ broken }) => broken.length > 0)) return "critical_broken"
  const breaks = facts.breaks ?? []
  if (breaks.some(({ broken, allowed }) => broken.length > allowed)) return "hard_break"
  if (quality === "inconclusive") return "quality_inconclusive"
  const { reliability } = facts
  if (reliability?.isMaterial && reliability.difference > 0 && !limitsReliability(context.limits))
    return "less_reliable"
  if (limits.has("open") || limits.has("unknown")) return "limit_unknown"
  if (critical.some(({ unknown }) => unknown > 0)) return "critical_unknown"
  if (breaks.some(({ broken, unknown, allowed }) => broken.length + unknown > allowed)) return "hard_break_unknown"
  const { changes } = facts
  const first = firstMaterial(changes, context.objective ?? defaultObjective)
  if (first) return first.share < 0 ? "gain" : "loss"
  if (quality === "better") return "better"
  if (changes.some(({ figure }) => figure !== "modelBytes")) return "no_gain"
  return facts.scoresOnly ? "quality_alone" : "gain_unknown"
}

/** A swap on "as good" needs a metric by which one side does the job; what is better, or no swap, stands without. */
function withSkill(basis: Basis, { metrics }: ComparisonFacts): Basis {
  const isEmpty = metrics.some(
    ({ primary, verdict, constantAnswer }) => primary && verdict === "non_inferior" && constantAnswer,
  )
  return isEmpty && verdicts[basis] === "swap" ? "no_skill" : basis
}

/** The first objective that changes provably and by enough to matter. */
export function firstMaterial(changes: readonly Change[], objective: readonly ChangedFigure[]): Change | null {
  for (const figure of objective) {
    const change = changes.find((entry) => entry.figure === figure)
    if (change?.isMaterial) return change
  }
  return null
}

/** New samples for the primary metric that needs most; null when one cannot be settled. A new run where one needs that. */
function neededBy({ metrics }: ComparisonFacts): { readonly samples: number; readonly as: NeededAs } | null {
  const open = metrics.filter(({ primary, verdict }) => primary && verdict === "inconclusive")
  if (open.length === 0 || open.some(({ neededN }) => neededN === null)) return null
  return {
    samples: Math.max(...open.map(({ neededN }) => neededN as number)),
    as: open.every(({ neededAs }) => neededAs === "extension") ? "extension" : "new_run",
  }
}
