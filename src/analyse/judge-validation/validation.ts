import { type Figure, unknown } from "../../core/report/figure.ts"
import { pearson, spearman } from "../../stats/agreement/correlation.ts"
import { kendall } from "../../stats/agreement/kendall.ts"
import { normalQuantile } from "../../stats/distributions.ts"
import { inclusionWeightedMean } from "../../stats/intervals/inclusion-weighted.ts"
import { meanFigure } from "../../stats/intervals/mean-interval.ts"
import { type PredictionPoweredMean, predictionPoweredMean } from "../../stats/intervals/prediction-powered.ts"
import { judgeMethods, noJudgeFigure } from "../../wording/judge-card/reasons.ts"
import { counted } from "../../words/number.ts"
import { agreementFigures, kappaFigure, type RatedTwice } from "./agreement.ts"
import { shareFigure, statisticFigure } from "./figures.ts"
import { type LabelDraw, labelDraw } from "./label-draw.ts"
import { type ValidationGroups, validationGroups } from "./validation-groups.ts"

/** One answer that a judge scored and perhaps a person labelled. @experimental */
export interface ValidationItem {
  readonly id: string
  readonly judge: number | null
  readonly human: number | null
  /** False: chosen for labelling because it is doubtful, so that its label may not correct a mean. Default true. */
  readonly drawnByChance?: boolean
  /** Probability with which it was to be labelled, 0 to 1, where that was not the same for all. */
  readonly probability?: number
  /** Has no verdict that could be used, and that counts as a disagreement with people. */
  readonly missed?: boolean
  /** Document or system that it belongs to. */
  readonly group?: string
}

/** A judge beside people. @experimental */
export interface Validation {
  /** Rows, those with a verdict, those with a label, those with both. */
  readonly n: number
  readonly judged: number
  readonly labelled: number
  readonly both: number
  /** Labelled rows without a usable verdict that count as disagreements in agreement and kappa. */
  readonly missed: number
  readonly figures: {
    readonly agreement: Figure
    readonly kappa: Figure
    /** Quadratic weights. */
    readonly weightedKappa: Figure
    readonly alpha: Figure
    readonly pearson: Figure
    readonly spearman: Figure
    readonly kendall: Figure
    readonly judgeMean: Figure
    readonly humanMean: Figure
    /** Prediction-powered: what people would have said of all rows on average. */
    readonly correctedMean: Figure
  }
  readonly labels: LabelDraw
  /** Labels that would bound the mean as closely without the judge; null when it is unknown. */
  readonly worthLabels: number | null
  /** By document or system; null where the rows name none. */
  readonly groups: ValidationGroups | null
  /** Counts by human value (rows) and judge value (columns); null with more than 20 values. */
  readonly confusion: ConfusionCounts | null
  /** Rows on which judge and people differ, the furthest apart first. */
  readonly differences: readonly Difference[]
}

/** A row on which judge and people differ. @experimental */
export interface Difference {
  readonly id: string
  readonly judge: number
  readonly human: number
}

/** How often each two scores met. @experimental */
export interface ConfusionCounts {
  readonly values: readonly number[]
  readonly counts: readonly (readonly number[])[]
}

/** Values from which on a table of all of them says nothing. */
const maxValues = 20

/** Labelled rows from which on Kendall's interval comes from a formula, and from which on it takes too long. */
const kendallLimits = { bootstrap: 400, pairs: 20_000 }

/**
 * Compares a judge's scores with people's: every figure with its interval. The order of the rows does not matter. Labels
 * correct the judge's mean where they were drawn by chance, equally or with the probabilities of the rows. Where nothing says
 * so (`drawn`, or the rows' own `drawnByChance`) and the judge's scores of labelled rows differ from the others' beyond chance,
 * there is no corrected mean.
 *
 * @param options.range of the scores. Default: 0 to 1 where all of them lie there, else unbounded
 * @param options.alpha 1 − the level of the intervals. Default 0.05
 * @throws RangeError for a probability that is not above 0 and up to 1
 * @experimental
 */
