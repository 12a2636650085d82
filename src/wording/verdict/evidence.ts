import type { AttemptCounts, Comparison, MetricComparison, MetricDesign } from "../../core/report/comparison.ts"
import type { NamedMetric } from "../../core/report/verdict-facts.ts"
import { between, signed, signedNumber, sized, type Wording, wordingOf } from "../../words/difference.ts"
import { listed } from "../../words/names.ts"
import { amount, count, counted } from "../../words/number.ts"
import { pValue } from "../../words/p-value.ts"
import { errorText, levelText, percent } from "../../words/percent.ts"
import { noFigure } from "../reasons.ts"

/** A finding before its own sentence is written. */
export type Finding = Omit<MetricComparison, "sentence" | "evidence">

/** What {@link evidenceOf} may say besides. */
export interface EvidenceNames {
  readonly baseline: string
  readonly candidate: string
}

/**
 * The figures that a finding is based on: the difference, the one-sided bound that decided, how sure it is, the pairs, and p
 * where something is said to be better.
 *
 * @example "−0.11 points, at worst −0.78 (95 % confidence, 900 pairs)"
 */
export function figuresOf(finding: Finding, metric: NamedMetric): string {
  const wording = wordingOf(metric)
  const { difference, pairs, verdict, p } = finding
  if (difference === null) return noFigure.noBothScored
  const bound = finding.abstain === undefined ? boundOf(finding, wording) : null
  const basis = [
    bound === null ? null : bound.confidence,
    verdict === "better" && p !== null ? pValue(p) : null,
    counted(pairs, "pair"),
  ]
  const value = signed(difference, wording)
  return `${bound === null ? value : `${value}, ${bound.words}`} (${basis.filter((part) => part !== null).join(", ")})`
}

/** Answers that changed sides, and failures: whole sentences that follow the figures; empty when there are none. */
export function remarksOf(finding: Finding, metric: NamedMetric, names: EvidenceNames): string {
  return [
    ...(finding.abstain === undefined ? [] : [`Nothing is decided: ${finding.abstain}.`]),
    ...failuresOf(finding, metric, names),
    ...flipsOf(finding),
    ...covariateOf(finding, metric),
    ...designOf(finding),
    ...(finding.warnings?.length ? [`Caution: ${listed(finding.warnings)}.`] : []),
  ].join(" ")
}

function designOf({ design, boundAlpha = 0.05 }: Finding): string[] {
  const words = designWords(design, boundAlpha)
  return words === "" ? [] : [words]
}

/** The one-sided bound that the verdict is based on; both where it is open, each on its own as sure as stated. */
function boundOf(finding: Finding, wording: Wording): { readonly words: string; readonly confidence: string | null } {
  const { direction, lowBound = null, highBound = null, verdict, boundAlpha = 0.05, margin } = finding
  const level = `${levelText(boundAlpha)} confidence`
  const [worst, best] = direction === "higher" ? [lowBound, highBound] : [highBound, lowBound]
  const decisive = verdict === "inferior" ? best : worst
  if (decisive === null) return { words: "so few pairs give no bound", confidence: null }
  const shown = (word: string, bound: number) => `${word} ${signedNumber(bound, wording)}`
  const clause = (word: string) => ({ words: shown(word, decisive), confidence: level })
  if (verdict === "better") return clause("at least")
  if (verdict === "non_inferior") return clause("at worst")
  if (verdict === "inferior") return clause("at best")
  const allowed = signedNumber(direction === "higher" ? -margin : margin, wording)
  const words = `${shown("at worst", decisive)}, where ${allowed} is allowed`
  return best === null
    ? { words, confidence: level }
    : { words: `${words}, and ${shown("at best", best)}`, confidence: `${level} each` }
}

/**
 * How much worse the candidate is where both one-sided bounds say that it is, whatever the margin; null where it may be as good, or
 * where nothing is decided.
 *
 * @example "2.24 to 10 points"
 */
export function provenLoss(finding: Finding, metric: NamedMetric): string | null {
  const { direction, lowBound = null, highBound = null, abstain } = finding
  const [worst, best] = direction === "higher" ? [lowBound, highBound] : [highBound, lowBound]
  const sign = direction === "higher" ? -1 : 1
  if (abstain !== undefined || worst === null || best === null || best * sign <= 0) return null
  const wording = wordingOf(metric)
  return `${amount(Math.abs(best) * wording.scale)} to ${sized(worst, wording)}`
}

/** "5 right answers became wrong, and 4 wrong ones became right."; of what is counted against an answer, "5 answers became worse, and 4 better." */
function flipsOf({ mcnemar, verdict, direction }: Finding): string[] {
  if (!mcnemar || mcnemar.b + mcnemar.c === 0 || verdict === "not_comparable") return []
  if (direction === "lower") return [`${counted(mcnemar.b, "answer")} became worse, and ${count(mcnemar.c)} better.`]
  const lost = mcnemar.b === 0 ? "No right answer" : counted(mcnemar.b, "right answer")
  const won = mcnemar.c === 0 ? "no wrong one" : counted(mcnemar.c, "wrong one")
  return [`${lost} became wrong, and ${won} became right.`]
}

/** What earlier runs saved, or why they were not used. */
function covariateOf({ covariate }: Finding, metric: NamedMetric): string[] {
  if (!covariate) return []
  if (covariate.reason !== undefined) return [`Earlier runs were not used: ${covariate.reason}.`]
  const { runs, others, varianceRatio, savedSamples, plainDifference } = covariate
  const source = `How hard ${runs.length === 1 ? `run ${runs[0]}` : `runs ${listed(runs)}`} found these and ${counted(others, "other item")}`
  if (savedSamples === 0) return [`${source} narrows nothing.`]
  return [
    `${source} leaves ${percent(varianceRatio)} of the variance, as ${counted(savedSamples, "more sample")} would; without it ${signed(plainDifference, wordingOf(metric))}.`,
  ]
}

