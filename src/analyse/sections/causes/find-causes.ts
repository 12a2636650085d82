import { byText } from "../../../stats/order.ts"
import type { UnitNumbers } from "../../../stats/resampling/units.ts"
import { adjustP } from "../../../stats/tests/multiple-tests.ts"
import type { RuleName } from "../../../wording/sections/regressions.ts"
import {
  besideRest,
  type Counts,
  change,
  countAll,
  countsOf,
  fisher,
  type Left,
  leftOf,
  lossesIn,
  moreThan,
} from "./count-changes.ts"

/** A way to tell some samples from the others. */
export interface Rule {
  readonly name: RuleName
  /** Of the inputs, or of what the candidate's answer is beside the baseline's. */
  readonly side: "input" | "answer"
  /** How much there is to say; of two rules of the same samples the one of less is reported. */
  readonly length: number
  /** Positions of its samples. */
  readonly inside: ArrayLike<number>
  /** Of what two fields share: the samples of the one and of the other, within which the shared ones must lose more, too. */
  readonly within?: readonly ArrayLike<number>[]
  /** Of answers: where it is the baseline's answer that has it, beside the candidate's; as often by chance. */
  readonly reverse?: ArrayLike<number>
}

/** Losses that one rule tells from the rest. */
export interface Cause {
  readonly name: RuleName
  /** What the other side has in common where these were lost: of answers for a rule of inputs, of inputs for one of answers. */
  readonly partner: RuleName | null
  /** Samples of the rule, and those of them that were lost. */
  readonly samples: number
  readonly losses: number
  /** Clusters that the samples are in; null where each is its own. */
  readonly clusters: number | null
  /** So many samples count as one, since those of a cluster are alike: the design effect of the losses, at least 1. */
  readonly effect: number
  /** The same of all samples outside, those of rules before this one aside; null where nothing is left to compare with. */
  readonly elsewhere: { readonly samples: number; readonly losses: number } | null
  /** Benjamini and Hochberg, over all rules; of what all answers have in common the exact sign test of losses and gains. */
  readonly pAdjusted: number
  /** Positions of its samples, and of those of them that were lost. */
  readonly inside: readonly number[]
  readonly positions: readonly number[]
}

/** Samples that a rule must have to be tested. */
export const minSamples = 5
/** Losses that a rule must have to be named. */
export const minLosses = 3
/** Causes of one candidate, at most. */
const maxCauses = 4
/** Share of losses in common from which on two rules tell the same; words: from which on they are named together. */
const sameLosses = 0.9
const sameWords = 0.5
/** Share of the samples that must be lost where what they have in common is in all of them. */
const lostShareOfAll = 0.5
/** Share of a cause's losses that have what the other side is said to have in common. */
const commonShare = 0.8
const maxWords = 4

/**
 * Causes of losses: the clearest rule, then, without its samples, the clearest of what remains, until none is beyond chance. A rule must
 * have more losses than the rest (Fisher's exact test), and lose more on balance, gains counted (Welch's test of the part against the rest);
 * what two fields share must do so within either field; what answers gained or miss must be more frequent than the reverse (exact sign
 * test), since right and wrong answers differ in words by themselves. p is the largest of these; false discoveries are held at `alpha` over
 * all rules at every step. Which rules are tested depends on no outcome. What all answers have and the baseline's have not has no rest: it is
 * the cause where half of them or more are lost. Samples of a cluster count as far as their losses differ: counts are divided by their
 * design effect (Rao and Scott, "A simple method for the analysis of clustered binary data", Biometrics 48, 1992), Welch's test is over clusters.
 *
 * @param changes one of {@link change} by position
 * @param units cluster of each sample; null: each is its own
 */
export function findCauses(
  rules: readonly Rule[],
  changes: Uint8Array,
  alpha: number,
  units: UnitNumbers | null = null,
): readonly Cause[] {
  const left = leftOf(changes.slice(), units)
  const first = causeOfAll(rules, left, alpha)
  const causes: Cause[] = first ? [first] : []
  while (causes.length < maxCauses) {
    const whole = countAll(left)
    if (whole.lossUnits < minLosses) break
    const findings = significant(rules, alpha, (rule) => {
      const counts = countsOf(rule.inside, left)
      return isTested(counts, whole) ? { counts, p: pOf(rule, counts, whole, left, alpha) } : null
    }).filter(({ counts }) => counts.lossUnits >= minLosses)
    const [clearest] = findings
    if (!clearest) break
    const own = shortest(clearest, findings, left)
    const partner = partnerOf(own.rule, rules, left, alpha)
    // Where it happens is what is counted; what happens there is said beside it.
    const where = own.rule.side === "answer" && partner ? findings.find(({ rule }) => rule === partner) : undefined
    const { rule, counts, pAdjusted } = where && isSame(own.rule, where.rule, left) ? where : own
    const other = rule === own.rule ? partner : own.rule
    causes.push({
      name: withWords(rule, findings, left),
      partner: other && withWords(other, findings, left),
      ...figuresOf(counts, left),
      elsewhere: { samples: whole.samples - counts.samples, losses: whole.losses - counts.losses },
      pAdjusted,
      ...membersOf(rule, left),
    })
    takeOut(rule, left)
  }
  return causes
}

function figuresOf({ samples, losses, units, effect }: Counts, left: Left) {
  return { samples, losses, clusters: left.units ? units : null, effect }
}

function membersOf({ inside }: Rule, left: Left): Pick<Cause, "inside" | "positions"> {
  return {
    inside: Array.from(inside).filter((position) => left.changes[position] !== change.notCompared),
    positions: lossesIn(inside, left),
  }
}

function takeOut({ inside }: Rule, { changes }: Left): void {
  for (let i = 0; i < inside.length; i++) changes[inside[i] as number] = change.notCompared
}

