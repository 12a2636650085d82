import type { Change, ChangedFigure } from "../../core/report/change.ts"
import type { Basis, MetricComparison, NeededAs, QualityVerdict } from "../../core/report/comparison.ts"
import type { ComparisonFacts, JudgeContext, NamedMetric } from "../../core/report/verdict-facts.ts"
import { sized, wordingOf } from "../../words/difference.ts"
import { figureAmount } from "../../words/figures/figure-amount.ts"
import { capital, listed, metricTitle, spacedName } from "../../words/names.ts"
import { amount, count, counted } from "../../words/number.ts"
import { percent, percentage } from "../../words/percent.ts"
import { turnWords } from "./change.ts"
import { brokenSamplesWords, hardBreakWords } from "./critical.ts"
import { failureShares, figuresOf, marginWords, provenLoss, reliabilityEvidence, remarksOf } from "./evidence.ts"
import { brokenWords, limitClause, limitsNotKept, openLimitWords } from "./limits.ts"
import { whyNot } from "./metric-sentence.ts"

/** What a verdict is worded from. */
export interface WordingInput {
  readonly facts: ComparisonFacts
  readonly context: JudgeContext
  readonly quality: QualityVerdict
  readonly basis: Basis
  readonly neededSamples: number | null
  readonly neededAs: NeededAs | null
  readonly neededCostUsd: number | null
}

/** The words of a verdict. */
export interface VerdictWords {
  readonly answer: string
  readonly evidence: string
  readonly sentence: string
  readonly reasons: readonly string[]
}

/** Verdicts that depend on what is gained or lost besides quality. */
const byChanges: ReadonlySet<Basis> = new Set(["gain", "loss", "no_gain", "better", "less_reliable"])

/** More metrics than this are counted instead of named. */
const maxNamed = 3

/** Puts a verdict into words: the answer in a sentence, then what it is based on. */
export function wordVerdict(input: WordingInput): VerdictWords {
  const { facts, context } = input
  const answer = answerOf(input)
  const needed = neededWords(input)
  const evidence = [
    ...(input.basis === "failure" ? [] : qualityEvidence(input)),
    ...(["failure", "no_skill"].includes(input.basis) ? [] : skillDoubt(input)),
    ...(byChanges.has(input.basis) ? changeEvidence(facts) : []),
    ...(input.basis === "failure" ? [] : reliabilityEvidence(facts, input.basis !== "less_reliable")),
    ...(input.basis === "failure" || !context.noise ? [] : [context.noise]),
    ...(needed === null ? [] : [needed]),
  ].join(" ")
  return {
    answer,
    evidence,
    sentence: [answer, evidence].filter((part) => part !== "").join(" "),
    reasons: [
      answer,
      ...limitsNotKept(context.limits).map((limitFinding) => `${facts.candidate}: ${limitClause(limitFinding)}.`),
      ...[...(facts.critical ?? []), ...(facts.breaks ?? [])].map(({ sentence }) => sentence),
      ...facts.metrics.filter(({ primary }) => primary).map(({ sentence }) => sentence),
      ...facts.changes.flatMap(({ isProven, text }) =>
        isProven ? [`${facts.candidate} is ${text} than ${facts.baseline}.`] : [],
      ),
      ...(facts.identity.warning ? [`${facts.identity.warning}.`] : []),
    ],
  }
}

