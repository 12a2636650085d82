import type { AnyMetric } from "../../core/metric/metric.ts"
import type { Evaluation, GateRule } from "../../core/run/evaluation.ts"
import { pairedBound } from "../../stats/intervals/paired-bound.ts"
import { wilsonInterval } from "../../stats/intervals/proportion-interval.ts"
import { samplesWithoutChange } from "../../stats/intervals/unchanged-interval.ts"
import { tooFewForLimit, tooFewForMargin } from "../../wording/gate.ts"
import { sized, wordingOf } from "../../words/difference.ts"
import { type RuleSide, ruleWords } from "../../words/figures/gate-rule.ts"
import { metricTitle } from "../../words/names.ts"
import { marginFor } from "../compare/margin.ts"

/** A rule that a planned run is too small for, whatever it finds. */
export interface GateOutlook {
  /** In words, as the gate tells it. */
  readonly rule: string
  /** What it is about, as a config names it. */
  readonly figure: string
  /** Samples that are planned, and that it would take at least: with no answer changed, or all of them right. */
  readonly samples: number
  readonly samplesNeeded: number
  readonly sentence: string
}

/** Most samples that are considered. */
const maxSamples = 10_000_000

/**
 * The rules of a gate, and the margin of the primary metrics, that so few samples cannot show even in the best case: no
 * answer differs from the baseline's, or every answer is right. Such a gate ends in exit code 4 for an unchanged model.
 *
 * @param samples independent samples of the run
 */
export function gateOutlook(
  evaluation: Pick<Evaluation, "gate" | "metrics" | "primary" | "margin" | "marginKind" | "alpha" | "variants">,
  samples: number,
): GateOutlook[] {
  const { gate, metrics, primary, alpha, variants } = evaluation
  const metricOf = (name: string) => metrics.find((metric) => metric.name === name)
  const outlooks: GateOutlook[] = []
  for (const rule of gate) {
    const metric = metricOf(rule.figure)
    if (!metric) continue
    const margin = rule.notWorseThanBaselineBy
    if (margin !== undefined) outlooks.push(...marginOutlook(metric, margin, samples, alpha, "the gate"))
    if (rule.min !== undefined && isRate(metric)) outlooks.push(...limitOutlook(metric, rule.min, 1, samples, alpha))
    if (rule.max !== undefined && isRate(metric))
      outlooks.push(...limitOutlook(metric, 1 - rule.max, -1, samples, alpha))
  }
  if (variants.length < 2) return outlooks
  for (const name of primary) {
    const metric = metricOf(name)
    const ruled = gate.some((rule) => rule.figure === name && rule.notWorseThanBaselineBy !== undefined)
    if (metric && !ruled)
      outlooks.push(...marginOutlook(metric, marginFor(metric, evaluation, null), samples, alpha, "the verdict"))
  }
  return outlooks
}

/** Samples that show "not worse by more than the margin" where nothing differs; null where no number does. */
export function minPairsForMargin(width: number, margin: number, alpha: number): number | null {
  if (!(margin > 0) || !Number.isFinite(width)) return null
  return fewest((n) => {
    const { low } = pairedBound(new Float64Array(n), { range: [0, width], alpha, side: "lower" })
    return low !== null && low > -margin
  }, 20_000)
}

function marginOutlook(
  metric: AnyMetric,
  margin: number,
  samples: number,
  alpha: number,
  who: "the gate" | "the verdict",
): GateOutlook[] {
  const width = metric.range[1] - metric.range[0]
  // A figure over all answers together is bounded by Wilson's share of answers that could differ where none does.
  const needed =
    metric.aggregation.kind === "mean"
      ? minPairsForMargin(width, margin, alpha)
      : samplesWithoutChange(width, margin, alpha)
  if (needed === null || samples >= needed) return []
  const allowed = sized(margin, wordingOf(metric))
  return [
    {
      ...named({ figure: metric.name, notWorseThanBaselineBy: margin }, "notWorseThanBaselineBy", metric),
      samples,
      samplesNeeded: needed,
      sentence: tooFewForMargin(samples, needed, { who, metric: metricTitle(metric), allowed }),
    },
  ]
}

/** `sign` 1: a share that must be at least `least`; −1: the share of the rest. */
function limitOutlook(metric: AnyMetric, min: number, sign: 1 | -1, samples: number, alpha: number): GateOutlook[] {
  if (!(min > 0 && min < 1)) return []
  const needed = fewest((n) => wilsonInterval(n, n, alpha).low >= min, maxSamples)
  if (needed === null || samples >= needed) return []
  const rule =
    sign === 1
      ? named({ figure: metric.name, min: min }, "min", metric)
      : named({ figure: metric.name, max: 1 - min }, "max", metric)
  return [
    {
      ...rule,
      samples,
      samplesNeeded: needed,
      sentence: tooFewForLimit(samples, needed, rule.rule),
    },
  ]
}

function named(rule: GateRule, side: RuleSide, metric: AnyMetric): Pick<GateOutlook, "rule" | "figure"> {
  return { rule: ruleWords(rule, side, [metric]) ?? "", figure: rule.figure }
}

function isRate({ range, aggregation }: AnyMetric): boolean {
  return aggregation.kind === "mean" && range[0] === 0 && range[1] === 1
}

/** The smallest number for which a test holds that holds for every larger one; null beyond `most`. */
function fewest(holds: (n: number) => boolean, max: number): number | null {
  let high = 2
  while (!holds(high)) {
    if (high >= max) return null
    high = Math.min(max, high * 2)
  }
  let low = 1
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle
  }
  return high
}
