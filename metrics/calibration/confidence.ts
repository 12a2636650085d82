import type { Generation } from "../../src/core/generation.ts"
import { sequenceConfidence } from "../../src/core/metric/confidence.ts"
import { type Unscored, unscored } from "../../src/core/metric/metric.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import type { Sample } from "../../src/core/sample.ts"
import { exactMatch } from "../match/exact-match.ts"
import { answerSpan } from "../text/answer-span.ts"
import { choiceDistribution } from "./choice-distribution.ts"

/** Where the confidence of an answer comes from. @experimental */
export type ConfidenceSource =
  /** What the row states, else the product of its token probabilities. */
  | "auto"
  /** What the row states (`confidence`). */
  | "given"
  /** Product of the answer's token probabilities: the probability of this very text. Falls with length. */
  | "product"
  /**
   * Product over the tokens of the final answer alone: those after its last marker ("the answer is", "####"), else those of the
   * last line. A chain of thought before it is left out.
   */
  | "answer"
  /** Geometric mean of the token probabilities: independent of length, but not a probability of being right. */
  | "mean"
  /** Smallest token probability. */
  | "minimum"
  /** Share of the chosen option among the options of a multiple-choice question; see `choiceDistribution`. */
  | "choice"
  /** A statement in the answer's text, such as "Confidence: 80 %". */
  | "verbalised"

/** How metrics of calibration find what an answer claimed and whether it was right. @experimental */
export interface ConfidenceOptions {
  readonly name?: string
  /** Default `auto`. */
  readonly confidence?: ConfidenceSource | ((generation: Generation) => number | null)
  /**
   * Name of the metric that says whether an answer is right, where rows do not state `correct`. Exact match (as configured,
   * else with its defaults) when absent.
   */
  readonly correct?: string
  /** Value of that metric from which an answer counts as right. Default 1. */
  readonly threshold?: number
}

/** What an answer claimed (0..1), and whether it was right (0 or 1). @experimental */
export interface ConfidenceRow {
  readonly confidence: number
  readonly correct: number
}

/**
 * The confidence of an answer, 0..1; null when there is none.
 *
 * @example confidenceOf(generation, "verbalised") // text "Paris. Confidence: 80 %" → 0.8
 * @experimental
 */
export function confidenceOf(
  generation: Generation,
  source: Exclude<ConfidenceOptions["confidence"], "choice"> = "auto",
): number | null {
  if (typeof source === "function") return bounded(source(generation))
  if (source === "verbalised") return bounded(verbalised(generation.text))
  if (source === "given") return bounded(generation.given?.confidence)
  if (source === "auto") return bounded(sequenceConfidence(generation))
  const logprobs = generation.logprobs
  if (logprobs === null || logprobs.length === 0) return null
  if (source === "answer") return bounded(answerProbability(generation.text, logprobs))
  if (source === "minimum") return bounded(Math.exp(logprobs.reduce((min, t) => Math.min(min, t.logprob), 0)))
  const sum = logprobs.reduce((total, token) => total + token.logprob, 0)
  return bounded(Math.exp(source === "mean" ? sum / logprobs.length : sum))
}

/** Product of the probabilities of the tokens that the final answer's characters lie in; null where there are none. */
function answerProbability(text: string, logprobs: NonNullable<Generation["logprobs"]>): number | null {
  const { start, end } = answerSpan(text)
  let sum = 0
  let count = 0
  // Where reasoning comes first, the tokens of the text are the last ones.
  let at = text.length - logprobs.reduce((length, { token }) => length + token.length, 0)
  for (const { token, logprob } of logprobs) {
    const from = at + (token.length - token.trimStart().length)
    at += token.length
    if (from >= end || at <= start) continue
    sum += logprob
    count++
  }
  return count === 0 ? null : Math.exp(sum)
}

/** The row that all metrics of calibration share, or why there is none: `no_confidence`, `no_correctness`. */
export async function confidenceRow(
  sample: Sample,
  generation: Generation,
  tools: MetricTools,
  options: ConfidenceOptions,
): Promise<ConfidenceRow | Unscored> {
  const confidence =
    options.confidence === "choice"
      ? choiceConfidence(sample, generation)
      : confidenceOf(generation, options.confidence)
  if (confidence === null) return unscored("no_confidence", "neither a stated confidence nor token log-probabilities")
  const correct = await correctnessOf(sample, generation, tools, options)
  return typeof correct === "number" ? { confidence, correct } : correct
}

/** Whether an answer is right, 0 or 1: what the row states, else the named metric, else exact match. */
export async function correctnessOf(
  sample: Sample,
  generation: Generation,
  tools: MetricTools,
  options: Pick<ConfidenceOptions, "correct" | "threshold">,
): Promise<number | Unscored> {
  const stated = generation.given?.correct
  if (stated !== undefined) return Number(stated)
  const name = options.correct ?? exactly.name
  let value = tools.valueOf(name)
  if (value === undefined && name === exactly.name) {
    const measured = await exactly.measure(sample, generation, tools)
    value = measured.status === "scored" ? exactly.value(measured.row) : null
  }
  if (value === undefined || value === null) return unscored("no_correctness", `${name} is unscored`)
  return Number(value >= (options.threshold ?? 1))
}

function choiceConfidence(sample: Sample, generation: Generation): number | null {
  const distribution = choiceDistribution(sample, generation)
  return distribution ? (distribution.shares[distribution.chosen] ?? null) : null
}

const exactly = exactMatch()

/** Reads the last statement of confidence in a text: `confidence: 80 %`, `Confidence 0.8`, `80% confident`. */
function verbalised(text: string): number | null {
  const pattern =
    /(?:confidence|certainty|probability)\D{0,20}?(\d{1,15}(?:[.,]\d{1,15})?)\s{0,5}(%|percent)?|(?<![\d.,])(\d{1,15}(?:[.,]\d{1,15})?)\s{0,5}(%|percent)\s{0,5}(?:confident|certain|sure)/gi
  const last = [...text.matchAll(pattern)].at(-1)
  if (!last) return null
  const value = Number((last[1] ?? last[3] ?? "").replace(",", "."))
  const percent = last[2] !== undefined || last[4] !== undefined || value > 1
  return percent ? value / 100 : value
}

function bounded(value: number | null | undefined): number | null {
  return value !== null && value !== undefined && value >= 0 && value <= 1 ? value : null
}
