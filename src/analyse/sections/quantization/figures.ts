import type { AnyMetric } from "../../../core/metric/metric.ts"
import type { AnswerFacts } from "../../../core/metric/scored-variant.ts"
import { type Figure, figureValue, type KnownFigure, unknown } from "../../../core/report/figure.ts"
import { answerKey } from "../../../core/run/answer-key.ts"
import type { Evaluation } from "../../../core/run/evaluation.ts"
import { pairedEstimator } from "../../../estimate/paired-estimate.ts"
import type { RowPair } from "../../../rows/align.ts"
import { answerPairs, figurePairs, measuredPairs } from "../../../rows/answer-pairs.ts"
import { countFailures } from "../../../rows/count-failures.ts"
import { unitKey } from "../../../rows/entries.ts"
import { countRows } from "../../../rows/missing-rows.ts"
import { rowsOf } from "../../../rows/rows-of.ts"
import { meanFigure } from "../../../stats/intervals/mean-interval.ts"
import { methods } from "../../../wording/methods.ts"
import { noFigure } from "../../../wording/reasons.ts"
import type { MeasureName } from "../../../wording/sections/quantization-measures.ts"
import { meanOf, type PairedShare, pairsErrorMs, sumShare, timeShare } from "../../compare/changes.ts"
import type { SummarisedVariant } from "../../summary/summarise.ts"
import type { PairSummary } from "../pair-summary.ts"
import { type JudgedPair, perCorrect } from "./per-correct.ts"
import { perplexityRatio } from "./perplexity-ratio.ts"
import { withTimingError } from "./timing-error.ts"

/** Two quantizations and what else is known of them. */
export interface QuantizationPair {
  readonly reference: SummarisedVariant
  readonly candidate: SummarisedVariant
  /** How far their token distributions lie apart; null where no pair metric was asked for. */
  readonly divergence: PairSummary | null
  /** A difference of two times that evalkit's own error could make, in milliseconds, proves nothing; null: it was not measured. */
  readonly timeErrorMs: number | null
  readonly evaluation: Pick<Evaluation, "metrics" | "primary" | "missing" | "alpha" | "seed">
}

/** Every measure of one quantization against another, paired by sample; what could not be measured says why. */
export function quantizationFigures(pair: QuantizationPair): Record<MeasureName, Figure> {
  const { reference, candidate, divergence, evaluation, timeErrorMs } = pair
  const { alpha } = evaluation
  const answers = measuredPairs(reference.scored, candidate.scored)
  const counted = countedPairs(pair)
  const ownWords = answers.filter((both) => both.every((answerFacts) => !answerFacts.isGiven))
  const written = figurePairs(ownWords, "completionTokens", 0)
  /** @param per times of this kind in an answer: its error is spread over them */
  const timed = (figure: "e2eMs" | "tpotMs", per = 1) => {
    const pairs = figurePairs(answers, figure, 0)
    if (pairs.pairs.length === 0) return unknown(noFigure.noBothTimed)
    const share = shareFigure(timeShare(pairs, alpha))
    const errorMs = pairsErrorMs(pairs.pairs, timeErrorMs)
    return withTimingError(share, share.value * meanOf(pairs.before), errorMs === null ? null : errorMs / per)
  }
  const timePerCorrect = perCorrectFigure(counted, pair, (answer) => answer.e2eMs, true)
  const noTokens = answers.length > 0 && answers.every(([a]) => a.isGiven) ? noFigure.textsGiven : noFigure.noBothTokens
  return {
    quality: qualityFigure(counted, evaluation),
    ...flipFigures(counted),
    divergence: divergence?.figure ?? unknown(noFigure.noLogprobs),
    topToken: divergence?.shares["same top token"] ?? unknown(noFigure.noLogprobs),
    perplexity: perplexityRatio(reference.scored, candidate.scored, evaluation),
    tokens: written.pairs.length === 0 ? unknown(noTokens) : shareFigure(sumShare(written, alpha)),
    timePerToken: timed("tpotMs", written.pairs.length === 0 ? 1 : Math.max(1, meanOf(written.before) - 1)),
    timePerAnswer: timed("e2eMs"),
    timePerCorrect,
    costPerCorrect: costPerCorrect(counted, pair, timePerCorrect),
    size: sizeFigure(pair),
  }
}

/** Pairs of rows as the verdict counts them, and the metric that knows what a failure counts as. */
interface CountedPairs {
  readonly metric: AnyMetric
  readonly rows: readonly RowPair[]
}

function countedPairs({ reference, candidate, evaluation }: QuantizationPair): CountedPairs | null {
  const metric = evaluation.metrics.find(({ name }) => name === evaluation.primary[0])
  if (!metric) return null
  const [before, after] = [rowsOf(reference.scored, metric.name), rowsOf(candidate.scored, metric.name)]
  const { all, complete, countedAs } = countRows(metric, before, after, {
    missing: evaluation.missing,
    absentRows: "not_asked",
  })
  if (complete.pairs.length === 0) return null
  return { metric: countedAs === null ? metric : countFailures(metric, countedAs), rows: all }
}

