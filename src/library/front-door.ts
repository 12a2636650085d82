import type { EvaluationConfig } from "../config/config.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import { checkOptions } from "../core/options.ts"
import type { EvaluateConfigOptions, EvaluationResult } from "./evaluate.ts"
import type { AnswerToScore, ScoreAnswersOptions, ScoredAnswers } from "./score.ts"

/**
 * Runs a config, as `evalkit run` does: every variant answers the samples, the metrics score the answers, the result says whether the
 * swap may be made. The run is in the store that the config, `EVALKIT_STORE` or `.evalkit` below the working directory names; where
 * another run writes to it, this one waits until `signal` is aborted.
 *
 * @throws UsageError for a config that cannot be run; before anything is paid for
 * @example
 * const result = await evaluate({
 *   dataset: inline([{ input: "2 + 2?", reference: "4" }]),
 *   variants: [variant({ name: "now", provider: fromFunction(now) }), variant({ name: "new", provider: fromFunction(next) })],
 *   metrics: [exactMatch()],
 * })
 * console.log(result.decision?.sentence)
 * await result.render("html", "report.html")
 * @public
 */
export async function evaluate(config: EvaluationConfig, options?: EvaluateConfigOptions): Promise<EvaluationResult> {
  checkOptions("evaluate", options)
  return (await import("./evaluate.ts")).evaluateConfig(config, options)
}

/**
 * Scores answers that are there already: no variant is asked, nothing is stored. Answers to the same question count as one
 * piece of evidence, as everywhere.
 *
 * @throws UsageError for an answer without text, for an id that occurs twice, for a metric whose dependencies are not among them, and where
 * no answer has what a metric compares with
 * @example
 * const { figures, answers } = await score(
 *   [{ output: "Paris.", reference: "Paris" }, { output: "Lyon", reference: "Paris" }],
 *   [exactMatch(), rouge()],
 * )
 * @public
 */
export async function score(
  answers: readonly AnswerToScore[],
  metrics: readonly AnyMetric[],
  options?: ScoreAnswersOptions,
): Promise<ScoredAnswers> {
  checkOptions("score", options)
  return (await import("./score.ts")).scoreAnswers(answers, metrics, options)
}