function answerOf(input: WordingInput): string {
  const { facts, context, basis } = input
  const { baseline, candidate } = facts
  const good = goodWords(input)
  switch (basis) {
    case "failure":
      return `Nothing is known of ${candidate}, because it could not be measured: ${context.failure?.replace(/\.$/, "")}.`
    case "not_comparable":
      return notComparable(facts)
    case "worse":
      return `${candidate} cannot replace ${baseline}: it is worse ${worseWords(input)}.`
    case "limit_broken":
      return `${candidate} cannot replace ${baseline}: ${brokenWords(context.limits)}.`
    case "limit_unknown":
      return `Whether ${candidate} can replace ${baseline} is open: it is ${good}, but ${openLimitWords(context.limits)}.`
    case "critical_broken":
      return `${candidate} cannot replace ${baseline}: ${brokenSamplesWords(facts.critical ?? [])}.`
    case "critical_unknown":
      return `Whether ${candidate} can replace ${baseline} is open: it is ${good}, but it is not known of every sample that must not break.`
    case "hard_break":
      return `${candidate} cannot replace ${baseline}: ${hardBreakWords(facts.breaks ?? [], context.metrics)}.`
    case "hard_break_unknown":
      return `Whether ${candidate} can replace ${baseline} is open: it is ${good}, but it is not known of every answer whether it breaks a check that none may.`
    case "quality_inconclusive":
      return `Whether ${candidate} can replace ${baseline} is open: ${openWords(input)}.`
    case "no_skill":
      return `Whether ${candidate} can replace ${baseline} is open: it is ${good}, but ${noSkillWords(input)}.`
    case "less_reliable":
      return `${candidate} should not replace ${baseline}: it is ${good}, but its requests fail more often: ${failureShares(facts)}.`
    case "gain":
      return `${candidate} can replace ${baseline}: it is ${good}, and ${gainWords(facts)}.`
    case "better":
      return `${candidate} can replace ${baseline}: it is ${good}; ${unprovenWords(input)}.`
    case "quality_alone":
      return `${candidate} can replace ${baseline} as far as quality goes: it is ${good}; what it saves is unknown, since neither cost nor time is known on both sides.`
    case "loss":
      return `${candidate} should not replace ${baseline}: it is ${good}, but ${lossWords(facts)}.`
    case "no_gain":
      return `There is no reason to replace ${baseline} by ${candidate}: it is ${good}, but ${unprovenWords(input)}.`
    case "gain_unknown":
      return `There is no known reason to replace ${baseline} by ${candidate}: it is ${good}, but neither cost nor time was measured on both sides.`
  }
}

/** "as good on exact match within 1 point and better on chrf". */
function goodWords({ facts, context }: WordingInput): string {
  const words = deciding(facts).map((finding) => {
    const metric = metricOf(finding, context.metrics)
    return finding.verdict === "better"
      ? `better on ${metricTitle(metric)}`
      : `as good on ${metricTitle(metric)} within ${marginWords(finding, metric)}`
  })
  return words.length > maxNamed ? `as good on ${words.length} metrics within their margins` : listed(words)
}

function worseWords({ facts, context }: WordingInput): string {
  const lost = deciding(facts).filter(({ verdict }) => verdict === "inferior")
  const words = lost.map((finding) => beyondWords(finding, metricOf(finding, context.metrics)))
  return words.length > maxNamed ? `on ${words.length} metrics by more than their margins` : listed(words)
}

/** "it may be worse on exact match by more than 1 point"; where the bounds prove a loss, how large it is, and that the margin is what is open. */
function openWords({ facts, context }: WordingInput): string {
  const open = deciding(facts).filter(({ verdict }) => verdict === "inconclusive")
  const isAnyProven = open.some((finding) => provenLoss(finding, metricOf(finding, context.metrics)) !== null)
  if (open.length > maxNamed)
    return isAnyProven
      ? `it is worse on some of ${open.length} metrics; whether by more than their margins is open`
      : `it may be worse on ${open.length} metrics by more than their margins`
  const possible: string[] = []
  const proven: string[] = []
  for (const finding of open) {
    const metric = metricOf(finding, context.metrics)
    const loss = provenLoss(finding, metric)
    if (loss === null) possible.push(beyondWords(finding, metric))
    else
      proven.push(
        `it is worse on ${metricTitle(metric)} by ${loss}; whether by more than ${marginWords(finding, metric)} is open`,
      )
  }
  return [...proven, ...(possible.length > 0 ? [`it may be worse ${listed(possible)}`] : [])].join("; ")
}