/** "12 of 40 answers of q8 failed and count as wrong; without them −0.1 points (between −0.9 and +0.7, 28 pairs)." */
function failuresOf(finding: Finding, metric: NamedMetric, { baseline, candidate }: EvidenceNames): string[] {
  const { missing, pairs } = finding
  const both = missing.failedBoth ?? 0
  const sides = [
    { name: candidate, failed: missing.failedCandidate, unmeasured: missing.unmeasuredCandidate },
    { name: baseline, failed: missing.failedBaseline, unmeasured: missing.unmeasuredBaseline },
  ].filter(({ failed, unmeasured }) => failed + unmeasured > 0)
  if (sides.length === 0 && both === 0) return []
  const counted = missing.countedAs
  const gaps = sides.reduce((sum, { failed, unmeasured }) => sum + failed + unmeasured, both)
  const total = counted === null || pairs === 0 ? pairs + gaps : Math.max(pairs, gaps)
  const onBoth = both > 0 ? [`${count(both)} of ${count(total)} answers failed on both sides`] : []
  const bySide = sides.flatMap(({ name, failed, unmeasured }) => [
    ...(failed > 0 ? [`${count(failed)} of ${count(total)} answers of ${name} failed`] : []),
    ...(unmeasured > 0 ? [`${count(unmeasured)} of ${count(total)} answers of ${name} have no score`] : []),
  ])
  const what = [...bySide, ...onBoth]
  const verb = gaps === 1 ? "counts" : "count"
  const how =
    counted === null
      ? gaps === 1
        ? "is left out"
        : "are left out"
      : `${verb} as ${countedAsWords(counted, finding, metric)}`
  return [`${what.join(" and ")} and ${how}${withoutThem(finding, metric)}.`]
}

function countedAsWords(value: number, { missing }: Finding, metric: NamedMetric): string {
  if (metric.range[0] === 0 && metric.range[1] === 1 && value === 0) return "wrong"
  return `${amount(value)}, the worst ${missing.countedFrom === "observed" ? "value observed" : "possible value"}`
}

/** The figure over complete pairs, beside the one that counts failures. */
function withoutThem({ missing }: Finding, metric: NamedMetric): string {
  const { complete, countedAs = null, worstCase } = missing
  const wording = wordingOf(metric)
  if (countedAs === null)
    return worstCase === null ? "" : `; counted as the worst value they would make it ${signed(worstCase, wording)}`
  if (!complete) return ""
  const { difference, low, high, pairs } = complete
  const interval = low === null || high === null ? "" : `${between(low, high, wording)}, `
  return `; without them ${signed(difference, wording)} (${interval}${counted(pairs, "pair")})`
}

/** `1 point`, `68.8`: a margin in the metric's own unit. */
export function marginWords(finding: Finding, metric: NamedMetric): string {
  return sized(finding.margin, wordingOf(metric))
}

type ReliabilityFacts = Pick<Comparison, "baseline" | "candidate" | "reliability">

/** "24 of 124 attempts failed (19.4 %), where 0 of 100 (0 %) of a did". */
export function failureShares({ reliability, baseline }: ReliabilityFacts): string {
  if (!reliability) return "how often is not known"
  const { candidate, baseline: before } = reliability
  return `${share(candidate, " attempts failed")}, where ${share(before, "")} of ${baseline} did`
}

function share({ failed, attempts }: AttemptCounts, what: string): string {
  return `${count(failed)} of ${count(attempts)}${what} (${percent(failed / attempts)})`
}

/** "Failed attempts: 24 of 124 against 0 of 100, between 12 and 27 points more." Nothing where no difference is proven. */
export function reliabilityEvidence({ reliability }: ReliabilityFacts, withCounts: boolean): string[] {
  if (!reliability?.isProven) return []
  const { low, high, candidate, baseline } = reliability
  const [from, to] = [Math.min(Math.abs(low), Math.abs(high)), Math.max(Math.abs(low), Math.abs(high))]
  const counts = withCounts
    ? `${count(candidate.failed)} of ${count(candidate.attempts)} against ${count(baseline.failed)} of ${count(baseline.attempts)}, `
    : ""
  return [
    `Failed attempts: ${counts}between ${amount(from * 100)} and ${amount(to * 100)} points ${low > 0 ? "more" : "fewer"}.`,
  ]
}

/** How often the run was read and what that costs, as a sentence; empty where it was read once. */
function designWords(design: MetricDesign | undefined, alpha: number): string {
  if (!design) return ""
  const { kind, samples, reading, level, betting, more } = design
  const error = errorText(alpha)
  if (kind === "looks" && betting !== undefined)
    return `Read at look ${reading} of ${counted(samples.length, "look")} that were planned beforehand, by a bound that may be read at any time at ${errorText(betting)}, and by one for this look at ${errorText(level ?? alpha)}: all looks together err in at most ${error}.`
  if (kind === "looks")
    return `Read at look ${reading} of ${counted(samples.length, "look")} that were planned beforehand, at a one-sided level of ${errorText(level ?? alpha)}: all looks together err in at most ${error}.`
  if (samples.length > 1) {
    const readings = samples.length === 2 ? "both" : "all"
    return `This run was extended: it was read after ${listed(samples.map(count))} samples, and ${readings} readings together err in at most ${error}.`
  }
  return more ? `Read at ${errorText(level ?? alpha)} instead of ${error}, so that the run may be extended.` : ""
}