export function validateJudge(
  items: readonly ValidationItem[],
  seed: number,
  options: { readonly drawn?: "chance"; readonly alpha?: number; readonly range?: readonly [number, number] } = {},
): Validation {
  const { alpha = 0.05 } = options
  const isShare = items.every(({ judge, human }) =>
    [judge, human].every((score) => score === null || (score >= 0 && score <= 1)),
  )
  const range = options.range ?? (isShare ? ([0, 1] as const) : anyNumber)
  const sorted = [...items].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  const pairs = sorted.flatMap(({ judge, human }) => (judge === null || human === null ? [] : [{ a: judge, b: human }]))
  const judged = sorted.flatMap(({ judge, human, drawnByChance = true, probability }) =>
    judge === null ? [] : [{ judge, human: drawnByChance ? human : null, probability }],
  )
  const labels = sorted.flatMap(({ human }) => (human === null ? [] : [human]))
  const byChance = sorted.flatMap(({ human, drawnByChance = true }) =>
    human === null || !drawnByChance ? [] : [human],
  )
  const emptyReason = noJudgeFigure.noPair
  const undefinedWhen = pairs.length === 0 ? emptyReason : noJudgeFigure.equalScores
  const panel = agreementFigures(pairs, { seed: `${seed}/validate`, emptyReason, alpha })
  const missed = sorted.flatMap(({ judge, human, missed: isMissed }) =>
    isMissed && judge === null && human !== null ? [{ a: noVerdict(pairs), b: human }] : [],
  )
  const compared = [...pairs, ...missed]
  const agreed = pairs.filter(({ a, b }) => a === b).length
  const kappa = (list: readonly RatedTwice[], weights: "none" | "quadratic") =>
    kappaFigure(list, weights, { seed: `${seed}/validate`, emptyReason, alpha })
  const correlation = (name: string, statistic: typeof pearson) =>
    statisticFigure(
      pairs,
      (list) =>
        statistic(
          list.map(({ a }) => a),
          list.map(({ b }) => b),
        ).statistic,
      { seed: `${seed}/validate/${name}`, name, undefinedWhen, alpha },
    )
  const isStated = options.drawn === "chance" || items.some(({ drawnByChance }) => drawnByChance !== undefined)
  const draw = labelDraw(judged, isStated)
  const drawn = judged.flatMap(({ probability, ...item }) =>
    probability === undefined ? [] : [{ ...item, probability }],
  )
  const isWeighted = draw.how === "probabilities"
  const corrected = isWeighted ? inclusionWeightedMean(drawn, alpha) : predictionPoweredMean(judged, alpha, range)
  const labelMean = isWeighted ? weightedFigure(inclusionWeightedMean(drawn, alpha, 0), "labels alone") : null
  const humanMean = labelMean ?? meanOfSample(byChance, alpha)
  const isDoubtful = draw.how === "unstated" && draw.differs
  return {
    n: items.length,
    judged: judged.length,
    labelled: labels.length,
    both: pairs.length,
    missed: missed.length,
    figures: {
      agreement: shareFigure(agreed, compared.length, emptyReason, alpha),
      kappa: kappa(compared, "none"),
      weightedKappa: kappa(pairs, "quadratic"),
      alpha: panel.alpha,
      pearson: correlation("Pearson's correlation", pearson),
      spearman: correlation("Spearman's rank correlation", spearman),
      kendall: kendallFigure(pairs, seed, undefinedWhen, alpha),
      judgeMean: meanOfSample(
        judged.map(({ judge }) => judge),
        alpha,
      ),
      humanMean,
      correctedMean: isDoubtful ? unknown(chosenLabels) : weightedFigure(corrected, isWeighted ? "weighted" : "equal"),
    },
    labels: draw,
    worthLabels: isDoubtful ? null : worthLabels(corrected, humanMean),
    groups: validationGroups(sorted, seed, alpha),
    confusion: confusionOf(pairs),
    differences: differencesOf(sorted),
  }
}

