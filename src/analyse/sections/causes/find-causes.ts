import { byText } from "../../../stats/order.ts"
import { mcnemarExact } from "../../../stats/tests/mcnemar.ts"
import { adjustP } from "../../../stats/tests/multiple-tests.ts"
import { overRepresentation } from "../../../stats/tests/over-representation.ts"
import { partTestOf } from "../../../stats/tests/part-test.ts"
import type { RuleName } from "../../../wording/sections/regressions.ts"

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

/** What became of a sample. */
export const change = { notCompared: 0, none: 1, loss: 2, gain: 3 } as const

/** Losses that one rule tells from the rest. */
export interface Cause {
  readonly name: RuleName
  /** What the other side has in common where these were lost: of answers for a rule of inputs, of inputs for one of answers. */
  readonly partner: RuleName | null
  /** Samples of the rule, and those of them that were lost. */
  readonly samples: number
  readonly losses: number
  /** The same of all samples outside, those of rules before this one aside. */
  readonly elsewhere: { readonly samples: number; readonly losses: number }
  /** Benjamini and Hochberg, over all rules. */
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
/** Share of a cause's losses that have what the other side is said to have in common. */
const commonShare = 0.8
const maxWords = 4

/**
 * Causes of losses: the clearest rule, then, without its samples, the clearest of what remains, until none is beyond chance. A rule must
 * have more losses than the rest (Fisher's exact test), and lose more on balance, gains counted (Welch's test of the part against the rest);
 * what two fields share must do so within either field; what answers gained or miss must be more frequent than the reverse (exact sign
 * test), since right and wrong answers differ in words by themselves. p is the largest of these; false discoveries are held at `alpha` over
 * all rules at every step. Which rules are tested depends on no outcome.
 *
 * @param changes one of {@link change} by position
 */
export function findCauses(rules: readonly Rule[], changes: Uint8Array, alpha: number): readonly Cause[] {
  const left = changes.slice()
  const causes: Cause[] = []
  while (causes.length < maxCauses) {
    const whole = countAll(left)
    if (whole.losses < minLosses) break
    const found = significant(rules, alpha, (rule) => {
      const counts = countsOf(rule.inside, left)
      return isTested(counts, whole) ? { counts, p: pOf(rule, counts, whole, left, alpha) } : null
    }).filter(({ counts }) => counts.losses >= minLosses)
    const [clearest] = found
    if (!clearest) break
    const own = shortest(clearest, found, left)
    const partner = partnerOf(own.rule, rules, left, alpha)
    // Where it happens is what is counted; what happens there is said beside it.
    const where = own.rule.side === "answer" && partner ? found.find(({ rule }) => rule === partner) : undefined
    const { rule, counts, pAdjusted } = where && isSame(own.rule, where.rule, left) ? where : own
    const other = rule === own.rule ? partner : own.rule
    causes.push({
      name: withWords(rule, found, left),
      partner: other && withWords(other, found, left),
      samples: counts.samples,
      losses: counts.losses,
      elsewhere: { samples: whole.samples - counts.samples, losses: whole.losses - counts.losses },
      pAdjusted,
      inside: Array.from(rule.inside).filter((position) => left[position] !== change.notCompared),
      positions: lossesIn(rule.inside, left),
    })
    for (let i = 0; i < rule.inside.length; i++) left[rule.inside[i] as number] = change.notCompared
  }
  return causes
}

interface Counts {
  readonly samples: number
  readonly losses: number
  readonly gains: number
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
    .map((one, i) => ({ ...one, pAdjusted: adjusted[i] as number }))
    .filter(({ pAdjusted }) => pAdjusted <= alpha)
    .sort(
      (a, b) =>
        a.p - b.p ||
        b.counts.losses - a.counts.losses ||
        a.rule.length - b.rule.length ||
        byText(JSON.stringify(a.rule.name), JSON.stringify(b.rule.name)),
    )
}

function isTested({ samples }: Counts, whole: Counts): boolean {
  return samples >= minSamples && samples < whole.samples
}

function pOf(rule: Rule, counts: Counts, whole: Counts, left: Uint8Array, alpha: number): number {
  const p = besideRest(counts, whole, alpha)
  if (p > alpha) return p
  const shared = (rule.within ?? []).map((field) => besideRest(counts, countsOf(field, left), alpha))
  const reverse = rule.reverse ? moreThan(counts.samples, countsOf(rule.reverse, left).samples) : 0
  return Math.max(p, reverse, ...shared)
}

/** Whether a part of some samples loses more than the rest of them: where it does not clearly, the p of the first test alone. */
function besideRest(part: Counts, whole: Counts, alpha: number): number {
  if (part.losses * whole.samples <= whole.losses * part.samples) return 1
  const p = overRepresentation({
    drawnMarked: part.losses,
    drawn: whole.losses,
    marked: part.samples,
    all: whole.samples,
  })
  if (p > alpha) return p
  const rest = {
    samples: whole.samples - part.samples,
    losses: whole.losses - part.losses,
    gains: whole.gains - part.gains,
  }
  const test = partTestOf(momentsOf(part), momentsOf(rest))
  return Math.max(p, test?.p ?? 0)
}

function momentsOf({ samples, losses, gains }: Counts) {
  const sum = gains - losses
  return { units: samples, values: samples, sum, squares: gains + losses, products: sum, sizes: samples }
}

/** One-sided exact sign test. */
function moreThan(count: number, reverse: number): number {
  return count <= reverse ? 1 : mcnemarExact(count, reverse) / 2
}

function countAll(left: Uint8Array): Counts {
  const counts = [0, 0, 0, 0]
  for (const one of left) counts[one]! += 1
  return countsFrom(counts)
}

function countsOf(inside: ArrayLike<number>, left: Uint8Array): Counts {
  const counts = [0, 0, 0, 0]
  for (let i = 0; i < inside.length; i++) counts[left[inside[i] as number] as number]! += 1
  return countsFrom(counts)
}

function countsFrom([, none = 0, losses = 0, gains = 0]: readonly number[]): Counts {
  return { samples: none + losses + gains, losses, gains }
}

function lossesIn(inside: ArrayLike<number>, left: Uint8Array): number[] {
  return Array.from(inside).filter((position) => left[position] === change.loss)
}

/** Of the rules that tell nearly the same losses from the rest, nearly as well, the shortest. */
function shortest(clearest: Found, found: readonly Found[], left: Uint8Array): Found {
  const losses = new Set(lossesIn(clearest.rule.inside, left))
  const rateOf = ({ counts }: Found) => counts.losses / counts.samples
  let best = clearest
  for (const one of found) {
    if (one.rule.side !== clearest.rule.side || one.rule.length >= best.rule.length) continue
    if (rateOf(one) < sameLosses * rateOf(clearest)) continue
    if (inCommon(losses, lossesIn(one.rule.inside, left)) >= sameLosses) best = one
  }
  return best
}

/** Jaccard's index. */
function inCommon(some: ReadonlySet<number>, others: readonly number[]): number {
  const both = others.filter((position) => some.has(position)).length
  return both / (some.size + others.length - both)
}

/** A rule of a word with other words that stand in the same lost samples. */
function withWords({ name, inside }: Rule, found: readonly Found[], left: Uint8Array): RuleName {
  if (name.kind !== "input words") return name
  const losses = new Set(lossesIn(inside, left))
  const words = found.flatMap(({ rule }) =>
    rule.name.kind === "input words" && inCommon(losses, lossesIn(rule.inside, left)) >= sameWords
      ? rule.name.words
      : [],
  )
  return { ...name, words: [...new Set([...name.words, ...words])].slice(0, maxWords) }
}

/** Whether two rules tell mostly the same losses from the rest. */
function isSame(one: Rule, other: Rule, left: Uint8Array): boolean {
  return inCommon(new Set(lossesIn(one.inside, left)), lossesIn(other.inside, left)) >= commonShare
}

/** What most of a rule's losses have in common on the other side, beyond what the other samples have. */
function partnerOf({ side, inside }: Rule, rules: readonly Rule[], left: Uint8Array, alpha: number): Rule | null {
  const whole = countAll(left)
  const lost = new Set(lossesIn(inside, left))
  const found = significant(
    rules.filter((rule) => rule.side !== side),
    alpha,
    (rule) => {
      const counts = countsOf(rule.inside, left)
      if (!isTested(counts, whole)) return null
      const both = lossesIn(rule.inside, left).filter((position) => lost.has(position)).length
      if (both < commonShare * lost.size) return { counts, p: 1 }
      const p = overRepresentation({ drawnMarked: both, drawn: lost.size, marked: counts.samples, all: whole.samples })
      const reverse = rule.reverse ? moreThan(counts.samples, countsOf(rule.reverse, left).samples) : 0
      return { counts, p: Math.max(p, reverse) }
    },
  )
  return found[0] ? shortest(found[0], found, left).rule : null
}
