import { cascadeCurve, routerCurve } from "../../src/analyse/frontier/router.ts"
import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import type { MetricRow } from "../../src/core/metric/metric.ts"
import { type AnyMetric, unscored } from "../../src/core/metric/metric.ts"
import type { AnswerFacts, ScoredVariant } from "../../src/core/metric/scored-variant.ts"
import { createRandom, type Random } from "../../src/core/random.ts"

/** A world of cascades: what each stage's answer is worth at a confidence, so that the true loss at any threshold is known. */
export interface CascadeWorld {
  readonly name: string
  readonly margin: number
  /** Chance that the early stages are right at a confidence of c, first stage first. */
  readonly early: readonly ((confidence: number) => number)[]
  /** Chance that the last stage is right, whatever the others' confidence. */
  readonly last: number
}

/** Confidences are uniform between 0 and 1, and independent between stages. */
export const cascadeWorlds: readonly CascadeWorld[] = [
  { name: "confidence says little", margin: 0.03, early: [(c) => 0.78 + 0.04 * c], last: 0.88 },
  { name: "confidence says much", margin: 0.03, early: [(c) => Math.min(0.97, 0.5 + 0.6 * c)], last: 0.92 },
  { name: "loss grows slowly", margin: 0.05, early: [(c) => 0.7 + 0.25 * c], last: 0.9 },
  { name: "sure and wrong", margin: 0.02, early: [(c) => (c > 0.9 ? 0.6 : 0.9)], last: 0.95 },
  {
    name: "three stages",
    margin: 0.04,
    early: [(c) => 0.6 + 0.3 * c, (c) => 0.75 + 0.17 * c],
    last: 0.93,
  },
]

/** What became of the promises of one world. */
export interface CascadePromises {
  /** Share of runs with a cascade to promise. */
  readonly promised: number
  /** Share of all runs, and of those that promise, whose cascade truly loses more than the margin. */
  readonly beyond: number
  readonly beyondOfPromised: number
  /** Share of the promised cascades whose true difference lies between the bounds that are printed. */
  readonly covered: number
  /** Printed quality less true quality, on average: what the choice flatters. */
  readonly flattery: number
  /** Share of the samples that the promised cascades hand on. */
  readonly escalated: number
  /** The same world with the cheapest threshold whose own figure keeps the margin: share of runs beyond it. */
  readonly naiveBeyond: number
}

/** Simulates `runs` runs of `n` samples. */
export function cascadePromises(world: CascadeWorld, n: number, runs: number): CascadePromises {
  let [promised, beyond, covered, flattery, escalated, naive] = [0, 0, 0, 0, 0, 0]
  for (let run = 0; run < runs; run++) {
    const variants = drawWorld(world, n, createRandom(`cascade/${world.name}/${n}/${run}`))
    const options = { seed: run, margin: world.margin }
    const [first, last] = [variants[0] as ScoredVariant, variants.at(-1) as ScoredVariant]
    const curve =
      variants.length === 2 ? routerCurve(first, last, metric, options) : cascadeCurve(variants, metric, options)
    const best = curve?.points.find(({ quality }) => quality >= (curve.alone?.quality ?? 0) - world.margin)
    if (best && trueDifference(world, best.thresholds ?? [best.threshold]) < -world.margin) naive++
    if (!curve?.chosen) continue
    const { chosen } = curve
    const truth = trueDifference(world, chosen.thresholds ?? [chosen.threshold])
    promised++
    beyond += Number(truth < -world.margin - 1e-12)
    covered += Number(truth >= (chosen.low ?? -1) && truth <= (chosen.high ?? 1))
    flattery += (chosen.difference ?? 0) - truth
    escalated += chosen.escalated
  }
  return {
    promised: promised / runs,
    beyond: beyond / runs,
    beyondOfPromised: beyond / promised,
    covered: covered / promised,
    flattery: flattery / promised,
    escalated: escalated / promised,
    naiveBeyond: naive / runs,
  }
}

const mean = meanMetric({ name: "right", signature: "right", measure: () => unscored("not_yet") })
const metric: AnyMetric = {
  ...mean,
  value: (row) => row as number,
  summarise: (rows) => mean.summarise(rows.map((entry) => ({ ...entry, row: entry.row as number }))),
}

function drawWorld({ early, last }: CascadeWorld, n: number, random: Random): ScoredVariant[] {
  const stages = [...early.map((chance) => ({ chance, sure: true })), { chance: () => last, sure: false }]
  return stages.map(({ chance, sure }, stage) => {
    const answers: AnswerFacts[] = []
    const rows: MetricRow[] = []
    for (let i = 0; i < n; i++) {
      const confidence = random.next()
      const value = Number(random.next() < chance(confidence))
      const key = { sampleId: `s${i}`, repeat: 0 }
      rows.push({ ...key, measured: { status: "scored", row: value }, value })
      answers.push({
        ...key,
        outcome: "ok",
        source: "measured",
        ttftMs: null,
        e2eMs: null,
        tpotMs: null,
        costUsd: 10 ** (stage - stages.length),
        completionTokens: null,
        textHash: `${stage}-${i}`,
        confidence: sure ? confidence : null,
      })
    }
    return { name: `stage ${stage + 1}`, answers, rows: new Map([["right", rows]]) }
  })
}

/** Cascade − last stage alone, by Simpson's rule over the confidence of each stage that keeps its answer. */
export function trueDifference({ early, last }: CascadeWorld, thresholds: readonly number[]): number {
  let reaches = 1
  let difference = 0
  early.forEach((chance, stage) => {
    const from = Math.min(1, thresholds[stage] as number)
    difference += reaches * integral((c) => chance(c) - last, from, 1)
    reaches *= from
  })
  return difference
}

function integral(f: (x: number) => number, from: number, to: number): number {
  const steps = 2000
  const width = (to - from) / steps
  let sum = 0
  for (let i = 0; i < steps; i++) sum += f(from + (i + 0.5) * width)
  return sum * width
}