/** "on exact match by more than 1 point" */
function beyondWords(finding: MetricComparison, metric: NamedMetric): string {
  return `on ${metricTitle(metric)} by more than ${marginWords(finding, metric)}`
}

/** "neither is shown to be better on exact match than the constant answer "coding" (12.5 %)" */
function noSkillWords({ facts, context }: WordingInput): string {
  const words = deciding(facts).flatMap((finding) => {
    const { constantAnswer: constant } = finding
    if (!constant) return []
    const metric = metricOf(finding, context.metrics)
    const figure = figureAmount(metric.name, constant.value, context.metrics)
    return [
      `on ${metricTitle(metric)} than the constant answer ${JSON.stringify(constant.answer.slice(0, 40))} (${figure})`,
    ]
  })
  return words.length === 0 ? "" : `neither is shown to be better ${listed(words)}`
}

function skillDoubt(input: WordingInput): string[] {
  const words = noSkillWords(input)
  return words === "" ? [] : [`${capital(words)}.`]
}

function notComparable(facts: ComparisonFacts): string {
  const missing = deciding(facts).find(({ verdict }) => verdict === "not_comparable")
  if (!missing) return `No metric decides between ${facts.baseline} and ${facts.candidate}.`
  return `${facts.candidate} and ${facts.baseline} cannot be compared on ${spacedName(missing.metric)}: ${whyNot(missing)}.`
}

/** "50 % cheaper and 12 % faster, but 8 % later to the first token". */
function gainWords({ changes = [] }: ComparisonFacts): string {
  const gains = changes.filter(({ isMaterial, share }) => isMaterial && share < 0).map(({ text }) => text)
  const losses = changes.filter(({ isMaterial, share }) => isMaterial && share > 0).map(({ text }) => text)
  return `${listed(gains)}${losses.length > 0 ? `, but ${listed(losses)}` : ""}`
}

function lossWords({ changes = [] }: ComparisonFacts): string {
  const gains = changes.filter(({ isMaterial, share }) => isMaterial && share < 0).map(({ text }) => text)
  const losses = changes.filter(({ isMaterial, share }) => isMaterial && share > 0).map(({ text }) => text)
  return `${listed(losses)}${gains.length > 0 ? `, though ${listed(gains)}` : ""}`
}

/** Why no gain counts: "no change of cost or time of 5 % or more is proven". */
function unprovenWords({ facts, context }: WordingInput): string {
  const changes = facts.changes.filter(({ figure }) => figure !== "modelBytes")
  if (changes.length === 0) return "what it saves is unknown"
  const names = changes.map(({ figure }) => nouns[figure])
  return `no change of ${listed(names, "or")} of ${percent(context.smallestGain)} or more is proven`
}

/** " These 400 samples find a change of 4 points with a probability of 80 %." */
function findable(open: MetricComparison, { metrics }: JudgeContext): string {
  const { minimumDetectableEffect: effect, pairs } = open
  const metric = metricOf(open, metrics)
  return effect === null
    ? ""
    : ` These ${counted(pairs, "sample")} find a change of ${sized(effect, wordingOf(metric))} in ${metricTitle(metric)} with a probability of 80 %.`
}

function neededWords({ basis, facts, context, neededSamples, neededAs, neededCostUsd }: WordingInput): string | null {
  if (basis !== "quality_inconclusive") return null
  const open = deciding(facts).find(({ verdict, abstain }) => verdict === "inconclusive" && abstain === undefined)
  if (neededSamples === null)
    return open
      ? `No number of samples can be promised to settle it: the difference is too near the margin for what is known of it.${findable(open, context)}`
      : null
  const price = neededCostUsd === null ? "" : `, for about $${amount(neededCostUsd)}`
  const asked = deciding(facts).flatMap(({ design }) => design?.samples.at(-1) ?? [])
  const isAssumed = deciding(facts).some(({ neededIf, verdict }) => verdict === "inconclusive" && neededIf)
  if (neededAs === "extension" && !isAssumed)
    return `About ${count(neededSamples)} more samples like these would settle it with a probability of 80 %${price}: extend this run with --extend and --limit ${Math.max(...asked) + neededSamples}.`
  const [assumed, shows] = isAssumed ? ["If nothing is lost, a", "shows that"] : ["A", "would settle it"]
  const fresh = `${assumed} new run of about ${count(neededSamples)} samples like these ${shows} with a probability of 80 %${price}`
  // A run that may be extended is not to be told that it may not.
  return asked.length > 0
    ? `${fresh}; no extension of this one can be promised to, for it would be read more strictly.`
    : `${fresh}.${open ? findable(open, context) : ""} Do not add samples to this run instead: a second look at the same answers makes false verdicts more likely.`
}