const nothingPaired = unknown(noFigure.noBothScored)

function qualityFigure(pairs: CountedPairs | null, { alpha, seed }: QuantizationPair["evaluation"]): Figure {
  const estimate = pairs && (pairedEstimator(pairs.metric, pairs.rows, seed)?.at(alpha) ?? null)
  if (!estimate) return nothingPaired
  const { value, low, high, method, units } = estimate
  return { status: "known", value, low, high, n: units, method }
}

/** Shares of the answers that changed sides, where each is right or wrong. */
function flipFigures(pairs: CountedPairs | null): Record<"lost" | "won", Figure> {
  if (!pairs) return { lost: nothingPaired, won: nothingPaired }
  const { metric, rows } = pairs
  const isBinary = rows.every(
    ({ baseline, candidate }) => isRightOrWrong(baseline.value) && isRightOrWrong(candidate.value),
  )
  if (!isBinary) {
    const figure = unknown(noFigure.notBinary(metric.name))
    return { lost: figure, won: figure }
  }
  const sign = metric.direction === "higher" ? 1 : -1
  const keys = rows.map(unitKey)
  const share = (direction: number): Figure => {
    const changed = rows.map(({ baseline, candidate }) =>
      Number(sign * direction * ((candidate.value as number) - (baseline.value as number)) > 0),
    )
    return meanFigure(changed, keys)
  }
  return { lost: share(-1), won: share(1) }
}

function perCorrectFigure(
  counted: CountedPairs | null,
  { reference, candidate, evaluation, timeErrorMs }: QuantizationPair,
  amount: (answer: AnswerFacts) => number | null,
  isTime: boolean,
): Figure {
  if (!counted) return nothingPaired
  const { range, direction } = counted.metric
  if (range[0] !== 0 || range[1] !== 1 || direction !== "higher") return unknown(noFigure.noCorrectness)
  const scores = new Map(
    counted.rows.map((row) => [answerKey(row), [row.baseline.value ?? 0, row.candidate.value ?? 0] as const]),
  )
  const pairs = answerPairs(reference.scored, candidate.scored).flatMap((answers): JudgedPair[] => {
    const correct = scores.get(answerKey(answers[0]))
    if (!correct || answers.some(({ source }) => source === "replayed")) return []
    return [{ answers, correct }]
  })
  const errorMs = pairsErrorMs(
    pairs.map(({ answers }) => answers),
    timeErrorMs,
  )
  return perCorrect(pairs, amount, { alpha: evaluation.alpha, ...(isTime && { timeErrorMs: errorMs }) })
}

/** Costs of the answers, or of hardware that is paid by the hour: these follow from the time, and are as sure as it is. */
function costPerCorrect(counted: CountedPairs | null, pair: QuantizationPair, time: Figure): Figure {
  const { reference, candidate } = pair
  const everyPair = answerPairs(reference.scored, candidate.scored)
  const isPriced = everyPair.length > 0 && everyPair.every(([a, b]) => a.costUsd !== null && b.costUsd !== null)
  if (isPriced) return perCorrectFigure(counted, pair, (answer) => answer.costUsd, false)
  const [before, after] = [reference.report.cost.perCorrectUsd, candidate.report.cost.perCorrectUsd]
  for (const figure of [before, after]) if (figure.status === "unknown") return figure
  const [from, to] = [figureValue(before) ?? 0, figureValue(after) ?? 0]
  if (!(from > 0) || time.status === "unknown")
    return unknown(time.status === "unknown" ? time.reason : "it costs nothing")
  // The cost moves with the time: it is as sure as the time is, around its own value.
  const value = to / from - 1
  const shift = (1 + value) / (1 + time.value)
  const bound = (end: number | null | undefined, factor: number) => (end == null ? null : (1 + end) * factor - 1)
  return {
    ...time,
    value,
    low: bound(time.low, Math.min(1, shift)),
    high: bound(time.high, Math.max(1, shift)),
    method: methods.hourlyPerCorrect,
  }
}

function sizeFigure({ reference, candidate }: QuantizationPair): Figure {
  const [before, after] = [reference.report.resources.modelBytes, candidate.report.resources.modelBytes]
  if (before.status === "unknown") return before
  if (after.status === "unknown") return after
  return { status: "known", value: after.value / before.value - 1, n: 1, method: methods.fileSizes }
}

function shareFigure({ share, low, high, n, method }: PairedShare): KnownFigure {
  return { status: "known", value: share, low, high, n, method }
}

function isRightOrWrong(value: number | null): boolean {
  return value === 0 || value === 1
}