/** What all answers have in common, where most of them are lost: there is no rest to tell it from. */
function causeOfAll(rules: readonly Rule[], left: Left, alpha: number): Cause | null {
  const whole = countAll(left)
  if (whole.lossUnits < minLosses || whole.losses < lostShareOfAll * whole.samples) return null
  const p = moreThan(Math.floor(whole.losses / whole.effect), Math.ceil(whole.gains / whole.effect))
  if (p > alpha) return null
  const [rule] = rules
    .filter(({ side, inside, reverse }) => {
      const { samples, units } = countsOf(inside, left)
      const isInAll = side === "answer" && units >= minSamples && whole.samples - samples < minSamples
      return isInAll && moreThan(units, reverse ? countsOf(reverse, left).units : 0) <= alpha
    })
    .sort((a, b) => a.length - b.length || byText(JSON.stringify(a.name), JSON.stringify(b.name)))
  if (!rule) return null
  const counts = countsOf(rule.inside, left)
  const cause = { ...figuresOf(counts, left), elsewhere: null, pAdjusted: p, ...membersOf(rule, left) }
  takeOut(rule, left)
  return { name: rule.name, partner: null, ...cause }
}

interface Found {
  readonly rule: Rule
  readonly counts: Counts
  readonly p: number
  readonly pAdjusted: number
}

/** The rules whose adjusted p is at most alpha, the clearest first. */
function significant(
  rules: readonly Rule[],
  alpha: number,
  test: (rule: Rule) => { readonly counts: Counts; readonly p: number } | null,
): readonly Found[] {
  const tested = rules.flatMap((rule) => {
    const result = test(rule)
    return result ? [{ rule, ...result }] : []
  })
  const adjusted = adjustP(
    tested.map(({ p }) => p),
    "fdr_bh",
  )
  return tested
    .map((entry, i) => ({ ...entry, pAdjusted: adjusted[i] as number }))
    .filter(({ pAdjusted }) => pAdjusted <= alpha)
    .sort(
      (a, b) =>
        a.p - b.p ||
        b.counts.losses - a.counts.losses ||
        a.rule.length - b.rule.length ||
        byText(JSON.stringify(a.rule.name), JSON.stringify(b.rule.name)),
    )
}

function isTested({ samples, units }: Counts, whole: Counts): boolean {
  return units >= minSamples && samples < whole.samples
}

function pOf(rule: Rule, counts: Counts, whole: Counts, left: Left, alpha: number): number {
  const p = besideRest({ inside: rule.inside, counts }, { inside: null, counts: whole }, left, alpha)
  if (p > alpha) return p
  const shared = (rule.within ?? []).map((field) =>
    besideRest({ inside: rule.inside, counts }, { inside: field, counts: countsOf(field, left) }, left, alpha),
  )
  const reverse = rule.reverse ? moreThan(counts.units, countsOf(rule.reverse, left).units) : 0
  return Math.max(p, reverse, ...shared)
}

/** Of the rules that tell nearly the same losses from the rest, nearly as well, the shortest. */
function shortest(clearest: Found, findings: readonly Found[], left: Left): Found {
  const losses = new Set(lossesIn(clearest.rule.inside, left))
  const rateOf = ({ counts }: Found) => counts.losses / counts.samples
  let best = clearest
  for (const finding of findings) {
    if (finding.rule.side !== clearest.rule.side || finding.rule.length >= best.rule.length) continue
    if (rateOf(finding) < sameLosses * rateOf(clearest)) continue
    if (inCommon(losses, lossesIn(finding.rule.inside, left)) >= sameLosses) best = finding
  }
  return best
}

/** Jaccard's index. */
function inCommon(some: ReadonlySet<number>, others: readonly number[]): number {
  const both = others.filter((position) => some.has(position)).length
  return both / (some.size + others.length - both)
}

/** A rule of a word with other words that stand in the same lost samples. */
function withWords({ name, inside }: Rule, findings: readonly Found[], left: Left): RuleName {
  if (name.kind !== "input words") return name
  const losses = new Set(lossesIn(inside, left))
  const words = findings.flatMap(({ rule }) =>
    rule.name.kind === "input words" && inCommon(losses, lossesIn(rule.inside, left)) >= sameWords
      ? rule.name.words
      : [],
  )
  return { ...name, words: [...new Set([...name.words, ...words])].slice(0, maxWords) }
}

/** Whether two rules tell mostly the same losses from the rest. */
function isSame(rule: Rule, other: Rule, left: Left): boolean {
  return inCommon(new Set(lossesIn(rule.inside, left)), lossesIn(other.inside, left)) >= commonShare
}

/** What most of a rule's losses have in common on the other side, beyond what the other samples have. */
function partnerOf({ side, inside }: Rule, rules: readonly Rule[], left: Left, alpha: number): Rule | null {
  const whole = countAll(left)
  const lost = new Set(lossesIn(inside, left))
  const findings = significant(
    rules.filter((rule) => rule.side !== side),
    alpha,
    (rule) => {
      const counts = countsOf(rule.inside, left)
      if (!isTested(counts, whole)) return null
      const both = lossesIn(rule.inside, left).filter((position) => lost.has(position)).length
      if (both < commonShare * lost.size) return { counts, p: 1 }
      const [drawn, marked, all] = [lost.size, counts.samples, whole.samples].map((count) => count / whole.effect)
      const p = fisher(both / whole.effect, { drawn: drawn as number, marked: marked as number, all: all as number })
      const reverse = rule.reverse ? moreThan(counts.units, countsOf(rule.reverse, left).units) : 0
      return { counts, p: Math.max(p, reverse) }
    },
  )
  return findings[0] ? shortest(findings[0], findings, left).rule : null
}