/** "Exact match: −0.11 points, at worst −0.78 (95 % confidence, 900 pairs). 5 right answers became wrong, …" */
function qualityEvidence({ facts, context }: WordingInput): string[] {
  return deciding(facts)
    .filter(({ verdict }) => verdict !== "not_comparable")
    .slice(0, maxNamed)
    .flatMap((finding) => {
      const metric = metricOf(finding, context.metrics)
      const remarks = remarksOf(finding, metric, facts)
      return [`${capital(metricTitle(metric))}: ${figuresOf(finding, metric)}.`, ...(remarks === "" ? [] : [remarks])]
    })
}

const nouns: Readonly<Record<ChangedFigure, string>> = {
  costUsd: "cost",
  e2eMs: "time",
  ttftMs: "time to the first token",
  modelBytes: "size",
}

/** "Cost: between 48 and 52 % less (900 pairs). Time: between 3 % less and 8 % more (900 pairs in 12 turns)." */
function changeEvidence({ changes = [] }: ComparisonFacts): string[] {
  return changes
    .filter(({ figure }) => figure === "costUsd" || figure === "e2eMs")
    .map(
      (change) => `${capital(nouns[change.figure])}: ${rangeWords(change)}${basisWords(change)}${errorWords(change)}.`,
    )
}

function rangeWords({ share, low, high, isPaired = true, turns }: Change): string {
  if (low === null || high === null) {
    const basis = turns === null ? `so few ${isPaired ? "pairs" : "answers"}` : counted(turns, "turn")
    return `${lessOrMore(share)}, but ${basis} cannot tell that from chance`
  }
  if (low === high) return share === 0 ? "exactly the same" : `exactly ${lessOrMore(share)}`
  const [a, b] = [Math.min(Math.abs(low), Math.abs(high)), Math.max(Math.abs(low), Math.abs(high))]
  if (high < 0) return `between ${percentage(a)} and ${percent(b)} less`
  if (low >= 1) {
    const [from, to] = [amount(1 + low), amount(1 + high)]
    return from === to ? `${from} times as much` : `between ${from} and ${to} times as much`
  }
  if (low > 0) return `between ${percentage(a)} and ${percent(b)} more`
  return `between ${percent(Math.abs(low))} less and ${percent(high)} more`
}

function basisWords({ n, isPaired = true, turns }: Change): string {
  return ` (${isPaired ? counted(n, "pair") : `${counted(n, "answer")} on each side, not paired`}${turnWords(n, turns)})`
}

/** Why nothing is proven although the interval leaves 0 out. */
function errorWords({ timingError }: Change): string {
  if (timingError === undefined) return ""
  return timingError === "unmeasured"
    ? ", but evalkit\u2019s own timing error was not measured"
    : ", but within evalkit\u2019s own timing error"
}

function lessOrMore(share: number): string {
  return `${percent(Math.abs(share))} ${share < 0 ? "less" : "more"}`
}

function deciding(facts: ComparisonFacts): readonly MetricComparison[] {
  return facts.metrics.filter(({ primary }) => primary)
}

function metricOf(finding: MetricComparison, metrics: readonly NamedMetric[]): NamedMetric {
  return (
    metrics.find(({ name }) => name === finding.metric) ?? {
      name: finding.metric,
      range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    }
  )
}
