import type { PairMetric } from "../../../core/metric/pair-metric.ts"
import type { Figure } from "../../../core/report/figure.ts"
import type { QuantizationData, ReportSection } from "../../../core/report/report-sections.ts"
import { toJson } from "../../../core/report/to-json.ts"
import type { Evaluation } from "../../../core/run/evaluation.ts"
import { timeErrorOf } from "../../../estimate/client-error.ts"
import { divergenceWords } from "../../../wording/sections/divergence.ts"
import {
  figureWords,
  quantizationSentence,
  quantizationWords,
  unknownSentence,
  withinErrorSentence,
} from "../../../wording/sections/quantization.ts"
import { type MeasureName, measures } from "../../../wording/sections/quantization-measures.ts"
import { rankWords } from "../../../wording/sections/rank.ts"
import { levelText } from "../../../words/percent.ts"
import { mayHaveLogprobs, type PairSource, type PairSummary, summarisePairs } from "../pair-summary.ts"
import { rankPairs } from "../rank-pairs.ts"
import type { QuantizationFamily } from "./families.ts"
import { quantizationFigures } from "./figures.ts"

/** What the section is made from. */
export interface QuantizationSectionOptions extends Omit<PairSource, "metric" | "seed"> {
  readonly evaluation: Evaluation
  readonly family: QuantizationFamily
}

/**
 * What each quantization of a model changes against one of them, all paired by sample: answers that changed sides, token
 * distributions, perplexity, the length of answers, and what a correct answer takes in time and money.
 */
export async function quantizationSection(options: QuantizationSectionOptions): Promise<ReportSection> {
  const { evaluation, family, ...source } = options
  const { reference, others, model } = family
  const { seed, alpha } = evaluation
  const timeErrorMs = timeErrorOf([reference, ...others].map(({ report }) => report))
  const pairMetric = evaluation.pairMetrics.find(({ isTokenDivergence }) => isTokenDivergence)
  const metric = pairMetric?.needs?.logprobs && !mayHaveLogprobs(reference.scored) ? undefined : pairMetric
  const primary = evaluation.metrics.find(({ name }) => name === evaluation.primary[0])
  const worded = primary ?? { range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const }
  const compared = []
  for (const candidate of others) {
    const divergence: PairSummary | null = metric
      ? await summarisePairs(reference.report.name, candidate.report.name, { ...source, metric, seed, alpha })
      : null
    compared.push({
      candidate,
      divergence,
      figures: quantizationFigures({ reference, candidate, divergence, timeErrorMs, evaluation }),
    })
  }
  const names = Object.keys(measures) as MeasureName[]
  const ranked = metric
    ? rankPairs(
        metric,
        compared.flatMap(({ candidate, divergence }) =>
          divergence ? [{ candidate: candidate.report.name, summary: divergence }] : [],
        ),
        alpha,
      )
    : []
  const notMeasured = unknownSentence(compared.map(({ figures }) => figures))
  const ranking =
    ranked.length === 0 ? null : divergenceWords.ranked(metric as PairMetric, reference.report.name, rankWords(ranked))
  const data: QuantizationData = {
    model,
    reference: reference.report.name,
    measures: names.map((name) => ({ name, ...measures[name] })),
    variants: compared.map(({ candidate, figures }) => ({
      variant: candidate.report.name,
      quantization: candidate.report.quantization ?? "",
      figures: names.map((name) => ({ figure: figures[name], text: figureWords(name, figures[name], worded) })),
    })),
    ranking,
    notMeasured,
  }
  return {
    kind: "quantization",
    title: `Quantizations of ${model} against ${reference.report.name}`,
    sentences: [
      ...compared.map(({ candidate, figures }) =>
        quantizationSentence(candidate.report.name, figures, primary ?? null),
      ),
      ...(ranking === null ? [] : [ranking]),
      ...(notMeasured === null ? [] : [notMeasured]),
      ...(compared.some(({ figures }) => Object.values(figures).some(isWithinError)) ? [withinErrorSentence] : []),
      quantizationWords.paired(levelText(alpha)),
    ],
    data: toJson(data),
  }
}

function isWithinError(figure: Figure): boolean {
  return figure.status === "known" && figure.isApproximate === true
}