/** A value that no score has, so that a missing verdict is a category of its own. */
function noVerdict(pairs: readonly RatedTwice[]): number {
  return pairs.reduce((min, { a, b }) => Math.min(min, a, b), 0) - 1
}

/** The file does not say how far the scale goes. */
const anyNumber = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const

function meanOfSample(values: readonly number[], alpha: number): Figure {
  if (values.length === 0) return unknown(noJudgeFigure.noneByChance)
  const keys = values.map((_, i) => String(i))
  return meanFigure(values, keys, anyNumber, alpha)
}

/** Why labels that nobody says were drawn by chance, and that do not look so, correct nothing. */
const chosenLabels = noJudgeFigure.otherRows

function weightedFigure(corrected: PredictionPoweredMean | null, how: "equal" | "weighted" | "labels alone"): Figure {
  if (!corrected) return unknown(noJudgeFigure.noPairByChance)
  const { value, low, high, total, labelled } = corrected
  const counts = `${counted(total, "verdict")} corrected by ${counted(labelled, "label")}`
  const method = {
    equal: judgeMethods.predictionPowered(counts),
    weighted: judgeMethods.predictionPoweredWeighted(counts),
    "labels alone": judgeMethods.weightedLabels(counted(labelled, "label")),
  }[how]
  return { status: "known", value, low, high, n: how === "labels alone" ? labelled : total, method }
}

/** A mean's interval shrinks with the root of its labels. */
function worthLabels(corrected: PredictionPoweredMean | null, human: Figure): number | null {
  if (!corrected || corrected.low === null || corrected.high === null || human.status === "unknown") return null
  if (human.low == null || human.high == null || corrected.high === corrected.low) return null
  return Math.round(human.n * ((human.high - human.low) / (corrected.high - corrected.low)) ** 2)
}

function kendallFigure(pairs: readonly RatedTwice[], seed: number, undefinedWhen: string, alpha: number): Figure {
  const n = pairs.length
  if (n > kendallLimits.pairs) return unknown(noJudgeFigure.manyRows(kendallLimits.pairs))
  const tau = (list: readonly RatedTwice[]) =>
    kendall(
      list.map(({ a }) => a),
      list.map(({ b }) => b),
      { mode: "normal" },
    ).statistic
  if (n <= kendallLimits.bootstrap)
    return statisticFigure(pairs, tau, {
      seed: `${seed}/validate/kendall`,
      name: "Kendall's tau-b",
      undefinedWhen,
      alpha,
    })
  const value = tau(pairs)
  if (!Number.isFinite(value)) return unknown(undefinedWhen)
  // Variance of Fisher's z of tau: Fieller, Hartley & Pearson 1957.
  const half = normalQuantile(1 - alpha / 2) * Math.sqrt(0.437 / (n - 4))
  const [low, high] = [Math.tanh(Math.atanh(value) - half), Math.tanh(Math.atanh(value) + half)]
  return { status: "known", value, low, high, n, method: judgeMethods.kendall }
}

/** Rows on which judge and people differ, the furthest apart first. */
function differencesOf(items: readonly ValidationItem[]): Validation["differences"] {
  const distance = ({ judge, human }: Difference) => Math.abs(judge - human)
  return items
    .flatMap(({ id, judge, human }) =>
      judge === null || human === null || judge === human ? [] : [{ id, judge, human }],
    )
    .sort((a, b) => distance(b) - distance(a))
}

function confusionOf(pairs: readonly RatedTwice[]): Validation["confusion"] {
  const values = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))].sort((a, b) => a - b)
  if (values.length === 0 || values.length > maxValues) return null
  const counts = values.map((human) =>
    values.map((judge) => pairs.filter(({ a, b }) => a === judge && b === human).length),
  )
  return { values, counts }
}
