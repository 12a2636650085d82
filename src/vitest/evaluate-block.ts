import { test } from "vitest"
import type { EvaluationConfig } from "../config/config.ts"
import { checkOptions } from "../core/options.ts"
import type { RunReport } from "../core/report/report.ts"
import { type EvaluationResult, evaluateConfig } from "../library/evaluate.ts"

/** Options of {@link evaluate}. @public */
export interface EvaluateInTestOptions {
  /** Milliseconds that the test may take. Default: 300,000. */
  readonly timeoutMs?: number
  /**
   * What a rule of the gate that the samples cannot decide does to the test: `"fail"`, or `"pass"`, which leaves it to a larger run.
   * Default: `"fail"`.
   */
  readonly inconclusive?: "fail" | "pass"
  /** More assertions, over the report of the run. */
  readonly check?: (report: RunReport) => void | Promise<void>
}

/**
 * A small evaluation as a test: the variants answer the samples, the metrics score them, and the config's `gate` is what the test
 * asserts. It fails with the rules that failed, the verdict, and the line that shows the run, which is in the same store as the runs of
 * `evalkit run`: `.evalkit` below the working directory, unless `directory` says otherwise. A run that is not finished fails, too.
 *
 * @param name of the test and, where the config has none, of the evaluation
 * @example
 * evaluate("answers stay right", {
 *   dataset: "questions.jsonl",
 *   variants: [variant({ name: "app", provider: fromFunction(answer) })],
 *   metrics: [exactMatch()],
 *   gate: [{ figure: "exactMatch", min: 0.8 }],
 * })
 * @public
 */
export function evaluate(name: string, config: EvaluationConfig, options: EvaluateInTestOptions = {}): void {
  checkOptions("evaluate", options, "evaluateInTest")
  const { timeoutMs = 300_000, inconclusive = "fail", check } = options
  test(name, { timeout: timeoutMs }, async ({ signal }) => {
    const result = await evaluateConfig({ name, ...config }, { signal })
    const faults = faultsOf(result, inconclusive === "fail")
    if (faults.length > 0) throw new Error(failureText(result, faults))
    await check?.(result.report)
  })
}

function faultsOf({ status, reason, report }: EvaluationResult, failsWhenOpen: boolean): readonly string[] {
  return [
    ...(status === "finished" ? [] : [`the run is ${status}: ${reason ?? "it did not end"}`]),
    ...report.gate
      .filter((rule) => rule.status === "failed" || (failsWhenOpen && rule.status === "inconclusive"))
      .map(({ status: ended, rule, variant, message }) => `${ended}: ${rule} (${variant}): ${message}`),
  ]
}

function failureText({ record, report }: EvaluationResult, faults: readonly string[]): string {
  return [
    ...faults,
    ...(report.decision ? [report.decision.sentence] : []),
    `see it with: evalkit view ${record.id}`,
  ].join("\n")
}
